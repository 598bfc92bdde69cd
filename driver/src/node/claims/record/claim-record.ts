import type { ContainerEdits, NetworkData } from '../../../devices/backend.js';
import type { CounterConsumption } from '../../../devices/inventory.js';
import type { JsonObject } from '../../../devices/json.js';

/**
 * What the node knows of a claim that has, had or may have devices here.
 *
 * - `preparing`: the intent is written; its devices may have been touched.
 * - `prepared`: all of it is done, and containers may use it.
 * - `adopted`: made anew after the record was lost, from the claim; containers may use it.
 * - `releasing`: to be undone; no container may use it any more.
 */
export interface ClaimRecord {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Name in the pod's spec, of claims that were made from a template. */
  readonly podClaimName?: string;
  readonly state: ClaimState;
  /** Of the boot in which devices were touched last; what a reboot takes away is gone in another. */
  readonly bootId: string;
  /** RFC 3339; when the record was first written. */
  readonly since: string;
  readonly devices: readonly RecordedDevice[];
}

export type ClaimState = 'preparing' | 'prepared' | 'adopted' | 'releasing';

/** A device of a claim, with all that is needed to give it back without asking anybody. */
export interface RecordedDevice {
  readonly device: string;
  readonly pool: string;
  /** What the hardware called itself; another piece may have the name later. */
  readonly identity: string;
  /** Keys of order, see InventoryDevice.parts. */
  readonly parts: readonly string[];
  /** Top-level request names. */
  readonly requests: readonly string[];
  readonly shareId?: string;
  /** Quantities. */
  readonly consumedCapacity: { readonly [capacity: string]: string };
  readonly consumesCounters: readonly CounterConsumption[];
  readonly adminAccess: boolean;
  readonly intent: JsonObject;
  /** Of prepared devices. */
  readonly prepared?: {
    readonly edits: ContainerEdits;
    readonly vendorCdiDevices: readonly string[];
    readonly state: JsonObject;
    readonly networkData?: NetworkData;
  };
  /** Why it could not be undone; it stays isolated until it can. */
  readonly unclean?: {
    readonly code: string;
    readonly message: string;
    readonly since: string;
  };
}

/** A device or a share of one, within a claim. */
export function shareKey({ device, shareId }: Pick<RecordedDevice, 'device' | 'shareId'>): string {
  return shareId === undefined ? device : `${device}/${shareId}`;
}

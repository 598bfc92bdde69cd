import type { InventoryDevice } from './inventory.js';
import type { JsonObject } from './json.js';

/** One device of one claim, as the allocation says. */
export interface DeviceClaim {
  readonly claim: { readonly uid: string; readonly namespace: string; readonly name: string };
  /** Top-level request names of all results that have this device, without `/subrequest`. */
  readonly requests: readonly string[];
  readonly device: InventoryDevice;
  /** Of a share of a device that several claims may have. */
  readonly shareId?: string;
  /** Quantities by capacity name, as the allocation says. */
  readonly consumedCapacity: { readonly [capacity: string]: string };
  /** Monitoring access beside another claim: never changes the device. */
  readonly adminAccess: boolean;
  /** Parameters of this driver for this device: those of the class, then those of the claim, each once. */
  readonly config: readonly JsonObject[];
  /**
   * Intents of the other claims that have a share of the device now, as the record says; empty for a device taken whole.
   *
   * A share may need a piece of its own, such as a virtual function, and `plan` must not choose one twice: plans of one device are made and
   * recorded one after another.
   */
  readonly otherIntents: readonly JsonObject[];
}

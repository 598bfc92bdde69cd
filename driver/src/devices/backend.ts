import type { DeviceClaim } from './device-claim.js';
import type { DeviceReading } from './device-health.js';
import type { Inventory } from './inventory.js';
import type { JsonObject } from './json.js';

/**
 * One kind of hardware under a root folder: what is there, how a claim gets it, how it comes back, and how it is.
 *
 * The agent owns order, records, CDI files and slices; a backend owns nothing that outlives a call but the hardware itself. All state that a
 * later call needs goes through the claim record as JSON, so that a backend that was killed anywhere finds it again.
 */
export interface DeviceBackend {
  /** Kind of device, as in node labels: gpu, fpga, nic or sim. */
  readonly family: string;

  /**
   * Reads the hardware anew. The same hardware gives the same devices, names and order, after a restart and on another agent.
   *
   * Half-present devices are withheld and named in `problems`; a folder that cannot be read at all is thrown as a retryable NodeFailure.
   */
  discover(signal: AbortSignal): Promise<Inventory>;

  /**
   * Decides what `prepare` will do, without doing it: decodes the configuration strictly and refuses as NodeFailure what cannot be.
   * Knows the hardware as the last `discover` saw it.
   *
   * The intent is stored before `prepare` runs; it must name everything that `unprepare` needs to undo a half-done prepare.
   */
  plan(claim: DeviceClaim): JsonObject;

  /**
   * Makes the device ready. Called again with the same intent after a crash or a repeated call, it changes nothing that is done already.
   *
   * Ends with an error when a promised device node does not exist. An abort is heeded before the first change to hardware, and only then.
   */
  prepare(claim: DeviceClaim, intent: JsonObject, signal: AbortSignal): Promise<PreparedDevice>;

  /**
   * Gives the device back: undoes what the intent names, as far as it was done, and scrubs. Needs no API and may be repeated.
   *
   * A failure of class `needs-cleanup` isolates the device: it is tainted and refused until it was repaired.
   */
  unprepare(release: DeviceRelease): Promise<void>;

  /** Reads the health of all devices; silence about a device means unknown. */
  health(inventory: Inventory, signal: AbortSignal): Promise<readonly DeviceReading[]>;
}

/** A device that a claim has, and what a container gets. */
export interface PreparedDevice {
  /** What containers get, written into the claim's own CDI file. Empty only when `vendorCdiDevices` is not. */
  readonly edits: ContainerEdits;
  /** Devices of CDI files that the vendor's tools wrote, such as `nvidia.com/gpu=0`: referenced, not copied. */
  readonly vendorCdiDevices: readonly string[];
  /** Facts found only now, such as a VF's name; recorded for `unprepare` and for reports. */
  readonly state: JsonObject;
  /** For `status.devices` of the claim, at most 10 KiB. */
  readonly networkData?: NetworkData;
}

/** Edits of a CDI device, in the words of the CDI specification. */
export interface ContainerEdits {
  /** `NAME=value`, sorted by name. */
  readonly env?: readonly string[];
  readonly deviceNodes?: readonly DeviceNode[];
  readonly mounts?: readonly Mount[];
  readonly hooks?: readonly Hook[];
  readonly additionalGids?: readonly number[];
}

export interface DeviceNode {
  /** In the container. */
  readonly path: string;
  /** On the host, where it differs. */
  readonly hostPath?: string;
  readonly type?: 'b' | 'c';
  readonly major?: number;
  readonly minor?: number;
  readonly permissions?: string;
}

export interface Mount {
  readonly hostPath: string;
  readonly containerPath: string;
  readonly options: readonly string[];
  readonly type?: string;
}

export interface Hook {
  readonly hookName: 'createContainer' | 'createRuntime' | 'poststart' | 'poststop' | 'prestart' | 'startContainer';
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: readonly string[];
  readonly timeout?: number;
}

/** `status.devices[].networkData` of a ResourceClaim. */
export interface NetworkData {
  readonly interfaceName?: string;
  readonly hardwareAddress?: string;
  readonly ips?: readonly string[];
}

/** A device to be given back. */
export interface DeviceRelease {
  readonly claimUid: string;
  readonly device: string;
  readonly shareId?: string;
  readonly intent: JsonObject;
  /** Absent when the agent ended before prepare was recorded as done. */
  readonly state?: JsonObject;
  /** Monitoring beside another claim: whatever the device is like, it stays so. */
  readonly adminAccess: boolean;
  /** No other claim has a share of the device any more; never so for monitoring. */
  readonly last: boolean;
}

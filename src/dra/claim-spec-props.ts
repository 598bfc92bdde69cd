import type { DeviceConfig } from './device-config';
import type { DeviceConstraint } from './device-constraint';
import type { DeviceRequest } from './device-request';

/** What a claim asks for. */
export interface ClaimSpecProps {
  /** Groups of devices, at most 32; all are allocated together, on one node where devices are local to it. */
  readonly requests: DeviceRequest[];
  /**
   * Conditions over the devices of several requests, at most 32.
   * @default - none
   */
  readonly constraints?: DeviceConstraint[];
  /**
   * Parameters for drivers, at most 32; they come after those of the class.
   * @default - none
   */
  readonly config?: DeviceConfig[];
}

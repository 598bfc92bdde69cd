// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { IntAttribute, StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `compute-domain.nvidia.com` of kubernetes-sigs/dra-driver-nvidia-gpu publishes them. */
export class NvidiaComputeDomain extends KnownDriver {
  /** What the device is. One of `channel`, `daemon`. */
  public readonly deviceType: StringAttribute;
  /** Number of the channel or daemon. Example: `0`. */
  public readonly id: IntAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('nvidia-compute-domain', options);
    this.deviceType = this._text('compute-domain.nvidia.com', 'type');
    this.id = this._whole('compute-domain.nvidia.com', 'id');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gaudi.intel.com` of intel/intel-resource-drivers-for-kubernetes publishes them. */
export class IntelGaudi extends KnownDriver {
  /** Product name. One of `Gaudi`, `Gaudi2`, `Gaudi3`, `Unknown`. */
  public readonly model: StringAttribute;
  /** Serial number. Example: `AN12345678`. */
  public readonly serial: StringAttribute;
  /** Whether the device is usable. Example: `true`. */
  public readonly healthy: BoolAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. */
  public readonly pcieRoot: StringAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('intel-gaudi', options);
    this.model = this._text('gaudi.intel.com', 'model');
    this.serial = this._text('gaudi.intel.com', 'serial');
    this.healthy = this._flag('gaudi.intel.com', 'healthy');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
  }
}

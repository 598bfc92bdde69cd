// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `qat.intel.com` of intel/intel-resource-drivers-for-kubernetes publishes them. */
export class IntelQat extends KnownDriver {
  /** Services of the function: sym, asym, dc, dcc, joined with ";". Example: `sym;asym`. */
  public readonly services: StringAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('intel-qat', options);
    this.services = this._text('qat.intel.com', 'services');
  }
}

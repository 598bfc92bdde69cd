// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { IntAttribute, StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `tpu.google.com` of kubernetes-sigs/dra-driver-google-tpu publishes them. */
export class GoogleTpu extends KnownDriver {
  /** Position of the chip on the node. Example: `0`. */
  public readonly deviceIndex: IntAttribute;
  /** Made from the node name; the same for all chips of a node. Example: `tpu-25541d5c-7c31-8412-d7cb-c8ebff2fa5c9`. */
  public readonly uuid: StringAttribute;
  /** Generation. One of `v3`, `v4`, `v4lite`, `v5lite`, `v5litepod`, `v5p`, `v6e`. */
  public readonly tpuGen: StringAttribute;
  /** Always Google. One of `Google`. */
  public readonly brand: StringAttribute;
  /** Accelerator type of the node. Example: `tpu-v6e-slice`. */
  public readonly accelerator: StringAttribute;
  /** Chips on the node. Example: `4`. */
  public readonly chipCount: IntAttribute;
  /** Shape of the slice. Example: `2x2`. Missing where a node of a larger slice cannot tell. */
  public readonly topology: StringAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('google-tpu', options);
    this.deviceIndex = this._whole('tpu.google.com', 'index');
    this.uuid = this._text('tpu.google.com', 'uuid');
    this.tpuGen = this._text('tpu.google.com', 'tpuGen');
    this.brand = this._text('tpu.google.com', 'brand');
    this.accelerator = this._text('tpu.google.com', 'accelerator');
    this.chipCount = this._whole('tpu.google.com', 'chipCount');
    this.topology = this._text('tpu.google.com', 'topology');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `net.example.com` of kubernetes-sigs/dra-example-driver publishes them. */
export class ExampleNet extends KnownDriver {
  /** Position of the device on the node. Example: `0`. */
  public readonly deviceIndex: IntAttribute;
  /** Made from the node name; the same after a restart. Example: `gpu-18db0e85-99e9-c746-8531-ffeb86328b39`. */
  public readonly uuid: StringAttribute;
  /** Always the same text. One of `LATEST-NET-MODEL`. */
  public readonly model: StringAttribute;
  /** Always 1.0.0. Example: `1.0.0`. */
  public readonly driverVersion: VersionAttribute;
  /** Virtual functions; each claim takes one. Example: `100`. */
  public readonly vfs: DeviceCapacity;
  /** Bits per second inwards; 1G unless asked, at least 100M, in steps of 1M. Example: `100G`. */
  public readonly ingressBandwidth: DeviceCapacity;
  /** Bits per second outwards; 1G unless asked, at least 100M, in steps of 1M. Example: `100G`. */
  public readonly egressBandwidth: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('example-net', options);
    this.deviceIndex = this._whole('net.example.com', 'index');
    this.uuid = this._text('net.example.com', 'uuid');
    this.model = this._text('net.example.com', 'model');
    this.driverVersion = this._version('net.example.com', 'driverVersion');
    this.vfs = this._amount('net.example.com', 'vfs');
    this.ingressBandwidth = this._amount('net.example.com', 'ingressBandwidth');
    this.egressBandwidth = this._amount('net.example.com', 'egressBandwidth');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gpu.example.com` of kubernetes-sigs/dra-example-driver publishes them. */
export class ExampleGpu extends KnownDriver {
  /** Position of the device on the node. Example: `0`. */
  public readonly deviceIndex: IntAttribute;
  /** Made from the node name; the same after a restart. Example: `gpu-18db0e85-99e9-c746-8531-ffeb86328b39`. */
  public readonly uuid: StringAttribute;
  /** Always the same text. One of `LATEST-GPU-MODEL`. */
  public readonly model: StringAttribute;
  /** Always 1.0.0. Example: `1.0.0`. */
  public readonly driverVersion: VersionAttribute;
  /** Number of the part. Example: `0`. Only on devices of type partition. */
  public readonly partition: IntAttribute;
  /** Always true where it is there. Example: `true`. Only on devices of type full, partition. */
  public readonly partitionable: BoolAttribute;
  /** Always true where it is there. Example: `true`. Only on devices of type full. */
  public readonly full: BoolAttribute;
  /** Memory; parts of whole 1Gi with gpuAllowMultipleAllocations. Example: `80Gi`. */
  public readonly memory: DeviceCapacity;
  /** Compute units; whole units with gpuAllowMultipleAllocations. Example: `100`. */
  public readonly compute: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('example-gpu', options);
    this.deviceIndex = this._whole('gpu.example.com', 'index');
    this.uuid = this._text('gpu.example.com', 'uuid');
    this.model = this._text('gpu.example.com', 'model');
    this.driverVersion = this._version('gpu.example.com', 'driverVersion');
    this.partition = this._whole('gpu.example.com', 'partition');
    this.partitionable = this._flag('gpu.example.com', 'partitionable');
    this.full = this._flag('gpu.example.com', 'full');
    this.memory = this._amount('gpu.example.com', 'memory');
    this.compute = this._amount('gpu.example.com', 'compute');
  }
}

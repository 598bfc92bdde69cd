// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { IntAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `cpu.example.com` of kubernetes-sigs/dra-example-driver publishes them. */
export class ExampleCpu extends KnownDriver {
  /** Number of the NUMA node. Example: `0`. */
  public readonly numaNodeID: IntAttribute;
  /** CPUs of the node, mapped to the node's allocatable cpu. Example: `4`. */
  public readonly cpu: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('example-cpu', options);
    this.numaNodeID = this._whole('cpu.example.com', 'numaNodeID');
    this.cpu = this._amount('cpu.example.com', 'cpu');
  }
}

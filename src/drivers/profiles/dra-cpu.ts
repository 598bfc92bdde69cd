// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `dra.cpu` of kubernetes-sigs/dra-driver-cpu publishes them. */
export class DraCpu extends KnownDriver {
  /** Socket. Example: `0`. Missing with groupBy machine. */
  public readonly socketID: IntAttribute;
  /** Whether hardware threads are on. Example: `true`. */
  public readonly smtEnabled: BoolAttribute;
  /** CPUs in the group that are not reserved. Example: `64`. Only on devices of type group. */
  public readonly numCPUs: IntAttribute;
  /** Last-level cache that the CPU belongs to. Example: `0`. Only on devices of type cpu. */
  public readonly cacheL3ID: IntAttribute;
  /** Sort of core. One of `e-core`, `p-core`, `standard`. Only on devices of type cpu. */
  public readonly coreType: StringAttribute;
  /** Core; the same for its hardware threads. Example: `1`. Only on devices of type cpu. */
  public readonly coreID: IntAttribute;
  /** Number of the CPU in Linux. Example: `33`. Only on devices of type cpu. */
  public readonly cpuID: IntAttribute;
  /** NUMA node under the driver's own name; to be removed. Example: `0`. With groupBy numanode or mode individual only. */
  public readonly numaNodeID: IntAttribute;
  /** NUMA node under the name that DRANET uses; to be removed. Example: `0`. With groupBy numanode or mode individual only. */
  public readonly draNumaNode: IntAttribute;
  /** NUMA node that the device is local to. Not published where the firmware names none (-1). Example: `0`. With groupBy numanode or mode individual only. From driver version 0.3. */
  public readonly standardNumaNode: IntAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Only with args.exposePCIeRoots and the cluster's gate DRAListTypeAttributes. */
  public readonly pcieRoot: StringAttribute;
  /** CPUs that can be claimed from the group. Example: `64`. Only on devices of type group. */
  public readonly cpu: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('dra-cpu', options);
    this.socketID = this._whole('dra.cpu', 'socketID');
    this.smtEnabled = this._flag('dra.cpu', 'smtEnabled');
    this.numCPUs = this._whole('dra.cpu', 'numCPUs');
    this.cacheL3ID = this._whole('dra.cpu', 'cacheL3ID');
    this.coreType = this._text('dra.cpu', 'coreType');
    this.coreID = this._whole('dra.cpu', 'coreID');
    this.cpuID = this._whole('dra.cpu', 'cpuID');
    this.numaNodeID = this._whole('dra.cpu', 'numaNodeID');
    this.draNumaNode = this._whole('dra.net', 'numaNode');
    this.standardNumaNode = this._whole('resource.kubernetes.io', 'numaNode');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.cpu = this._amount('dra.cpu', 'cpu');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gpu.cdk8s-dra.dev` of the node agent of this project publishes them. */
export class AgentGpu extends KnownDriver {
  /** What the device is. One of `gpu`, `partition`, `virtualFunction`. */
  public readonly deviceType: StringAttribute;
  /** Maker of the GPU. One of `amd`, `intel`, `nvidia`. */
  public readonly vendor: StringAttribute;
  /** Product. Example: `NVIDIA H100 80GB HBM3`. Where the kernel driver tells it: not of Intel. */
  public readonly productName: StringAttribute;
  /** UUID of NVIDIA, unique id of AMD; the same for all partitions of a GPU. Example: `GPU-5c1a4f6e-0d1b-7a2c-93e4-5f6a7b8c9d0e`. Not of Intel, and of AMD where the GPU has a unique id. */
  public readonly uuid: StringAttribute;
  /** Version of the kernel driver. Example: `580.65.6`. Where the kernel driver has a version of its own. */
  public readonly driverVersion: VersionAttribute;
  /** Kernel driver. One of `i915`, `xe`. Of Intel. */
  public readonly kernelDriver: StringAttribute;
  /** Whether it is a part of the processor. Example: `false`. Of Intel. */
  public readonly integrated: BoolAttribute;
  /** PCI address of the GPU that it is a function of. Example: `0000:03:00.0`. Only on devices of type virtualFunction. */
  public readonly physicalFunction: StringAttribute;
  /** MIG profile. Example: `1g.10gb`. Only on devices of type partition. Of MIG devices that the settings describe. */
  public readonly profile: StringAttribute;
  /** Number of the GPU instance. Example: `7`. Only on devices of type partition. Of MIG devices. */
  public readonly gpuInstance: IntAttribute;
  /** Number of the compute instance. Example: `0`. Only on devices of type partition. Of MIG devices. */
  public readonly computeInstance: IntAttribute;
  /** Instruction set. Example: `gfx942`. Of AMD. */
  public readonly gfx: StringAttribute;
  /** Number of compute units. Example: `304`. Of AMD. */
  public readonly computeUnits: IntAttribute;
  /** Hive of linked GPUs. Example: `0x1f2e3d4c5b6a7988`. Of AMD, where GPUs are linked by XGMI. */
  public readonly xgmiHive: StringAttribute;
  /** Compute partition mode. Example: `spx`. Of AMD, where the GPU can be partitioned. */
  public readonly computePartition: StringAttribute;
  /** Memory partition mode. Example: `nps1`. Of AMD, where the GPU can be partitioned. */
  public readonly memoryPartition: StringAttribute;
  /** Number of the partition on its GPU. Example: `0`. Only on devices of type partition. Of AMD. */
  public readonly partition: IntAttribute;
  /** PCI vendor id. Example: `10de`. */
  public readonly pciVendor: StringAttribute;
  /** PCI device id. Example: `2330`. */
  public readonly pciDevice: StringAttribute;
  /** PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits. Example: `0000:01:00.0`. Not in PCI domains of more than four digits. */
  public readonly pciBusID: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Not where the device hangs on no PCIe root. */
  public readonly pcieRoot: StringAttribute;
  /** NUMA node that the device is local to. Not published where the firmware names none (-1). Example: `0`. Not where the firmware names no node. */
  public readonly numaNode: IntAttribute;
  /** Memory. Example: `80Gi`. Of NVIDIA where the settings say it, of Intel where settings or kernel driver do. */
  public readonly memory: DeviceCapacity;
  /** Share of the compute power in percent. Example: `100`. Of shared GPUs whose settings name it. */
  public readonly compute: DeviceCapacity;
  /** Claims that may have a share at once. Example: `8`. Of shared GPUs. */
  public readonly shares: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('agent-gpu', options);
    this.deviceType = this._text('gpu.cdk8s-dra.dev', 'type');
    this.vendor = this._text('gpu.cdk8s-dra.dev', 'vendor');
    this.productName = this._text('gpu.cdk8s-dra.dev', 'productName');
    this.uuid = this._text('gpu.cdk8s-dra.dev', 'uuid');
    this.driverVersion = this._version('gpu.cdk8s-dra.dev', 'driverVersion');
    this.kernelDriver = this._text('gpu.cdk8s-dra.dev', 'kernelDriver');
    this.integrated = this._flag('gpu.cdk8s-dra.dev', 'integrated');
    this.physicalFunction = this._text('gpu.cdk8s-dra.dev', 'physicalFunction');
    this.profile = this._text('gpu.cdk8s-dra.dev', 'profile');
    this.gpuInstance = this._whole('gpu.cdk8s-dra.dev', 'gpuInstance');
    this.computeInstance = this._whole('gpu.cdk8s-dra.dev', 'computeInstance');
    this.gfx = this._text('gpu.cdk8s-dra.dev', 'gfx');
    this.computeUnits = this._whole('gpu.cdk8s-dra.dev', 'computeUnits');
    this.xgmiHive = this._text('gpu.cdk8s-dra.dev', 'xgmiHive');
    this.computePartition = this._text('gpu.cdk8s-dra.dev', 'computePartition');
    this.memoryPartition = this._text('gpu.cdk8s-dra.dev', 'memoryPartition');
    this.partition = this._whole('gpu.cdk8s-dra.dev', 'partition');
    this.pciVendor = this._text('gpu.cdk8s-dra.dev', 'pciVendor');
    this.pciDevice = this._text('gpu.cdk8s-dra.dev', 'pciDevice');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.numaNode = this._whole('resource.kubernetes.io', 'numaNode');
    this.memory = this._amount('gpu.cdk8s-dra.dev', 'memory');
    this.compute = this._amount('gpu.cdk8s-dra.dev', 'compute');
    this.shares = this._amount('gpu.cdk8s-dra.dev', 'shares');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `nic.cdk8s-dra.dev` of the node agent of this project publishes them. */
export class AgentNic extends KnownDriver {
  /** What the device is. One of `port`, `sharedPort`, `vf`. */
  public readonly deviceType: StringAttribute;
  /** PCI address of the port. Example: `0000:3b:00.0`. Only on devices of type vf. */
  public readonly physicalFunction: StringAttribute;
  /** Number of the virtual function on its port. Example: `0`. Only on devices of type vf. */
  public readonly vfIndex: IntAttribute;
  /** Network interface of the port on the host. Example: `ens1f0np0`. Only on devices of type port, sharedPort. Where the port has one. */
  public readonly interfaceName: StringAttribute;
  /** Network interface of the port on the host. Example: `ens1f0np0`. Only on devices of type vf. Where the port has one. */
  public readonly physicalInterface: StringAttribute;
  /** Link layer of the port. One of `ethernet`, `infiniband`. Where the kernel tells it. */
  public readonly linkType: StringAttribute;
  /** Speed of the port's link in Mbit/s. Example: `100000`. Where the port had a link since the agent started. */
  public readonly speedMbps: IntAttribute;
  /** Whether it has an RDMA device. Example: `true`. */
  public readonly rdma: BoolAttribute;
  /** Kernel driver. Example: `mlx5_core`. Where one is bound to the port. */
  public readonly kernelDriver: StringAttribute;
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
  /** Bits per second. Example: `100G`. Only on devices of type sharedPort. */
  public readonly bandwidth: DeviceCapacity;
  /** Claims that may have a share at once. Example: `8`. Only on devices of type sharedPort. */
  public readonly shares: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('agent-nic', options);
    this.deviceType = this._text('nic.cdk8s-dra.dev', 'type');
    this.physicalFunction = this._text('nic.cdk8s-dra.dev', 'physicalFunction');
    this.vfIndex = this._whole('nic.cdk8s-dra.dev', 'vfIndex');
    this.interfaceName = this._text('nic.cdk8s-dra.dev', 'interface');
    this.physicalInterface = this._text('nic.cdk8s-dra.dev', 'physicalInterface');
    this.linkType = this._text('nic.cdk8s-dra.dev', 'linkType');
    this.speedMbps = this._whole('nic.cdk8s-dra.dev', 'speedMbps');
    this.rdma = this._flag('nic.cdk8s-dra.dev', 'rdma');
    this.kernelDriver = this._text('nic.cdk8s-dra.dev', 'kernelDriver');
    this.pciVendor = this._text('nic.cdk8s-dra.dev', 'pciVendor');
    this.pciDevice = this._text('nic.cdk8s-dra.dev', 'pciDevice');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.numaNode = this._whole('resource.kubernetes.io', 'numaNode');
    this.bandwidth = this._amount('nic.cdk8s-dra.dev', 'bandwidth');
    this.shares = this._amount('nic.cdk8s-dra.dev', 'shares');
  }
}

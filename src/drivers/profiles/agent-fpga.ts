// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `fpga.cdk8s-dra.dev` of the node agent of this project publishes them. */
export class AgentFpga extends KnownDriver {
  /** How the kernel shows it. One of `dfl`, `manager`, `xrt`. */
  public readonly deviceType: StringAttribute;
  /** Shell: the interface id of a DFL card, the VBNV name of an XRT card, the name of an FPGA manager. Example: `ce48969398f05f33946d560708be108a`. Where the kernel tells it. */
  public readonly shellId: StringAttribute;
  /** Version of the shell. Example: `1.2.3`. Only on devices of type dfl, xrt. Where the shell tells it. */
  public readonly shellVersion: VersionAttribute;
  /** Whether claims can name an image; attributes image_<id> say which. Example: `true`. */
  public readonly programmable: BoolAttribute;
  /** Function: AFU id of a DFL port, UUID of an xclbin. Example: `f7df405cbd7acf7222f144b0b93acd18`. Only on devices of type dfl, xrt. Of fixed functions; of a programmable one it would tell what the last tenant had. */
  public readonly functionId: StringAttribute;
  /** Bitstream id of the shell. Example: `0x23000410010310`. Only on devices of type dfl. Where the card tells it. */
  public readonly bitstreamId: StringAttribute;
  /** Number of the port on its card. Example: `0`. Only on devices of type dfl. */
  public readonly port: StringAttribute;
  /** Interface UUID of the shell. Example: `937ed70867cf3350bc06304053f8ee2e`. Only on devices of type xrt. Where the shell tells it. */
  public readonly interfaceId: StringAttribute;
  /** Serial number of the card. Example: `213505084001`. Only on devices of type xrt. Where the card tells it. */
  public readonly serialNumber: StringAttribute;
  /** When the shell was built. Example: `0x5e8f1a2b`. Only on devices of type xrt. Where the shell tells it. */
  public readonly timestamp: StringAttribute;
  /** PCI vendor id. Example: `10de`. Not of FPGAs without a PCI function. */
  public readonly pciVendor: StringAttribute;
  /** PCI device id. Example: `2330`. Not of FPGAs without a PCI function. */
  public readonly pciDevice: StringAttribute;
  /** PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits. Example: `0000:01:00.0`. Not in PCI domains of more than four digits. */
  public readonly pciBusID: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Not where the device hangs on no PCIe root. */
  public readonly pcieRoot: StringAttribute;
  /** NUMA node that the device is local to. Not published where the firmware names none (-1). Example: `0`. Not where the firmware names no node. */
  public readonly numaNode: IntAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('agent-fpga', options);
    this.deviceType = this._text('fpga.cdk8s-dra.dev', 'type');
    this.shellId = this._text('fpga.cdk8s-dra.dev', 'shellId');
    this.shellVersion = this._version('fpga.cdk8s-dra.dev', 'shellVersion');
    this.programmable = this._flag('fpga.cdk8s-dra.dev', 'programmable');
    this.functionId = this._text('fpga.cdk8s-dra.dev', 'functionId');
    this.bitstreamId = this._text('fpga.cdk8s-dra.dev', 'bitstreamId');
    this.port = this._text('fpga.cdk8s-dra.dev', 'port');
    this.interfaceId = this._text('fpga.cdk8s-dra.dev', 'interfaceId');
    this.serialNumber = this._text('fpga.cdk8s-dra.dev', 'serialNumber');
    this.timestamp = this._text('fpga.cdk8s-dra.dev', 'timestamp');
    this.pciVendor = this._text('fpga.cdk8s-dra.dev', 'pciVendor');
    this.pciDevice = this._text('fpga.cdk8s-dra.dev', 'pciDevice');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.numaNode = this._whole('resource.kubernetes.io', 'numaNode');
  }
}

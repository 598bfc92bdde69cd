// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `sriovnetwork.k8snetworkplumbingwg.io` of k8snetworkplumbingwg/dra-driver-sriov publishes them. */
export class Sriov extends KnownDriver {
  /** PCI vendor id of the physical function. Example: `15b3`. */
  public readonly vendor: StringAttribute;
  /** PCI device id of the virtual function. Example: `101e`. */
  public readonly deviceID: StringAttribute;
  /** PCI device id of the physical function. Example: `1021`. */
  public readonly pfDeviceID: StringAttribute;
  /** PCI address of the virtual function. Example: `0000:08:00.2`. */
  public readonly pciAddress: StringAttribute;
  /** PCI address of the physical function. Example: `0000:08:00.0`. */
  public readonly pfPciAddress: StringAttribute;
  /** Interface name of the physical function. Example: `ens1f0np0`. */
  public readonly pFName: StringAttribute;
  /** Mode of the card's switch as devlink reports it; legacy where it does not. Example: `switchdev`. */
  public readonly eswitchMode: StringAttribute;
  /** Number of the virtual function on its physical function. Example: `0`. */
  public readonly vfID: IntAttribute;
  /** Link layer. One of `ethernet`, `infiniband`, `unknown`. */
  public readonly linkType: StringAttribute;
  /** Whether the virtual function has an RDMA device. Example: `true`. */
  public readonly rdmaCapable: BoolAttribute;
  /** Name that an administrator gives a group of functions; the successor of the plugin's resource pools. Example: `port1-vfs`. Only where a DeviceAttributes object sets it. */
  public readonly resourceName: StringAttribute;
  /** PCI address of the virtual function, for Multus. Example: `0000:08:00.2`. */
  public readonly k8sDeviceID: StringAttribute;
  /** Resource name that a network attachment definition refers to, for Multus. Example: `example.com/port1`. Only where a DeviceAttributes object sets it. */
  public readonly k8sResourceName: StringAttribute;
  /** NUMA node under the name that DRANET uses; -1 where there is none. Example: `0`. */
  public readonly numaNode: IntAttribute;
  /** PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits. Example: `0000:01:00.0`. */
  public readonly pciBusID: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. */
  public readonly pcieRoot: StringAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('sriov', options);
    this.vendor = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'vendor');
    this.deviceID = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'deviceID');
    this.pfDeviceID = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'pfDeviceID');
    this.pciAddress = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'pciAddress');
    this.pfPciAddress = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'pfPciAddress');
    this.pFName = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'PFName');
    this.eswitchMode = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'EswitchMode');
    this.vfID = this._whole('sriovnetwork.k8snetworkplumbingwg.io', 'vfID');
    this.linkType = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'linkType');
    this.rdmaCapable = this._flag('sriovnetwork.k8snetworkplumbingwg.io', 'rdmaCapable');
    this.resourceName = this._text('sriovnetwork.k8snetworkplumbingwg.io', 'resourceName');
    this.k8sDeviceID = this._text('k8s.cni.cncf.io', 'deviceID');
    this.k8sResourceName = this._text('k8s.cni.cncf.io', 'resourceName');
    this.numaNode = this._whole('dra.net', 'numaNode');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
  }
}

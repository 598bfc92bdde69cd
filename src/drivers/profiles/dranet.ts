// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute } from '../../dra/device-attribute';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `dra.net` of kubernetes-sigs/dranet publishes them. */
export class Dranet extends KnownDriver {
  /** Name of the interface on the host. Example: `eth1`. Only on devices of type interface. */
  public readonly ifName: StringAttribute;
  /** MAC address. Example: `02:42:ac:11:00:02`. Only on devices of type interface. */
  public readonly mac: StringAttribute;
  /** MTU on the host. Example: `1500`. Only on devices of type interface. */
  public readonly mtu: IntAttribute;
  /** Link layer that the kernel reports. Example: `ether`. Only on devices of type interface. */
  public readonly encapsulation: StringAttribute;
  /** Alias of the interface; may be empty. Example: ``. Only on devices of type interface. */
  public readonly alias: StringAttribute;
  /** Operational state when the slice was written. One of `dormant`, `down`, `lower-layer-down`, `not-present`, `testing`, `unknown`, `up`. Only on devices of type interface. */
  public readonly state: StringAttribute;
  /** Sort of interface in the terms of netlink. Example: `device`. Only on devices of type interface. */
  public readonly deviceType: StringAttribute;
  /** Global addresses with prefix length, comma separated, cut to 64 bytes. Example: `192.0.2.10/24`. Only on devices of type interface. Missing without a global address. */
  public readonly ipv4: StringAttribute;
  /** Global addresses with prefix length, comma separated, cut to 64 bytes. Example: `2001:db8::10/64`. Only on devices of type interface. Missing without a global address. */
  public readonly ipv6: StringAttribute;
  /** Whether TC or TCX programs are attached. Example: `false`. Only on devices of type interface. */
  public readonly ebpf: BoolAttribute;
  /** Names of the TC filters, comma separated. Example: `cil_from_netdev`. Only on devices of type interface. Missing without TC filters. */
  public readonly tcFilterNames: StringAttribute;
  /** Names of the TCX programs, comma separated. Example: `handle_ingress`. Only on devices of type interface. Missing without TCX programs. */
  public readonly tcxProgramNames: StringAttribute;
  /** Whether the interface can have virtual functions. Example: `true`. Only on devices of type interface. */
  public readonly sriov: BoolAttribute;
  /** Number of virtual functions that exist. Example: `8`. Only on devices of type interface. Missing where sriov is false. */
  public readonly sriovVfs: IntAttribute;
  /** The interface is a virtual function. Example: `true`. Only on devices of type interface. Only on virtual functions, where it is true. */
  public readonly isSriovVf: BoolAttribute;
  /** Whether the interface has no hardware of its own. Example: `false`. Only on devices of type interface. */
  public readonly isVirtual: BoolAttribute;
  /** Whether the device can do RDMA. Example: `true`. */
  public readonly rdma: BoolAttribute;
  /** Name of the RDMA device. Example: `mlx5_0`. Missing where rdma is false. */
  public readonly rdmaDevice: StringAttribute;
  /** PCI address. Example: `0000:8a:00.0`. Missing on devices without a PCI address. */
  public readonly pciAddress: StringAttribute;
  /** Vendor name from the PCI data base. Example: `Mellanox Technologies`. Missing on devices without a PCI address. */
  public readonly pciVendor: StringAttribute;
  /** Product name from the PCI data base. Example: `MT2910 Family [ConnectX-7]`. Missing on devices without a PCI address. */
  public readonly pciDevice: StringAttribute;
  /** PCI subsystem id. Example: `0040`. Missing on devices without a PCI address. */
  public readonly pciSubsystem: StringAttribute;
  /** NUMA node, the driver's own name for it. Example: `0`. Missing on devices without a PCI address. */
  public readonly numaNode: IntAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Missing on devices without a PCI address. */
  public readonly pcieRoot: StringAttribute;
  /** NUMA node that the device is local to. Not published where the firmware names none (-1). Example: `0`. Missing without a PCI address or NUMA node. From driver version 1.5. */
  public readonly standardNumaNode: IntAttribute;
  /** Block of the data centre, the widest of three levels. Example: `b1f2`. Only on Google Compute Engine, where its metadata have it. */
  public readonly block: StringAttribute;
  /** Part of the block, the middle level. Example: `c3d4`. Only on Google Compute Engine, where its metadata have it. */
  public readonly subBlock: StringAttribute;
  /** Physical machine, the narrowest level. Example: `e5f6`. Only on Google Compute Engine, where its metadata have it. */
  public readonly host: StringAttribute;
  /** Name of the VPC network that the interface is in. Example: `gpu-net-1`. Only on Google Compute Engine, where its metadata have it. */
  public readonly networkName: StringAttribute;
  /** Number of the project that owns the network. Example: `123456789`. Only on Google Compute Engine, where its metadata have it. */
  public readonly networkProjectNumber: IntAttribute;
  /** Alias ranges of the interface, comma separated. Example: `10.0.0.0/24`. Only on Google Compute Engine, where its metadata have it. */
  public readonly ipAliases: StringAttribute;
  /** Machine type. Example: `a3-highgpu-8g`. Only on Google Compute Engine, where its metadata have it. */
  public readonly machineType: StringAttribute;
  /** Placement group of the machine. Example: `e4b1c7e2`. Only on Azure, where its metadata have it. */
  public readonly placementGroupId: StringAttribute;
  /** Size of the machine. Example: `Standard_ND96isr_H100_v5`. Only on Azure, where its metadata have it. */
  public readonly vmSize: StringAttribute;
  /** Group of machines with a common interconnect. Example: `7f3a`. Only on Azure, where its metadata have it. */
  public readonly interconnectGroupId: StringAttribute;
  /** Part of that group. Example: `7f3a-2`. Only on Azure, where its metadata have it. */
  public readonly interconnectSubgroupId: StringAttribute;
  /** HPC island, the widest level. Example: `ocid1.hpcisland.example`. Only on Oracle Kubernetes Engine, where its metadata have it. */
  public readonly hpcIslandId: StringAttribute;
  /** Network block. Example: `ocid1.networkblock.example`. Only on Oracle Kubernetes Engine, where its metadata have it. */
  public readonly networkBlockId: StringAttribute;
  /** Local block. Example: `ocid1.localblock.example`. Only on Oracle Kubernetes Engine, where its metadata have it. */
  public readonly localBlockId: StringAttribute;
  /** Rack, the narrowest level. Example: `ocid1.rack.example`. Only on Oracle Kubernetes Engine, where its metadata have it. */
  public readonly rackId: StringAttribute;
  /** NVLink fabric of the machine. Example: `ocid1.fabric.example`. Only on Oracle Kubernetes Engine, where its metadata have it. */
  public readonly gpuMemoryFabricId: StringAttribute;
  /** Instance type. Example: `ecs.gn8v.6xlarge`. Only on Alibaba Cloud, where its metadata have it. */
  public readonly instanceType: StringAttribute;
  /** Whether the interface does eRDMA. Example: `true`. Only on Alibaba Cloud, where its metadata have it. */
  public readonly erdma: BoolAttribute;

  public constructor(options: DriverProfileOptions = {}) {
    super('dranet', options);
    this.ifName = this._text('dra.net', 'ifName');
    this.mac = this._text('dra.net', 'mac');
    this.mtu = this._whole('dra.net', 'mtu');
    this.encapsulation = this._text('dra.net', 'encapsulation');
    this.alias = this._text('dra.net', 'alias');
    this.state = this._text('dra.net', 'state');
    this.deviceType = this._text('dra.net', 'type');
    this.ipv4 = this._text('dra.net', 'ipv4');
    this.ipv6 = this._text('dra.net', 'ipv6');
    this.ebpf = this._flag('dra.net', 'ebpf');
    this.tcFilterNames = this._text('dra.net', 'tcFilterNames');
    this.tcxProgramNames = this._text('dra.net', 'tcxProgramNames');
    this.sriov = this._flag('dra.net', 'sriov');
    this.sriovVfs = this._whole('dra.net', 'sriovVfs');
    this.isSriovVf = this._flag('dra.net', 'isSriovVf');
    this.isVirtual = this._flag('dra.net', 'virtual');
    this.rdma = this._flag('dra.net', 'rdma');
    this.rdmaDevice = this._text('dra.net', 'rdmaDevice');
    this.pciAddress = this._text('dra.net', 'pciAddress');
    this.pciVendor = this._text('dra.net', 'pciVendor');
    this.pciDevice = this._text('dra.net', 'pciDevice');
    this.pciSubsystem = this._text('dra.net', 'pciSubsystem');
    this.numaNode = this._whole('dra.net', 'numaNode');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.standardNumaNode = this._whole('resource.kubernetes.io', 'numaNode');
    this.block = this._text('gce.dra.net', 'block');
    this.subBlock = this._text('gce.dra.net', 'subBlock');
    this.host = this._text('gce.dra.net', 'host');
    this.networkName = this._text('gce.dra.net', 'networkName');
    this.networkProjectNumber = this._whole('gce.dra.net', 'networkProjectNumber');
    this.ipAliases = this._text('gce.dra.net', 'ipAliases');
    this.machineType = this._text('gce.dra.net', 'machineType');
    this.placementGroupId = this._text('azure.dra.net', 'placementGroupId');
    this.vmSize = this._text('azure.dra.net', 'vmSize');
    this.interconnectGroupId = this._text('azure.dra.net', 'interconnectGroupId');
    this.interconnectSubgroupId = this._text('azure.dra.net', 'interconnectSubgroupId');
    this.hpcIslandId = this._text('oke.dra.net', 'hpcIslandId');
    this.networkBlockId = this._text('oke.dra.net', 'networkBlockId');
    this.localBlockId = this._text('oke.dra.net', 'localBlockId');
    this.rackId = this._text('oke.dra.net', 'rackId');
    this.gpuMemoryFabricId = this._text('oke.dra.net', 'gpuMemoryFabricId');
    this.instanceType = this._text('alibaba.dra.net', 'instanceType');
    this.erdma = this._flag('alibaba.dra.net', 'erdma');
  }
}

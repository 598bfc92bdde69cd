// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, StringAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gpu.intel.com` of intel/intel-resource-drivers-for-kubernetes publishes them. */
export class IntelGpu extends KnownDriver {
  /** Product name; Unknown where the driver does not list it. Example: `A770`. */
  public readonly model: StringAttribute;
  /** Product family. One of `Arc A-Series`, `Arc B-Series`, `Arc Pro A-Series`, `Arc Pro B-Series`, `Data Center Flex`, `Data Center Max`, `Intel Graphics`, `Iris Xe`, `Unknown`. */
  public readonly familyName: StringAttribute;
  /** Kernel driver that is bound now; empty for none. One of ``, `i915`, `vfio-pci`, `xe`, `xe-vfio-pci`. */
  public readonly driver: StringAttribute;
  /** Whether the GPU can have virtual functions. Example: `true`. */
  public readonly sriov: BoolAttribute;
  /** GPU or virtual function. One of `gpu`, `vf`. */
  public readonly deviceType: StringAttribute;
  /** PCI device id. Example: `0x56a0`. */
  public readonly pciId: StringAttribute;
  /** Health as xpumd reports it. One of `Healthy`, `Unhealthy`, `Unknown`. */
  public readonly health: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. */
  public readonly pcieRoot: StringAttribute;
  /** PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits. Example: `0000:01:00.0`. */
  public readonly pciBusID: StringAttribute;
  /** Local memory in whole Mi. Example: `16288Mi`. */
  public readonly memory: DeviceCapacity;
  /** Always 1000; nothing divides it. Example: `1k`. */
  public readonly millicores: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('intel-gpu', options);
    this.model = this._text('gpu.intel.com', 'model');
    this.familyName = this._text('gpu.intel.com', 'family');
    this.driver = this._text('gpu.intel.com', 'driver');
    this.sriov = this._flag('gpu.intel.com', 'sriov');
    this.deviceType = this._text('gpu.intel.com', 'type');
    this.pciId = this._text('gpu.intel.com', 'pciId');
    this.health = this._text('gpu.intel.com', 'health');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.memory = this._amount('gpu.intel.com', 'memory');
    this.millicores = this._amount('gpu.intel.com', 'millicores');
  }
}

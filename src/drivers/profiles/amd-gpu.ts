// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gpu.amd.com` of ROCm/k8s-gpu-dra-driver publishes them. */
export class AmdGpu extends KnownDriver {
  /** Whole GPU or partition. One of `amdgpu`, `amdgpu-partition`. */
  public readonly deviceType: StringAttribute;
  /** PCI address. Example: `0000:01:00.0`. Only on devices of type amdgpu. */
  public readonly pciAddr: StringAttribute;
  /** PCI address of the GPU that the partition is part of. Example: `0000:01:00.0`. Only on devices of type amdgpu-partition. */
  public readonly parentPciAddr: StringAttribute;
  /** Identity of the GPU from sysfs. Example: `0x74a1`. Only on devices of type amdgpu. */
  public readonly deviceID: StringAttribute;
  /** The `deviceID` of the parent; match it for partitions of one GPU. Example: `0x74a1`. Only on devices of type amdgpu-partition. */
  public readonly parentDeviceID: StringAttribute;
  /** Number of the DRM card. Example: `1`. */
  public readonly cardIndex: IntAttribute;
  /** Number of the DRM render node. Example: `128`. */
  public readonly renderIndex: IntAttribute;
  /** Family name of the kernel driver. One of `AI`, `CI`, `CZ`, `KV`, `NV`, `RV`, `SI`, `VI`. Empty where the kernel's number is not known. */
  public readonly familyName: StringAttribute;
  /** Product name. Example: `AMD_Instinct_MI300X_OAM`. */
  public readonly productName: StringAttribute;
  /** Version of the kernel driver. Example: `6.10.5`. */
  public readonly driverVersion: VersionAttribute;
  /** Hash of the kernel driver's source. Example: `08BD4A3B5F5C0E2B9E1D0F6`. */
  public readonly driverSrcVersion: StringAttribute;
  /** Compute and memory partitioning, in lower case. Example: `spx_nps1`. */
  public readonly partitionProfile: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Missing where sysfs does not show it. */
  public readonly pcieRoot: StringAttribute;
  /** VRAM in bytes; a guess where it cannot be read. Example: `192Gi`. */
  public readonly memory: DeviceCapacity;
  /** Compute units. Example: `304`. */
  public readonly computeUnits: DeviceCapacity;
  /** SIMD units. Example: `1216`. */
  public readonly simdUnits: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('amd-gpu', options);
    this.deviceType = this._text('gpu.amd.com', 'type');
    this.pciAddr = this._text('gpu.amd.com', 'pciAddr');
    this.parentPciAddr = this._text('gpu.amd.com', 'parentPciAddr');
    this.deviceID = this._text('gpu.amd.com', 'deviceID');
    this.parentDeviceID = this._text('gpu.amd.com', 'parentDeviceID');
    this.cardIndex = this._whole('gpu.amd.com', 'cardIndex');
    this.renderIndex = this._whole('gpu.amd.com', 'renderIndex');
    this.familyName = this._text('gpu.amd.com', 'family');
    this.productName = this._text('gpu.amd.com', 'productName');
    this.driverVersion = this._version('gpu.amd.com', 'driverVersion');
    this.driverSrcVersion = this._text('gpu.amd.com', 'driverSrcVersion');
    this.partitionProfile = this._text('gpu.amd.com', 'partitionProfile');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.memory = this._amount('gpu.amd.com', 'memory');
    this.computeUnits = this._amount('gpu.amd.com', 'computeUnits');
    this.simdUnits = this._amount('gpu.amd.com', 'simdUnits');
  }
}

// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import type { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from '../../dra/device-attribute';
import type { DeviceCapacity } from '../../dra/device-capacity';
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `gpu.nvidia.com` of kubernetes-sigs/dra-driver-nvidia-gpu publishes them. */
export class NvidiaGpu extends KnownDriver {
  /** What the device is: a whole GPU, a MIG device, or a GPU for pass-through to a virtual machine. One of `gpu`, `mig`, `vfio`. */
  public readonly deviceType: StringAttribute;
  /** Identity that the kernel driver gives the device; the same after a reboot. Example: `GPU-7b968a6d-c8aa-45e1-9e07-e1e51be99c31`. Missing on MIG devices with DynamicMIG, which exist only once they are prepared. */
  public readonly uuid: StringAttribute;
  /** Name of the product as the kernel driver reports it. Example: `NVIDIA A100-SXM4-40GB`. */
  public readonly productName: StringAttribute;
  /** Product line as the kernel driver reports it. One of `GeForce`, `GeForceRTX`, `Grid`, `NVS`, `Nvidia`, `NvidiaCloudGaming`, `NvidiaRTX`, `NvidiaVApps`, `NvidiaVCS`, `NvidiaVPC`, `NvidiaVWS`, `Quadro`, `QuadroRTX`, `Tesla`, `Titan`, `TitanRTX`, `Unknown`. Only on devices of type gpu, mig. */
  public readonly brand: StringAttribute;
  /** Generation of the GPU. One of `Ada Lovelace`, `Ampere`, `Blackwell`, `Hopper`, `Kepler`, `Maxwell`, `Pascal`, `Rubin`, `Turing`, `Unknown`, `Volta`. Only on devices of type gpu, mig. */
  public readonly architecture: StringAttribute;
  /** CUDA compute capability. Example: `9.0.0`. Only on devices of type gpu, mig. */
  public readonly cudaComputeCapability: VersionAttribute;
  /** Version of the kernel driver on the node. Example: `550.107.2`. Only on devices of type gpu, mig. */
  public readonly driverVersion: VersionAttribute;
  /** Newest CUDA version that the kernel driver supports. Example: `12.4.0`. Only on devices of type gpu, mig. */
  public readonly cudaDriverVersion: VersionAttribute;
  /** How CPU and GPU share addresses: page tables of the CPU (ATS), heterogeneous memory (HMM), or not in use (None). One of `ATS`, `HMM`, `None`. Only on devices of type gpu, mig. Missing where the platform supports none. From driver version 0.3. */
  public readonly addressingMode: StringAttribute;
  /** The `uuid` of the GPU that the MIG device is part of. Example: `GPU-7b968a6d-c8aa-45e1-9e07-e1e51be99c31`. Only on devices of type mig. */
  public readonly parentUUID: StringAttribute;
  /** MIG profile: compute slices and memory. Example: `1g.5gb`. Only on devices of type mig. */
  public readonly profile: StringAttribute;
  /** PCI device id. Example: `0x20b0`. Only on devices of type vfio. From driver version 0.3. */
  public readonly deviceID: StringAttribute;
  /** PCI vendor id. Example: `0x10de`. Only on devices of type vfio. From driver version 0.3. */
  public readonly vendorID: StringAttribute;
  /** Whether the host offers iommufd. Example: `true`. Only on devices of type vfio. From driver version 0.4. */
  public readonly iommuFDEnabled: BoolAttribute;
  /** Number of the GPU module in the NVSwitch fabric. Example: `3`. Only on devices of type gpu, vfio. Missing where the fabric manager reports none. From driver version 0.5. Needs the driver's feature gate FabricManagerPartitioning. */
  public readonly gpuModuleID: IntAttribute;
  /** NVSwitch partition of 1 GPU that this GPU belongs to; match it over the 1 devices of a claim. Example: `5`. Only on devices of type gpu, vfio. Only for the sizes that the fabric manager offers. From driver version 0.5. Needs the driver's feature gate FabricManagerPartitioning. */
  public readonly partition1: IntAttribute;
  /** NVSwitch partition of 2 GPUs that this GPU belongs to; match it over the 2 devices of a claim. Example: `5`. Only on devices of type gpu, vfio. Only for the sizes that the fabric manager offers. From driver version 0.5. Needs the driver's feature gate FabricManagerPartitioning. */
  public readonly partition2: IntAttribute;
  /** NVSwitch partition of 4 GPUs that this GPU belongs to; match it over the 4 devices of a claim. Example: `5`. Only on devices of type gpu, vfio. Only for the sizes that the fabric manager offers. From driver version 0.5. Needs the driver's feature gate FabricManagerPartitioning. */
  public readonly partition4: IntAttribute;
  /** NVSwitch partition of 8 GPUs that this GPU belongs to; match it over the 8 devices of a claim. Example: `5`. Only on devices of type gpu, vfio. Only for the sizes that the fabric manager offers. From driver version 0.5. Needs the driver's feature gate FabricManagerPartitioning. */
  public readonly partition8: IntAttribute;
  /** PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits. Example: `0000:01:00.0`. From driver version 0.3. */
  public readonly pciBusID: StringAttribute;
  /** PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU. Example: `pci0000:01`. Missing where sysfs does not show it. */
  public readonly pcieRoot: StringAttribute;
  /** NUMA node that the device is local to. Not published where the firmware names none (-1). Example: `0`. Missing where the firmware names no node. From driver version 0.5. */
  public readonly numaNode: IntAttribute;
  /** Memory of the device in bytes. Claims can take a part of it only with consumable shares. Example: `40Gi`. Only on devices of type gpu, mig. */
  public readonly memory: DeviceCapacity;
  /** Number of claims that may hold the device at once; only with a number as chart value consumableShares. Example: `10`. Only on devices of type gpu, mig. From driver version 0.5. Needs the driver's feature gate ConsumableShares. */
  public readonly shares: DeviceCapacity;
  /** Memory that the GPU makes visible on the PCI bus. Example: `64Gi`. Only on devices of type vfio. From driver version 0.3. */
  public readonly addressableMemory: DeviceCapacity;
  /** Streaming multiprocessors of the MIG profile. On whole GPUs only with DynamicMIG. Example: `14`. Only on devices of type gpu, mig. */
  public readonly multiprocessors: DeviceCapacity;
  /** Copy engines of the MIG profile. On whole GPUs only with DynamicMIG. Example: `1`. Only on devices of type gpu, mig. */
  public readonly copyEngines: DeviceCapacity;
  /** Video decoders of the MIG profile. On whole GPUs only with DynamicMIG. Example: `1`. Only on devices of type gpu, mig. */
  public readonly decoders: DeviceCapacity;
  /** Video encoders of the MIG profile. On whole GPUs only with DynamicMIG. Example: `1`. Only on devices of type gpu, mig. */
  public readonly encoders: DeviceCapacity;
  /** JPEG engines of the MIG profile. On whole GPUs only with DynamicMIG. Example: `1`. Only on devices of type gpu, mig. */
  public readonly jpegEngines: DeviceCapacity;
  /** Optical flow engines of the MIG profile. On whole GPUs only with DynamicMIG. Example: `1`. Only on devices of type gpu, mig. */
  public readonly ofaEngines: DeviceCapacity;
  /** Memory slice 0 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice0: DeviceCapacity;
  /** Memory slice 1 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice1: DeviceCapacity;
  /** Memory slice 2 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice2: DeviceCapacity;
  /** Memory slice 3 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice3: DeviceCapacity;
  /** Memory slice 4 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice4: DeviceCapacity;
  /** Memory slice 5 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice5: DeviceCapacity;
  /** Memory slice 6 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice6: DeviceCapacity;
  /** Memory slice 7 of the parent GPU is part of the device. Not with DynamicMIG. Example: `1`. Only on devices of type mig. */
  public readonly memorySlice7: DeviceCapacity;

  public constructor(options: DriverProfileOptions = {}) {
    super('nvidia-gpu', options);
    this.deviceType = this._text('gpu.nvidia.com', 'type');
    this.uuid = this._text('gpu.nvidia.com', 'uuid');
    this.productName = this._text('gpu.nvidia.com', 'productName');
    this.brand = this._text('gpu.nvidia.com', 'brand');
    this.architecture = this._text('gpu.nvidia.com', 'architecture');
    this.cudaComputeCapability = this._version('gpu.nvidia.com', 'cudaComputeCapability');
    this.driverVersion = this._version('gpu.nvidia.com', 'driverVersion');
    this.cudaDriverVersion = this._version('gpu.nvidia.com', 'cudaDriverVersion');
    this.addressingMode = this._text('gpu.nvidia.com', 'addressingMode');
    this.parentUUID = this._text('gpu.nvidia.com', 'parentUUID');
    this.profile = this._text('gpu.nvidia.com', 'profile');
    this.deviceID = this._text('gpu.nvidia.com', 'deviceID');
    this.vendorID = this._text('gpu.nvidia.com', 'vendorID');
    this.iommuFDEnabled = this._flag('gpu.nvidia.com', 'iommuFDEnabled');
    this.gpuModuleID = this._whole('gpu.nvidia.com', 'gpuModuleID');
    this.partition1 = this._whole('gpu.nvidia.com', 'partition1');
    this.partition2 = this._whole('gpu.nvidia.com', 'partition2');
    this.partition4 = this._whole('gpu.nvidia.com', 'partition4');
    this.partition8 = this._whole('gpu.nvidia.com', 'partition8');
    this.pciBusID = this._text('resource.kubernetes.io', 'pciBusID');
    this.pcieRoot = this._text('resource.kubernetes.io', 'pcieRoot');
    this.numaNode = this._whole('resource.kubernetes.io', 'numaNode');
    this.memory = this._amount('gpu.nvidia.com', 'memory');
    this.shares = this._amount('gpu.nvidia.com', 'shares');
    this.addressableMemory = this._amount('gpu.nvidia.com', 'addressableMemory');
    this.multiprocessors = this._amount('gpu.nvidia.com', 'multiprocessors');
    this.copyEngines = this._amount('gpu.nvidia.com', 'copyEngines');
    this.decoders = this._amount('gpu.nvidia.com', 'decoders');
    this.encoders = this._amount('gpu.nvidia.com', 'encoders');
    this.jpegEngines = this._amount('gpu.nvidia.com', 'jpegEngines');
    this.ofaEngines = this._amount('gpu.nvidia.com', 'ofaEngines');
    this.memorySlice0 = this._amount('gpu.nvidia.com', 'memorySlice0');
    this.memorySlice1 = this._amount('gpu.nvidia.com', 'memorySlice1');
    this.memorySlice2 = this._amount('gpu.nvidia.com', 'memorySlice2');
    this.memorySlice3 = this._amount('gpu.nvidia.com', 'memorySlice3');
    this.memorySlice4 = this._amount('gpu.nvidia.com', 'memorySlice4');
    this.memorySlice5 = this._amount('gpu.nvidia.com', 'memorySlice5');
    this.memorySlice6 = this._amount('gpu.nvidia.com', 'memorySlice6');
    this.memorySlice7 = this._amount('gpu.nvidia.com', 'memorySlice7');
  }
}

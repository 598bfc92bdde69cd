import type { AttributeFact, CapacityFact } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';

const GPU_AND_MIG = ['gpu', 'mig'];

/** Attributes of GPUs, MIG devices and pass-through GPUs. */
export const NVIDIA_GPU_ATTRIBUTES: readonly AttributeFact[] = [
  {
    id: 'type',
    type: 'string',
    values: ['gpu', 'mig', 'vfio'],
    description: 'What the device is: a whole GPU, a MIG device, or a GPU for pass-through to a virtual machine.',
    example: 'gpu',
  },
  {
    id: 'uuid',
    type: 'string',
    sometimes: 'Missing on MIG devices with DynamicMIG, which exist only once they are prepared.',
    description: 'Identity that the kernel driver gives the device; the same after a reboot.',
    example: 'GPU-7b968a6d-c8aa-45e1-9e07-e1e51be99c31',
  },
  { id: 'productName', type: 'string', description: 'Name of the product as the kernel driver reports it.', example: 'NVIDIA A100-SXM4-40GB' },
  {
    id: 'brand',
    type: 'string',
    devices: GPU_AND_MIG,
    values: [
      'GeForce', 'GeForceRTX', 'Grid', 'NVS', 'Nvidia', 'NvidiaCloudGaming', 'NvidiaRTX', 'NvidiaVApps', 'NvidiaVCS', 'NvidiaVPC',
      'NvidiaVWS', 'Quadro', 'QuadroRTX', 'Tesla', 'Titan', 'TitanRTX', 'Unknown',
    ],
    description: 'Product line as the kernel driver reports it.',
    example: 'Tesla',
  },
  {
    id: 'architecture',
    type: 'string',
    devices: GPU_AND_MIG,
    values: ['Ada Lovelace', 'Ampere', 'Blackwell', 'Hopper', 'Kepler', 'Maxwell', 'Pascal', 'Rubin', 'Turing', 'Unknown', 'Volta'],
    description: 'Generation of the GPU.',
    example: 'Hopper',
  },
  { id: 'cudaComputeCapability', type: 'version', devices: GPU_AND_MIG, description: 'CUDA compute capability.', example: '9.0.0' },
  { id: 'driverVersion', type: 'version', devices: GPU_AND_MIG, description: 'Version of the kernel driver on the node.', example: '550.107.2' },
  {
    id: 'cudaDriverVersion',
    type: 'version',
    devices: GPU_AND_MIG,
    description: 'Newest CUDA version that the kernel driver supports.',
    example: '12.4.0',
  },
  {
    id: 'addressingMode',
    type: 'string',
    devices: GPU_AND_MIG,
    values: ['ATS', 'HMM', 'None'],
    sometimes: 'Missing where the platform supports none.',
    versions: { from: '0.3' },
    description: 'How CPU and GPU share addresses: page tables of the CPU (ATS), heterogeneous memory (HMM), or not in use (None).',
    example: 'HMM',
  },
  {
    id: 'parentUUID',
    type: 'string',
    devices: ['mig'],
    description: 'The `uuid` of the GPU that the MIG device is part of.',
    example: 'GPU-7b968a6d-c8aa-45e1-9e07-e1e51be99c31',
  },
  { id: 'profile', type: 'string', devices: ['mig'], description: 'MIG profile: compute slices and memory.', example: '1g.5gb' },
  { id: 'deviceID', type: 'string', devices: ['vfio'], versions: { from: '0.3' }, description: 'PCI device id.', example: '0x20b0' },
  { id: 'vendorID', type: 'string', devices: ['vfio'], versions: { from: '0.3' }, description: 'PCI vendor id.', example: '0x10de' },
  {
    id: 'iommuFDEnabled',
    type: 'bool',
    devices: ['vfio'],
    versions: { from: '0.4' },
    description: 'Whether the host offers iommufd.',
    example: true,
  },
  {
    id: 'gpuModuleID',
    type: 'int',
    devices: ['gpu', 'vfio'],
    gate: 'FabricManagerPartitioning',
    versions: { from: '0.5' },
    sometimes: 'Missing where the fabric manager reports none.',
    description: 'Number of the GPU module in the NVSwitch fabric.',
    example: 3,
  },
  ...[1, 2, 4, 8].map((size): AttributeFact => ({
    id: `partition${size}`,
    type: 'int',
    devices: ['gpu', 'vfio'],
    gate: 'FabricManagerPartitioning',
    versions: { from: '0.5' },
    sometimes: 'Only for the sizes that the fabric manager offers.',
    description: `NVSwitch partition of ${size} GPU${size === 1 ? '' : 's'} that this GPU belongs to; match it over the ${size} devices of a claim.`,
    example: 5,
  })),
  {
    id: 'pcieBusID',
    type: 'string',
    devices: GPU_AND_MIG,
    versions: { before: '0.3' },
    description: 'PCI address; from 0.3 it is `resource.kubernetes.io/pciBusID`.',
    example: '0000:01:00.0',
  },
  { id: 'index', type: 'int', devices: GPU_AND_MIG, versions: { before: '0.2' }, description: 'Position of the GPU on the node.', example: 0 },
  { id: 'minor', type: 'int', devices: ['gpu'], versions: { before: '0.2' }, description: 'Minor number of the device file.', example: 0 },
  {
    id: 'parentIndex',
    type: 'int',
    devices: ['mig'],
    versions: { before: '0.2' },
    description: 'Position of the parent GPU on the node.',
    example: 0,
  },
  {
    id: 'numa',
    type: 'int',
    devices: ['vfio'],
    versions: { from: '0.3', before: '0.5' },
    description: 'NUMA node; from 0.5 it is `resource.kubernetes.io/numaNode`.',
    example: 0,
  },
  { ...STANDARD_ATTRIBUTES.pciBusID, versions: { from: '0.3' } },
  { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined, sometimes: 'Missing where sysfs does not show it.' },
  { ...STANDARD_ATTRIBUTES.numaNode, versions: { from: '0.5' }, sometimes: 'Missing where the firmware names no node.' },
];

const MIG_ENGINES: ReadonlyArray<readonly [id: string, words: string]> = [
  ['multiprocessors', 'Streaming multiprocessors'], ['copyEngines', 'Copy engines'], ['decoders', 'Video decoders'], ['encoders', 'Video encoders'],
  ['jpegEngines', 'JPEG engines'], ['ofaEngines', 'Optical flow engines'],
];

/** A100, H100 and B200 have eight memory slices; the driver writes one capacity for each slice that a MIG device covers. */
const MEMORY_SLICES = 8;

/** Capacities of GPUs, MIG devices and pass-through GPUs. */
export const NVIDIA_GPU_CAPACITIES: readonly CapacityFact[] = [
  {
    id: 'memory',
    unit: 'bytes',
    devices: GPU_AND_MIG,
    shared: true,
    description: 'Memory of the device in bytes. Claims can take a part of it only with consumable shares.',
    example: '40Gi',
  },
  {
    id: 'shares',
    devices: GPU_AND_MIG,
    shared: true,
    gate: 'ConsumableShares',
    versions: { from: '0.5' },
    description: 'Number of claims that may hold the device at once; only with a number as chart value consumableShares.',
    example: '10',
  },
  {
    id: 'addressableMemory',
    unit: 'bytes',
    devices: ['vfio'],
    versions: { from: '0.3' },
    description: 'Memory that the GPU makes visible on the PCI bus.',
    example: '64Gi',
  },
  ...MIG_ENGINES.map(([id, words]): CapacityFact => ({
    id,
    devices: GPU_AND_MIG,
    description: `${words} of the MIG profile. On whole GPUs only with DynamicMIG.`,
    example: id === 'multiprocessors' ? '14' : '1',
  })),
  ...Array.from({ length: MEMORY_SLICES }, (_, i): CapacityFact => ({
    id: `memorySlice${i}`,
    devices: ['mig'],
    description: `Memory slice ${i} of the parent GPU is part of the device. Not with DynamicMIG.`,
    example: '1',
  })),
];

import { agentConfigVersion, agentDriver, PCI_ATTRIBUTES } from './agent-driver';

/** The node agent as driver of GPUs of NVIDIA, AMD and Intel. */
export const AGENT_GPU = agentDriver('gpu', {
  source: 'driver/src/devices/gpu/',
  deviceTypes: [
    { id: 'gpu', deviceName: 'gpu-<PCI address with "-" for ":" and ".">', description: 'A whole GPU, or one that claims share.' },
    { id: 'partition', deviceName: 'gpu-<PCI address>-gi<n>-ci<n>, gpu-<PCI address>-p<n>', description: 'A MIG device of NVIDIA or a compute partition of AMD.' },
    { id: 'virtualFunction', deviceName: 'gpu-<PCI address>', description: 'A virtual function of an Intel GPU.' },
  ],
  attributes: [
    { id: 'type', type: 'string', values: ['gpu', 'partition', 'virtualFunction'], description: 'What the device is.', example: 'gpu' },
    { id: 'vendor', type: 'string', values: ['amd', 'intel', 'nvidia'], description: 'Maker of the GPU.', example: 'nvidia' },
    { id: 'productName', type: 'string', sometimes: 'Where the kernel driver tells it: not of Intel.', description: 'Product.', example: 'NVIDIA H100 80GB HBM3' },
    {
      id: 'uuid',
      type: 'string',
      sometimes: 'Not of Intel, and of AMD where the GPU has a unique id.',
      description: 'UUID of NVIDIA, unique id of AMD; the same for all partitions of a GPU.',
      example: 'GPU-5c1a4f6e-0d1b-7a2c-93e4-5f6a7b8c9d0e',
    },
    { id: 'driverVersion', type: 'version', sometimes: 'Where the kernel driver has a version of its own.', description: 'Version of the kernel driver.', example: '580.65.6' },
    { id: 'kernelDriver', type: 'string', sometimes: 'Of Intel.', values: ['i915', 'xe'], description: 'Kernel driver.', example: 'xe' },
    { id: 'integrated', type: 'bool', sometimes: 'Of Intel.', description: 'Whether it is a part of the processor.', example: false },
    {
      id: 'physicalFunction', type: 'string', devices: ['virtualFunction'], description: 'PCI address of the GPU that it is a function of.', example: '0000:03:00.0',
    },
    { id: 'profile', type: 'string', devices: ['partition'], sometimes: 'Of MIG devices that the settings describe.', description: 'MIG profile.', example: '1g.10gb' },
    { id: 'gpuInstance', type: 'int', devices: ['partition'], sometimes: 'Of MIG devices.', description: 'Number of the GPU instance.', example: 7 },
    { id: 'computeInstance', type: 'int', devices: ['partition'], sometimes: 'Of MIG devices.', description: 'Number of the compute instance.', example: 0 },
    { id: 'gfx', type: 'string', sometimes: 'Of AMD.', description: 'Instruction set.', example: 'gfx942' },
    { id: 'computeUnits', type: 'int', sometimes: 'Of AMD.', description: 'Number of compute units.', example: 304 },
    { id: 'xgmiHive', type: 'string', sometimes: 'Of AMD, where GPUs are linked by XGMI.', description: 'Hive of linked GPUs.', example: '0x1f2e3d4c5b6a7988' },
    { id: 'computePartition', type: 'string', sometimes: 'Of AMD, where the GPU can be partitioned.', description: 'Compute partition mode.', example: 'spx' },
    { id: 'memoryPartition', type: 'string', sometimes: 'Of AMD, where the GPU can be partitioned.', description: 'Memory partition mode.', example: 'nps1' },
    { id: 'partition', type: 'int', devices: ['partition'], sometimes: 'Of AMD.', description: 'Number of the partition on its GPU.', example: 0 },
    ...PCI_ATTRIBUTES,
  ],
  moreAttributes: 'The settings products and partitions add any attribute.',
  capacities: [
    {
      id: 'memory',
      unit: 'bytes',
      sometimes: 'Of NVIDIA where the settings say it, of Intel where settings or kernel driver do.',
      shared: true,
      description: 'Memory.',
      example: '80Gi',
    },
    { id: 'compute', sometimes: 'Of shared GPUs whose settings name it.', shared: true, description: 'Share of the compute power in percent.', example: '100' },
    { id: 'shares', sometimes: 'Of shared GPUs.', shared: true, description: 'Claims that may have a share at once.', example: '8' },
  ],
  moreCapacities: 'The setting sharing adds any capacity.',
  partitionable: { state: 'yes' },
  consumableCapacity: { state: 'yes' },
  configKinds: [{
    apiVersion: agentConfigVersion('gpu'),
    kind: 'GpuConfig',
    unknownFields: 'refused',
    emptyFields: 'refused',
    description: 'What a container gets with a GPU.',
    fields: [{
      name: 'includeCardNode',
      type: 'bool',
      description: 'Adds the device node for display and mode setting, /dev/dri/card<n>, beside the one for compute. For AMD and Intel.',
    }],
  }],
});

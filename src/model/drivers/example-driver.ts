import type { ConfigKind } from './config-kind';
import type { AttributeFact, DriverProfileFacts, InstallFacts, PublishingFacts } from './profile';

const READ = [
  {
    project: 'kubernetes-sigs/dra-example-driver',
    commit: '31914ceacda29bbc55208ef75e68c0991e1c9568',
    date: '2026-07-20',
    release: '0.4.0 and 6 commits',
  },
];

const IDENTITY = (model: string): readonly AttributeFact[] => [
  { id: 'index', type: 'int', description: 'Position of the device on the node.', example: 0 },
  {
    id: 'uuid',
    type: 'string',
    description: 'Made from the node name; the same after a restart.',
    example: 'gpu-18db0e85-99e9-c746-8531-ffeb86328b39',
  },
  { id: 'model', type: 'string', values: [model], description: 'Always the same text.', example: model },
  { id: 'driverVersion', type: 'version', description: 'Always 1.0.0.', example: '1.0.0' },
];

const INSTALL: InstallFacts = {
  id: 'chart',
  chart: 'dra-example-driver',
  namespace: 'dra-example-driver',
  daemonSet: '<fullname>-kubeletplugin',
  podLabels: { 'app.kubernetes.io/component': 'kubeletplugin' },
  serviceAccounts: ['<fullname>-service-account'],
  tolerations: [],
  settings: [
    { purpose: 'enable', path: 'deviceProfile', default: 'gpu', note: 'gpu, net or cpu; the driver\'s name follows: <profile>.example.com.' },
    { purpose: 'enable', path: 'driverName', note: 'Another name for the driver and its class.' },
    { purpose: 'classes', path: 'deviceClass.extendedResourceName', note: 'Empty: the class has none.' },
    { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletRegistrarDirectoryPath', default: '/var/lib/kubelet/plugins_registry' },
    { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletPluginsDirectoryPath', default: '/var/lib/kubelet/plugins' },
    { purpose: 'tolerations', path: 'kubeletPlugin.tolerations' },
    { purpose: 'node-selection', path: 'kubeletPlugin.nodeSelector' },
    { purpose: 'node-selection', path: 'kubeletPlugin.affinity' },
    { purpose: 'update-strategy', path: 'kubeletPlugin.updateStrategy', default: 'RollingUpdate, maxSurge 1, maxUnavailable 0' },
    { purpose: 'observe', path: 'kubeletPlugin.numDevices', default: '8', note: 'Profiles gpu and net; 0 publishes no device.' },
    { purpose: 'sharing', path: 'gpuAllowMultipleAllocations', default: 'false' },
    { purpose: 'sharing', path: 'kubeletPlugin.gpuPartitions', default: '0' },
    { purpose: 'cdi-root', path: '', default: '/var/run/cdi', note: 'Fixed in the template.' },
  ],
};

const PUBLISHES: PublishingFacts = {
  attributeNames: 'unqualified',
  capacityNames: 'unqualified',
  pool: 'the node name',
  partitionable: { state: 'no' },
  consumableCapacity: { state: 'no' },
  taints: { state: 'no' },
  healthStream: { state: 'no' },
  deviceMetadata: { state: 'no' },
};

const GPU_CONFIG: ConfigKind = {
  apiVersion: 'gpu.resource.example.com/v1alpha1',
  kind: 'GpuConfig',
  unknownFields: 'refused',
  description: 'Sharing of the device; turned into environment variables only.',
  fields: [{
    name: 'sharing',
    type: 'object',
    description: 'How the holders of the claim share the device; time slices of default length if absent.',
    shape: {
      fields: [
        {
          name: 'strategy',
          type: 'string',
          required: true,
          values: [{ value: 'TimeSlicing' }, { value: 'SpacePartitioning' }],
          description: 'Way of sharing.',
        },
        {
          name: 'timeSlicingConfig',
          type: 'object',
          description: 'Only with strategy TimeSlicing.',
          shape: {
            fields: [{
              name: 'interval',
              type: 'string',
              required: true,
              values: [{ value: 'Default' }, { value: 'Short' }, { value: 'Medium' }, { value: 'Long' }],
              description: 'Length class of a time slice.',
            }],
          },
        },
        {
          name: 'spacePartitioningConfig',
          type: 'object',
          description: 'Only with strategy SpacePartitioning.',
          shape: { fields: [{ name: 'partitionCount', type: 'int', minimum: 0, description: 'Number of equal parts.' }] },
        },
      ],
      rules: [
        {
          when: { path: 'strategy', equals: 'TimeSlicing' },
          refuses: 'spacePartitioningConfig',
          rule: 'set with strategy TimeSlicing',
          help: "Remove 'spacePartitioningConfig', or set 'strategy' to 'SpacePartitioning'.",
        },
        {
          when: { path: 'strategy', equals: 'SpacePartitioning' },
          refuses: 'timeSlicingConfig',
          rule: 'set with strategy SpacePartitioning',
          help: "Remove 'timeSlicingConfig', or set 'strategy' to 'TimeSlicing'.",
        },
      ],
    },
  }],
};

/** Bursts are counted in bits and must stay below 2^32-1 bytes. */
const MAX_BURST = (2 ** 32 - 1) * 8 - 1;

const NET_CONFIG: ConfigKind = {
  apiVersion: 'net.resource.example.com/v1alpha1',
  kind: 'NetConfig',
  unknownFields: 'refused',
  description: 'Bursts of the interface; turned into environment variables only.',
  fields: [{
    name: 'bwBurst',
    type: 'object',
    description: 'Size of bursts in bits; no limit if absent.',
    shape: {
      fields: [
        { name: 'ingressBurst', type: 'int', minimum: 0, maximum: MAX_BURST, description: 'Inwards.' },
        { name: 'egressBurst', type: 'int', minimum: 0, maximum: MAX_BURST, description: 'Outwards.' },
      ],
    },
  }],
};

const classOf = (driver: string) => ({
  name: driver,
  selectors: [`device.driver == '${driver}'`],
  extendedResourceWhen: 'Only with the value deviceClass.extendedResourceName.',
});

const SOURCES = (profile: string) => ({
  deviceTypes: [`internal/profiles/${profile}/${profile}.go`],
  attributes: [`internal/profiles/${profile}/${profile}.go`],
  capacities: [`internal/profiles/${profile}/${profile}.go`],
  configKinds: [`api/example.com/resource/${profile}/v1alpha1/`],
  installedClasses: ['deployments/helm/dra-example-driver/templates/deviceclass.yaml'],
  publishes: [`internal/profiles/${profile}/${profile}.go`, 'cmd/dra-example-kubeletplugin/driver.go'],
  installs: ['deployments/helm/dra-example-driver/'],
  abilities: ['cmd/dra-example-kubeletplugin/main.go'],
});

const NUM_DEVICES = {
  observe: { scope: 'all', how: 'With kubeletPlugin.numDevices 0 it runs and publishes no device, on every node of the install.' },
  freeze: { scope: 'no', how: 'A DeviceTaintRule on driver and pool, where the cluster has device taints.' },
} as const;

const COMMON = { depth: 'full', read: READ, featureGates: [], quirks: [], installs: [INSTALL], legacy: [] } as const;

/** The example driver with its profile `gpu`: made-up GPUs on any node. */
export const EXAMPLE_GPU: DriverProfileFacts = {
  ...COMMON,
  id: 'example-gpu',
  driverName: 'gpu.example.com',
  family: 'gpu',
  sources: SOURCES('gpu'),
  deviceTypes: [
    { id: 'gpu', deviceName: 'gpu-<index>', description: 'A made-up GPU.' },
    { id: 'full', deviceName: 'gpu-<index>-full', gate: 'kubeletPlugin.gpuPartitions', description: 'All of a partitionable GPU.' },
    { id: 'partition', deviceName: 'gpu-<index>-partition-<number>', gate: 'kubeletPlugin.gpuPartitions', description: 'An equal part of a GPU.' },
  ],
  attributes: [
    ...IDENTITY('LATEST-GPU-MODEL'),
    { id: 'partition', type: 'int', devices: ['partition'], description: 'Number of the part.', example: 0 },
    { id: 'partitionable', type: 'bool', devices: ['full', 'partition'], description: 'Always true where it is there.', example: true },
    { id: 'full', type: 'bool', devices: ['full'], description: 'Always true where it is there.', example: true },
  ],
  capacities: [
    { id: 'memory', unit: 'bytes', shared: true, description: 'Memory; parts of whole 1Gi with gpuAllowMultipleAllocations.', example: '80Gi' },
    { id: 'compute', shared: true, description: 'Compute units; whole units with gpuAllowMultipleAllocations.', example: '100' },
  ],
  config: 'known',
  configKinds: [GPU_CONFIG],
  installedClasses: [classOf('gpu.example.com')],
  publishes: {
    ...PUBLISHES,
    partitionable: { state: 'switch', by: 'kubeletPlugin.gpuPartitions' },
    consumableCapacity: { state: 'switch', by: 'gpuAllowMultipleAllocations' },
  },
  abilities: NUM_DEVICES,
};

/** The example driver with its profile `net`: made-up interfaces with shareable bandwidth. */
export const EXAMPLE_NET: DriverProfileFacts = {
  ...COMMON,
  id: 'example-net',
  driverName: 'net.example.com',
  family: 'nic',
  sources: SOURCES('net'),
  deviceTypes: [{ id: 'nic', deviceName: 'nic-<index>', description: 'A made-up interface that many claims can share.' }],
  attributes: IDENTITY('LATEST-NET-MODEL'),
  capacities: [
    { id: 'vfs', shared: true, description: 'Virtual functions; each claim takes one.', example: '100' },
    {
      id: 'ingressBandwidth',
      shared: true,
      description: 'Bits per second inwards; 1G unless asked, at least 100M, in steps of 1M.',
      example: '100G',
    },
    {
      id: 'egressBandwidth',
      shared: true,
      description: 'Bits per second outwards; 1G unless asked, at least 100M, in steps of 1M.',
      example: '100G',
    },
  ],
  config: 'known',
  configKinds: [NET_CONFIG],
  installedClasses: [classOf('net.example.com')],
  publishes: { ...PUBLISHES, consumableCapacity: { state: 'yes' } },
  abilities: NUM_DEVICES,
};

/** The example driver with its profile `cpu`: made-up NUMA nodes whose CPUs count against the node. */
export const EXAMPLE_CPU: DriverProfileFacts = {
  ...COMMON,
  id: 'example-cpu',
  driverName: 'cpu.example.com',
  family: 'cpu',
  sources: { ...SOURCES('cpu'), configKinds: ['internal/profiles/cpu/cpu.go'] },
  deviceTypes: [{ id: 'numa', deviceName: 'numa-<index>', description: 'The CPUs of a made-up NUMA node.' }],
  attributes: [{ id: 'numaNodeID', type: 'int', description: 'Number of the NUMA node.', example: 0 }],
  capacities: [
    { id: 'cpu', domain: 'cpu.example.com', shared: true, description: 'CPUs of the node, mapped to the node\'s allocatable cpu.', example: '4' },
  ],
  config: 'refused',
  configKinds: [],
  installedClasses: [classOf('cpu.example.com')],
  publishes: { ...PUBLISHES, capacityNames: 'qualified', consumableCapacity: { state: 'yes' } },
  abilities: {
    observe: { scope: 'all', how: 'With kubeletPlugin.cpu.numaNodes 0 it publishes no device, on every node of the install.' },
    freeze: { scope: 'no', how: 'A DeviceTaintRule on driver and pool, where the cluster has device taints.' },
  },
};

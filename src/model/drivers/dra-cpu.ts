import type { DriverProfileFacts } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';

const INDIVIDUAL = ['cpu'];
const NOT_MACHINE = 'Missing with groupBy machine.';
const BY_NUMA = 'With groupBy numanode or mode individual only.';

/** The DRA driver for CPUs: one device per group of CPUs (default) or per CPU. */
export const DRA_CPU: DriverProfileFacts = {
  id: 'dra-cpu',
  driverName: 'dra.cpu',
  family: 'cpu',
  depth: 'table',
  read: [
    {
      project: 'kubernetes-sigs/dra-driver-cpu',
      commit: 'de98098690f25e59d781c1659b5c3e0b0a210c2a',
      date: '2026-08-20',
      release: 'v0.2.0 and 229 commits',
    },
  ],
  sources: {
    deviceTypes: ['pkg/device/builder.go'],
    attributes: ['pkg/device/attributes.go', 'pkg/device/builder.go', 'pkg/cpuinfo/cpuinfo.go'],
    capacities: ['pkg/device/builder.go'],
    configKinds: ['api/v1alpha1/types.go', 'api/opaque_config.go'],
    installedClasses: ['deployment/helm/dra-driver-cpu/templates/deviceclass.yaml'],
    publishes: ['pkg/device/builder.go', 'docs/user/feature-support.md'],
    installs: ['deployment/helm/dra-driver-cpu/'],
    abilities: ['pkg/device/builder.go'],
  },
  featureGates: [],
  deviceTypes: [
    {
      id: 'group',
      deviceName: 'cpudevnuma<number>, cpudevsocket<number> or cpudevmachine',
      description: 'A group of CPUs that many claims share; mode grouped.',
    },
    { id: 'cpu', deviceName: 'cpudev<number>', description: 'One CPU; mode individual.' },
  ],
  attributes: [
    { id: 'socketID', type: 'int', sometimes: NOT_MACHINE, description: 'Socket.', example: 0 },
    { id: 'smtEnabled', type: 'bool', description: 'Whether hardware threads are on.', example: true },
    { id: 'numCPUs', type: 'int', devices: ['group'], description: 'CPUs in the group that are not reserved.', example: 64 },
    { id: 'cacheL3ID', type: 'int', devices: INDIVIDUAL, description: 'Last-level cache that the CPU belongs to.', example: 0 },
    {
      id: 'coreType',
      type: 'string',
      devices: INDIVIDUAL,
      values: ['e-core', 'p-core', 'standard'],
      description: 'Sort of core.',
      example: 'standard',
    },
    { id: 'coreID', type: 'int', devices: INDIVIDUAL, description: 'Core; the same for its hardware threads.', example: 1 },
    { id: 'cpuID', type: 'int', devices: INDIVIDUAL, description: 'Number of the CPU in Linux.', example: 33 },
    { id: 'numaNodeID', type: 'int', sometimes: BY_NUMA, description: 'NUMA node under the driver\'s own name; to be removed.', example: 0 },
    {
      id: 'numaNode',
      domain: 'dra.net',
      type: 'int',
      sometimes: BY_NUMA,
      description: 'NUMA node under the name that DRANET uses; to be removed.',
      example: 0,
    },
    { ...STANDARD_ATTRIBUTES.numaNode, list: undefined, versions: { from: '0.3' }, sometimes: BY_NUMA },
    { ...STANDARD_ATTRIBUTES.pcieRoot, list: 'always', sometimes: 'Only with args.exposePCIeRoots and the cluster\'s gate DRAListTypeAttributes.' },
  ],
  capacities: [
    { id: 'cpu', domain: 'dra.cpu', devices: ['group'], shared: true, description: 'CPUs that can be claimed from the group.', example: '64' },
  ],
  config: 'known',
  configKinds: [{
    apiVersion: 'v1alpha1',
    unknownFields: 'dropped',
    description: 'Which CPUs of the allocation are given; a plain object without kind.',
    fields: [{
      name: 'cpuConfig',
      type: 'object',
      required: true,
      description: 'Settings of the CPUs.',
      shape: {
        fields: [{
          name: 'cpuset',
          type: 'string',
          required: true,
          minimum: 1,
          description: 'CPUs in the notation of Linux.',
          pattern: { matches: '\\d+(-\\d+)?(,\\d+(-\\d+)?)*', words: 'a list of CPUs such as 0-3,5' },
        }],
      },
    }],
  }],
  installedClasses: [{ name: 'dra.cpu', selectors: ['device.driver == "dra.cpu"'] }],
  quirks: [
    {
      id: 'grouped-needs-capacity',
      what: 'In the default mode a device is a whole NUMA node that several claims share; CPUs are asked for as capacity dra.cpu/cpu.',
      consequence: 'Needs DRAConsumableCapacity, on by default from 1.36. A claim without a capacity request takes the whole group.',
      source: 'pkg/device/builder.go',
    },
    {
      id: 'one-container-per-claim',
      what: 'A claim serves one container of one pod.',
      consequence: 'Further pods or containers fail with CreateContainerError.',
      source: 'docs/user/feature-support.md',
    },
    {
      id: 'attributes-not-stable',
      what: 'The project reserves the right to change attribute names between minor releases before 1.0.',
      consequence: 'Prefer the standard numaNode in selectors.',
      source: 'docs/user/device-attributes.md',
    },
  ],
  publishes: {
    attributeNames: 'qualified',
    capacityNames: 'qualified',
    pool: 'the node name',
    partitionable: { state: 'no' },
    consumableCapacity: { state: 'switch', by: 'driverConfig.cpuDeviceMode', note: 'With grouped, the default.' },
    taints: { state: 'no' },
    healthStream: { state: 'yes' },
    deviceMetadata: { state: 'yes' },
  },
  installs: [{
    id: 'chart',
    chart: 'dra-driver-cpu',
    daemonSet: '<release>-dra-driver-cpu, or the release name alone where it contains the chart name',
    podLabels: { 'k8s-app': 'dra-driver-cpu' },
    serviceAccounts: ['<fullname>'],
    tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
    settings: [
      { purpose: 'kubelet-root', path: 'kubeletRootDir', default: '/var/lib/kubelet' },
      { purpose: 'tolerations', path: 'tolerations' },
      { purpose: 'node-selection', path: 'nodeSelector' },
      { purpose: 'node-selection', path: 'affinity' },
      { purpose: 'sharing', path: 'driverConfig.cpuDeviceMode', default: 'grouped' },
      { purpose: 'sharing', path: 'driverConfig.groupBy', default: 'numanode' },
    ],
  }],
  legacy: [],
  abilities: {
    observe: { scope: 'no', how: 'Publishes all CPUs that are not reserved.' },
    freeze: { scope: 'no', how: 'A DeviceTaintRule on driver and pool, where the cluster has device taints.' },
  },
};

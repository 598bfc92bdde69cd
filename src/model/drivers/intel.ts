import type { DriverProfileFacts, InstallSetting, LegacyPluginFacts, PublishingFacts, RepositoryRead } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';

const PROJECT = 'intel/intel-resource-drivers-for-kubernetes';
const PLUGINS = 'intel/intel-device-plugins-for-kubernetes';

const read = (release: string): readonly RepositoryRead[] => [
  { project: PROJECT, commit: '1da939faa33a90dd641d0327cdcdcbbfaa1acdb4', date: '2026-08-11', release },
  { project: PLUGINS, commit: '94a91bc94134b80448b8f1370ee5f240a6e69c0b', date: '2026-06-15', release: 'main' },
];

const SETTINGS: readonly InstallSetting[] = [
  { purpose: 'cdi-root', path: 'cdi.staticPath', default: '/etc/cdi' },
  { purpose: 'cdi-root', path: 'cdi.dynamicPath', default: '/var/run/cdi' },
  { purpose: 'tolerations', path: 'kubeletPlugin.tolerations' },
  { purpose: 'node-selection', path: 'kubeletPlugin.nodeSelector', note: 'Used only with nodeFeatureRules.enabled=false.' },
  { purpose: 'node-selection', path: 'kubeletPlugin.affinity' },
  { purpose: 'classes', path: 'enableDRAExtendedResources', default: 'false' },
  { purpose: 'classes', path: 'extendedResourceName' },
  { purpose: 'kubelet-root', path: '', default: '/var/lib/kubelet', note: 'Fixed in the template.' },
];

const BRIDGE = 'Only with the value enableDRAExtendedResources=true; the name is the value extendedResourceName.';

const PUBLISHES: PublishingFacts = {
  attributeNames: 'unqualified',
  capacityNames: 'none',
  pool: 'the node name',
  partitionable: { state: 'no' },
  consumableCapacity: { state: 'no' },
  taints: { state: 'no' },
  healthStream: { state: 'no' },
  deviceMetadata: { state: 'no' },
};

const ABILITIES = {
  observe: { scope: 'no', how: 'Publishes all devices as soon as it has started.' },
  freeze: { scope: 'no', how: 'A DeviceTaintRule on driver and pool, where the cluster has device taints.' },
} as const;

const sources = (kind: string, attributes: readonly string[]) => ({
  deviceTypes: [`pkg/${kind}/device/device.go`],
  attributes,
  installedClasses: [`charts/intel-${kind}-resource-driver/templates/device-class.yaml`],
  publishes: attributes,
  installs: [`charts/intel-${kind}-resource-driver/`],
  abilities: [`cmd/kubelet-${kind}-plugin/driver.go`],
});

const install = (kind: string, app: string) => ({
  id: 'chart',
  chart: `intel-${kind}-resource-driver-chart`,
  daemonSet: `intel-${kind}-resource-driver-kubelet-plugin`,
  podLabels: { app },
  serviceAccounts: [`intel-${kind}-sa`],
  tolerations: [
    { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
    { key: kind === 'gaudi' ? 'intel.feature.node.kubernetes.io/gaudi' : `node.kubernetes.io/${kind}`, operator: 'Exists', effect: 'NoSchedule' },
  ],
  settings: SETTINGS,
} as const);

const plugin = (kind: string, resources: LegacyPluginFacts['resources']): LegacyPluginFacts => ({
  project: PLUGINS,
  resources,
  daemonSets: [{ name: `intel-${kind}-plugin`, podLabels: { app: `intel-${kind}-plugin` }, installedBy: 'manifests or the device plugin operator' }],
  switches: [],
  nodeLabels: [],
  tolerations: [],
});

/** Intel's DRA driver for GPUs. */
export const INTEL_GPU: DriverProfileFacts = {
  id: 'intel-gpu',
  driverName: 'gpu.intel.com',
  family: 'gpu',
  depth: 'table',
  read: read('gpu-v0.11.0'),
  sources: {
    ...sources('gpu', ['cmd/kubelet-gpu-plugin/node_state.go', 'pkg/gpu/device/device.go', 'pkg/gpu/device/models.go']),
    capacities: ['cmd/kubelet-gpu-plugin/node_state.go'],
    legacy: [`${PLUGINS}:cmd/gpu_plugin/README.md`, `${PLUGINS}:deployments/gpu_plugin/base/intel-gpu-plugin.yaml`],
  },
  featureGates: [],
  deviceTypes: [
    { id: 'gpu', deviceName: '<PCI address>-<device id>', description: 'A GPU.' },
    { id: 'vf', deviceName: '<PCI address>-<device id>', description: 'A virtual function of a GPU.' },
  ],
  attributes: [
    { id: 'model', type: 'string', description: 'Product name; Unknown where the driver does not list it.', example: 'A770' },
    {
      id: 'family',
      type: 'string',
      description: 'Product family.',
      example: 'Data Center Max',
      values: [
        'Arc A-Series',
        'Arc B-Series',
        'Arc Pro A-Series',
        'Arc Pro B-Series',
        'Data Center Flex',
        'Data Center Max',
        'Intel Graphics',
        'Iris Xe',
        'Unknown',
      ],
    },
    {
      id: 'driver',
      type: 'string',
      values: ['', 'i915', 'vfio-pci', 'xe', 'xe-vfio-pci'],
      description: 'Kernel driver that is bound now; empty for none.',
      example: 'xe',
    },
    { id: 'sriov', type: 'bool', description: 'Whether the GPU can have virtual functions.', example: true },
    { id: 'type', type: 'string', values: ['gpu', 'vf'], description: 'GPU or virtual function.', example: 'gpu' },
    { id: 'pciId', type: 'string', description: 'PCI device id.', example: '0x56a0' },
    { id: 'pciAddress', type: 'string', versions: { before: '1.0' }, description: 'PCI address; to be removed in 1.0.', example: '0000:03:00.0' },
    { id: 'pciRoot', type: 'string', versions: { before: '1.0' }, description: 'Bus of the PCIe root; to be removed in 1.0.', example: '00' },
    { id: 'health', type: 'string', values: ['Healthy', 'Unhealthy', 'Unknown'], description: 'Health as xpumd reports it.', example: 'Healthy' },
    { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined },
    STANDARD_ATTRIBUTES.pciBusID,
  ],
  capacities: [
    { id: 'memory', unit: 'bytes', description: 'Local memory in whole Mi.', example: '16288Mi' },
    { id: 'millicores', description: 'Always 1000; nothing divides it.', example: '1k' },
  ],
  config: 'ignored',
  configKinds: [],
  installedClasses: [
    { name: 'gpu.intel.com', selectors: ['device.driver == "gpu.intel.com"'], extendedResourceName: 'intel.com/gpu', extendedResourceWhen: BRIDGE },
    { name: 'gpu-vfio.intel.com', selectors: ['device.driver == "gpu.intel.com"'] },
  ],
  quirks: [
    {
      id: 'health-evicts',
      what: 'An unhealthy GPU is tainted NoExecute under a key that lists its faults.',
      consequence: 'Pods on it are deleted without regard to PodDisruptionBudgets where the cluster has device taints.',
      during: ['Canary'],
      source: 'cmd/kubelet-gpu-plugin/node_state.go',
    },
    {
      id: 'class-name-decides',
      what: 'A claim is prepared for a virtual machine if its class is named gpu-vfio.intel.com.',
      consequence: 'A class of another name with the same selectors gives the GPU as an ordinary one.',
      source: 'cmd/kubelet-gpu-plugin/node_state.go',
    },
    {
      id: 'kubelet-root-fixed',
      what: 'The chart mounts /var/lib/kubelet.',
      consequence: 'On nodes with another kubelet root the chart must be patched.',
      source: 'charts/intel-gpu-resource-driver/templates/resource-driver.yaml',
    },
    {
      id: 'other-resource-name',
      what: 'The bridge name intel.com/gpu is not the plugin\'s gpu.intel.com/i915 or gpu.intel.com/xe.',
      consequence: 'For unchanged workloads set extendedResourceName to the plugin\'s name.',
      during: ['Expand'],
      source: 'charts/intel-gpu-resource-driver/values.yaml',
    },
  ],
  publishes: {
    ...PUBLISHES,
    capacityNames: 'unqualified',
    taints: { state: 'yes' },
    healthStream: { state: 'yes' },
    deviceMetadata: { state: 'yes' },
  },
  installs: [install('gpu', 'intel-gpu-resource-driver')],
  legacy: [plugin('gpu', [
    { name: 'gpu.intel.com/i915', unitsPerDevice: 1, note: 'Times -shared-dev-num.' },
    { name: 'gpu.intel.com/xe', unitsPerDevice: 1, note: 'Times -shared-dev-num.' },
    { name: 'gpu.intel.com/i915_monitoring', note: 'Access to all GPUs of the node; deprecated. With DRA: admin access.' },
    { name: 'gpu.intel.com/xe_monitoring', note: 'Access to all GPUs of the node; deprecated. With DRA: admin access.' },
  ])],
  abilities: ABILITIES,
};

/** Intel's DRA driver for Gaudi accelerators. */
export const INTEL_GAUDI: DriverProfileFacts = {
  id: 'intel-gaudi',
  driverName: 'gaudi.intel.com',
  family: 'gaudi',
  depth: 'table',
  read: read('gaudi-v0.7.2').slice(0, 1),
  sources: sources('gaudi', ['cmd/kubelet-gaudi-plugin/node_state.go', 'pkg/gaudi/device/device.go']),
  featureGates: [],
  deviceTypes: [{ id: 'gaudi', deviceName: '<PCI address>-<device id>', description: 'An accelerator.' }],
  attributes: [
    { id: 'model', type: 'string', values: ['Gaudi', 'Gaudi2', 'Gaudi3', 'Unknown'], description: 'Product name.', example: 'Gaudi3' },
    { id: 'serial', type: 'string', description: 'Serial number.', example: 'AN12345678' },
    { id: 'healthy', type: 'bool', description: 'Whether the device is usable.', example: true },
    { id: 'pciRoot', type: 'string', versions: { before: '1.0' }, description: 'Bus of the PCIe root; to be removed in 1.0.', example: '00' },
    { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined },
  ],
  capacities: [],
  config: 'ignored',
  configKinds: [],
  installedClasses: [
    {
      name: 'gaudi.intel.com',
      selectors: ['device.driver == "gaudi.intel.com"'],
      extendedResourceName: 'intel.com/gaudi',
      extendedResourceWhen: BRIDGE,
    },
  ],
  quirks: [{
    id: 'health-evicts',
    what: 'For an unhealthy device the driver creates a DeviceTaintRule with NoExecute.',
    consequence: 'Pods on it are deleted without regard to PodDisruptionBudgets; look for rules named gaudi.intel.com-<node>-<device>.',
    during: ['Canary'],
    source: 'cmd/kubelet-gaudi-plugin/healthcare.go',
  }],
  publishes: { ...PUBLISHES, taints: { state: 'no', note: 'Makes a DeviceTaintRule with NoExecute for an unhealthy device instead.' } },
  installs: [install('gaudi', 'intel-gaudi-resource-driver-kubelet-plugin')],
  legacy: [],
  abilities: ABILITIES,
};

/** Intel's DRA driver for QuickAssist virtual functions. */
export const INTEL_QAT: DriverProfileFacts = {
  id: 'intel-qat',
  driverName: 'qat.intel.com',
  family: 'qat',
  depth: 'table',
  read: read('qat-v0.4.3'),
  sources: {
    ...sources('qat', ['cmd/kubelet-qat-plugin/deviceresources.go', 'pkg/qat/device/device.go']),
    legacy: [`${PLUGINS}:cmd/qat_plugin/README.md`, `${PLUGINS}:deployments/qat_plugin/base/intel-qat-plugin.yaml`],
  },
  featureGates: [],
  deviceTypes: [{ id: 'vf', deviceName: '<PCI address of the function>', description: 'A virtual function.' }],
  attributes: [
    { id: 'services', type: 'string', description: 'Services of the function: sym, asym, dc, dcc, joined with ";".', example: 'sym;asym' },
  ],
  capacities: [],
  config: 'ignored',
  configKinds: [],
  installedClasses: [
    { name: 'qat.intel.com', selectors: ['device.driver == "qat.intel.com"'], extendedResourceName: 'intel.com/qat', extendedResourceWhen: BRIDGE },
  ],
  quirks: [{
    id: 'no-topology',
    what: 'Devices carry no PCI address, PCIe root or NUMA node.',
    consequence: 'They cannot be matched with devices of other drivers.',
    source: 'cmd/kubelet-qat-plugin/deviceresources.go',
  }],
  publishes: PUBLISHES,
  installs: [install('qat', 'intel-qat-resource-driver')],
  legacy: [plugin('qat', [
    { name: 'qat.intel.com/generic', unitsPerDevice: 1, note: 'Before the fourth generation of QAT.' },
    { name: 'qat.intel.com/<services>', unitsPerDevice: 1, note: 'From the fourth generation, named after the configured services.' },
  ])],
  abilities: ABILITIES,
};

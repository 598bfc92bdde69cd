import type { LegacyPluginFacts, LegacySwitch, TolerationFact } from './profile';

const VENDOR_TAINT: TolerationFact = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

const PAUSES = 'While it reloads the kernel driver, k8s-driver-manager changes "true" to "paused-for-driver-upgrade"; '
  + 'another value gets that appended after "_", "false" stays.';

/** The node labels by which the GPU operator places its parts; a part runs where its label is `true`. */
const DEPLOY_LABELS: ReadonlyArray<readonly [suffix: string, what: string, note?: string]> = [
  ['cc-manager', 'confidential computing manager'],
  ['client', 'clients of the GPU that others installed'],
  ['container-toolkit', 'container toolkit'],
  ['dcgm', 'stand-alone DCGM engine'],
  ['dcgm-dra', 'DCGM engine of the DRA stack'],
  ['dcgm-exporter', 'metrics exporter'],
  ['dcgm-exporter-dra', 'metrics exporter of the DRA stack'],
  [
    'device-plugin', 'device plugin and MPS control daemon',
    `${PAUSES} The MIG manager sets "paused-for-mig-change" and afterwards "true", whatever it was before except "false": only "false" survives.`,
  ],
  [
    'dra-driver', 'DRA driver of the operator',
    'Kept by the operator while any pod on the node holds a gpu.nvidia.com claim, admin access included. '
    + 'Paused last, after the pods that hold claims.',
  ],
  ['dra-validator', 'validation of the DRA stack: a pod that takes one GPU with admin access'],
  ['driver', 'kernel driver container'],
  ['gpu-feature-discovery', 'feature discovery', 'Paused and resumed like device-plugin.'],
  ['kata-manager', 'Kata runtime manager'],
  ['kata-sandbox-device-plugin', 'device plugin for Kata sandboxes'],
  ['mig-manager', 'MIG manager', 'Set only on nodes labelled nvidia.com/mig.capable=true.'],
  ['node-status-exporter', 'node status exporter'],
  ['nvsm', 'NVSM', 'Known to k8s-driver-manager and the MIG manager only.'],
  ['operator-validator', 'validation of the device plugin stack'],
  ['sandbox-device-plugin', 'device plugin for virtual machines'],
  ['sandbox-validator', 'validation of the virtual machine stack'],
  ['vfio-manager', 'binding of GPUs to vfio-pci'],
  ['vgpu-device-manager', 'vGPU device manager'],
  ['vgpu-manager', 'vGPU host driver'],
];

const DEPLOY_SWITCHES: readonly LegacySwitch[] = DEPLOY_LABELS.map(([suffix, what, note]) => ({
  scope: 'node',
  kind: 'node-label',
  key: `nvidia.com/gpu.deploy.${suffix}`,
  on: 'true',
  off: 'false',
  what,
  ...(note === undefined ? {} : { note }),
}));

/** The NVIDIA device plugin, by its own chart and by the GPU operator. */
export const NVIDIA_DEVICE_PLUGIN: LegacyPluginFacts = {
  project: 'NVIDIA/k8s-device-plugin',
  resources: [
    { name: 'nvidia.com/gpu', unitsPerDevice: 1, note: 'As many units per GPU as replicas are configured with time-slicing or MPS.' },
    {
      name: 'nvidia.com/gpu.shared',
      note: 'Instead of nvidia.com/gpu where sharing is configured with renameByDefault; one request takes one unit.',
    },
    {
      name: 'nvidia.com/mig-<slices>g.<memory>gb',
      note: 'One unit per MIG device with migStrategy mixed. With single, MIG devices count as nvidia.com/gpu.',
    },
  ],
  daemonSets: [
    {
      name: 'nvidia-device-plugin-daemonset',
      podLabels: { app: 'nvidia-device-plugin-daemonset' },
      nodeSelector: { 'nvidia.com/gpu.deploy.device-plugin': 'true' },
      installedBy: 'GPU operator, ClusterPolicy',
    },
    {
      name: '<release>-nvidia-device-plugin',
      podLabels: { 'app.kubernetes.io/name': 'nvidia-device-plugin' },
      installedBy: 'chart nvidia-device-plugin; the name is the release name alone where it contains the chart name',
    },
  ],
  installs: [
    {
      id: 'chart',
      chart: 'nvidia-device-plugin',
      affinity: 'affinity',
      nodes: [
        { key: 'feature.node.kubernetes.io/pci-10de.present', values: ['true'] },
        { key: 'feature.node.kubernetes.io/cpu-model.vendor_id', values: ['NVIDIA'] },
        { key: 'nvidia.com/gpu.present', values: ['true'] },
      ],
      tolerations: 'tolerations',
      defaultTolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, VENDOR_TAINT],
    },
    {
      id: 'gpu-operator',
      chart: 'gpu-operator, ClusterPolicy',
      nodes: [],
      tolerations: 'daemonsets.tolerations',
      defaultTolerations: [VENDOR_TAINT],
      nodeSwitch: { key: 'nvidia.com/gpu.deploy.device-plugin', on: 'true', off: 'false' },
    },
  ],
  switches: [
    ...DEPLOY_SWITCHES,
    {
      scope: 'node',
      kind: 'node-label',
      key: 'nvidia.com/gpu.deploy.operands',
      off: 'false',
      what: 'every part that a ClusterPolicy places',
      note: 'The operator then deletes all nvidia.com/gpu.deploy.* state labels of the node.',
    },
    {
      scope: 'cluster',
      kind: 'object-field',
      key: 'ClusterPolicy spec.devicePlugin.enabled',
      on: 'true',
      off: 'false',
      what: 'device plugin',
    },
    {
      scope: 'cluster',
      kind: 'helm-value',
      key: 'devicePlugin.enabled',
      on: 'true',
      off: 'false',
      what: 'device plugin',
      note: 'Same path in the charts gpu-operator and nvidia-device-plugin.',
    },
    {
      scope: 'cluster',
      kind: 'helm-value',
      key: 'clusterPolicy.deployCR',
      on: 'true',
      off: 'false',
      what: 'device plugin stack of the GPU operator',
      note: 'The chart fails if gpuCluster.deployCR is true as well.',
    },
    {
      scope: 'cluster',
      kind: 'helm-value',
      key: 'gpuCluster.deployCR',
      on: 'true',
      off: 'false',
      what: 'DRA stack of the GPU operator',
      note: 'Sweeps the labels of the device plugin stack off all nodes. Needs driver.nvidiaDriverCRD.enabled where driver.enabled is true.',
    },
  ],
  nodeLabels: [
    { key: 'nvidia.com/gpu.present', example: 'true', writer: 'GPU operator' },
    { key: 'nvidia.com/mig.capable', example: 'true', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/mig.strategy', example: 'mixed', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/mig.config', example: 'all-disabled', writer: 'people, or the GPU operator for the default' },
    { key: 'nvidia.com/mig.config.state', example: 'pending', writer: 'MIG manager' },
    { key: 'nvidia.com/device-plugin.config', example: 'mig-mixed', writer: 'people: the plugin configuration of this node' },
    { key: 'nvidia.com/gpu.workload.config', example: 'container', writer: 'people: container, vm-passthrough or vm-vgpu' },
    { key: 'nvidia.com/gpu.count', example: '8', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/gpu.replicas', example: '1', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/gpu.sharing-strategy', example: 'none', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/gpu.product', example: 'NVIDIA-A100-SXM4-40GB', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/gpu.memory', example: '40960', writer: 'gpu-feature-discovery, in MiB' },
    { key: 'nvidia.com/gpu.family', example: 'ampere', writer: 'gpu-feature-discovery' },
    { key: 'nvidia.com/gpu.compute.major', example: '8', writer: 'gpu-feature-discovery' },
    {
      key: 'nvidia.com/gpu.clique',
      example: '7b968a6d-c8aa-45e1-9e07-e1e51be99c31.1',
      writer: 'gpu-feature-discovery, or the DRA driver with gpuCliqueLabelEnabled',
    },
    { key: 'nvidia.com/cuda.driver-version.full', example: '550.107.02', writer: 'gpu-feature-discovery' },
  ],
  tolerations: [VENDOR_TAINT],
};

import type { InstallFacts, RepositoryRead } from './profile';

/** Calendar releases before 0.4 and the version that the source counts them as. */
export const NVIDIA_VERSION_ALIASES: Readonly<Record<string, string>> = { 'v25.3': '0.1', 'v25.8': '0.2', 'v25.12': '0.3', 'v26.4': '0.4' };

export const NVIDIA_READ: readonly RepositoryRead[] = [
  {
    project: 'kubernetes-sigs/dra-driver-nvidia-gpu',
    commit: '95932046683719c43b6a0dd9613c2e5aad5d6703',
    date: '2026-08-07',
    release: '0.5.0-dev, with tags v25.3.2, v25.8.1, v25.12.0 and v0.4.1',
  },
  { project: 'NVIDIA/gpu-operator', commit: 'a22dbf671f2e26f9a1e342f8eea28e196235e110', date: '2026-08-21', release: 'v26.7.0' },
  { project: 'NVIDIA/k8s-device-plugin', commit: '1b826acc6af3079d8923bac395c3124b8861a9a6', date: '2026-08-19', release: 'v0.20.0' },
  { project: 'NVIDIA/k8s-driver-manager', commit: 'bd62ca7d4a25376a7edd67e2f247e124cd77cd9c', date: '2026-08-19', release: 'v0.12.0' },
  { project: 'NVIDIA/mig-parted', commit: 'bd7160f43f16462eeb21e1eda5e67b5b6b03fd7d', date: '2026-08-21', release: 'v0.15.0' },
];

/** The ways to install the pods that run both `gpu.nvidia.com` and `compute-domain.nvidia.com`. */
export const NVIDIA_GPU_INSTALLS: readonly InstallFacts[] = [
  {
    id: 'chart',
    chart: 'dra-driver-nvidia-gpu (nvidia-dra-driver-gpu before 0.4)',
    daemonSet: 'dra-driver-nvidia-gpu-kubelet-plugin',
    podLabels: { 'dra-driver-nvidia-gpu-component': 'kubelet-plugin' },
    serviceAccounts: ['<fullname>-service-account-kubeletplugin'],
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
    settings: [
      { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletRegistrarDirectoryPath', default: '/var/lib/kubelet/plugins_registry' },
      { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletPluginsDirectoryPath', default: '/var/lib/kubelet/plugins' },
      { purpose: 'driver-root', path: 'nvidiaDriverRoot', default: '/', note: '/run/nvidia/driver with the operator\'s driver container.' },
      { purpose: 'tolerations', path: 'kubeletPlugin.tolerations' },
      { purpose: 'node-selection', path: 'kubeletPlugin.nodeSelector' },
      {
        purpose: 'node-selection',
        path: 'kubeletPlugin.affinity',
        note: 'Default: PCI labels of node-feature-discovery or nvidia.com/gpu.present=true.',
      },
      { purpose: 'update-strategy', path: 'kubeletPlugin.updateStrategy', default: 'RollingUpdate, maxUnavailable 100%' },
      { purpose: 'enable', path: 'resources.gpus.enabled', default: 'true' },
      {
        purpose: 'enable',
        path: 'gpuResourcesEnabledOverride',
        default: 'false',
        note: 'Must be true for resources.gpus.enabled, else the chart fails: it confirms that no device plugin runs on these nodes.',
      },
      { purpose: 'enable', path: 'resources.computeDomains.enabled', default: 'true' },
      { purpose: 'feature-gates', path: 'featureGates' },
      {
        purpose: 'sharing',
        path: 'consumableShares',
        note: 'disabled, memory, unlimited or a positive number; needs featureGates.ConsumableShares.',
      },
      { purpose: 'classes', path: 'resourceApiVersion', note: 'Empty: the newest version that the cluster says it serves.' },
      { purpose: 'namespace', path: 'allowDefaultNamespace', default: 'false', note: 'The chart fails in namespace default without it.' },
      { purpose: 'cdi-root', path: '', default: '/var/run/cdi', note: 'Fixed in the template.' },
    ],
  },
  {
    id: 'gpu-operator',
    chart: 'gpu-operator, GPUCluster gpu-cluster',
    daemonSet: 'nvidia-dra-driver-kubelet-plugin',
    podLabels: { app: 'nvidia-dra-driver-kubelet-plugin' },
    serviceAccounts: ['nvidia-dra-driver-kubeletplugin'],
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
    settings: [
      {
        purpose: 'enable',
        path: 'gpuCluster.deployCR',
        default: 'false',
        note: 'Needs clusterPolicy.deployCR=false: one stack for the whole cluster.',
      },
      { purpose: 'kubelet-root', path: 'hostPaths.kubeletRootDir', default: '/var/lib/kubelet' },
      { purpose: 'driver-root', path: 'hostPaths.driverInstallDir', default: '/run/nvidia/driver' },
      { purpose: 'tolerations', path: 'daemonsets.tolerations' },
      { purpose: 'feature-gates', path: 'draDriver.featureGates' },
      { purpose: 'enable', path: 'draDriver.computeDomains.enabled', default: 'true' },
      { purpose: 'node-selection', path: '', default: 'node label nvidia.com/gpu.deploy.dra-driver=true', note: 'Fixed in the manifest.' },
      { purpose: 'cdi-root', path: '', default: '/var/run/cdi', note: 'Fixed in the manifest.' },
    ],
  },
];

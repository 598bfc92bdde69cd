import { NVIDIA_GPU_CONFIG_KINDS } from './nvidia-config';
import { NVIDIA_GPU_ATTRIBUTES, NVIDIA_GPU_CAPACITIES } from './nvidia-gpu-attributes';
import { NVIDIA_GPU_QUIRKS } from './nvidia-gpu-quirks';
import { NVIDIA_GPU_INSTALLS, NVIDIA_READ, NVIDIA_VERSION_ALIASES } from './nvidia-install';
import { NVIDIA_DEVICE_PLUGIN } from './nvidia-legacy';
import type { DriverFeatureGate, DriverProfileFacts } from './profile';

const DRIVER = 'gpu.nvidia.com';

const FEATURE_GATES: readonly DriverFeatureGate[] = [
  { name: 'TimeSlicingSettings', default: false, stage: 'alpha', versions: { from: '0.2' }, description: 'Strategy TimeSlicing in configs.' },
  { name: 'MPSSupport', default: false, stage: 'alpha', versions: { from: '0.2' }, description: 'Strategy MPS in configs.' },
  {
    name: 'PassthroughSupport',
    default: false,
    stage: 'alpha',
    versions: { from: '0.3' },
    excludes: ['NVMLDeviceHealthCheck'],
    description: 'Devices of type vfio.',
  },
  {
    name: 'DynamicMIG',
    default: false,
    stage: 'alpha',
    versions: { from: '0.3' },
    excludes: [
      'MPSSupport',
      'NVMLDeviceHealthCheck',
      'PassthroughSupport',
    ],
    description: 'Publishes every possible MIG device and makes it when it is claimed.',
  },
  {
    name: 'NVMLDeviceHealthCheck',
    default: false,
    stage: 'alpha',
    versions: { from: '0.3' },
    description: 'Taints devices on critical events of the kernel driver.',
  },
  {
    name: 'DeviceMetadata',
    default: false,
    stage: 'alpha',
    versions: { from: '0.4' },
    requires: ['PassthroughSupport'],
    description: 'Metadata files in the containers.',
  },
  {
    name: 'DRAListTypeAttributes',
    default: false,
    stage: 'alpha',
    versions: { from: '0.5' },
    description: 'numaNode as a list; the cluster needs its gate of the same name.',
  },
  {
    name: 'FabricManagerPartitioning',
    default: false,
    stage: 'alpha',
    versions: { from: '0.5' },
    description: 'NVSwitch partitions as attributes, activated when a claim is prepared.',
  },
  {
    name: 'ConsumableShares',
    default: false,
    stage: 'alpha',
    versions: { from: '0.5' },
    description: 'Several claims on one device; the chart value consumableShares says how.',
  },
];

/** NVIDIA's DRA driver, GPU part. */
export const NVIDIA_GPU: DriverProfileFacts = {
  id: 'nvidia-gpu',
  driverName: DRIVER,
  family: 'gpu',
  depth: 'full',
  read: NVIDIA_READ,
  versionAliases: NVIDIA_VERSION_ALIASES,
  sources: {
    featureGates: ['pkg/featuregates/featuregates.go'],
    deviceTypes: ['cmd/gpu-kubelet-plugin/types.go', 'cmd/gpu-kubelet-plugin/deviceinfo.go', 'cmd/gpu-kubelet-plugin/mig.go'],
    attributes: [
      'cmd/gpu-kubelet-plugin/deviceinfo.go',
      'cmd/gpu-kubelet-plugin/mig.go',
      'vendor/github.com/NVIDIA/go-nvlib/pkg/nvlib/device/device.go',
    ],
    capacities: ['cmd/gpu-kubelet-plugin/deviceinfo.go', 'cmd/gpu-kubelet-plugin/mig.go', 'cmd/gpu-kubelet-plugin/consumable_shares.go'],
    configKinds: ['api/nvidia.com/resource/v1beta1/', 'cmd/gpu-kubelet-plugin/device_state.go'],
    installedClasses: ['deployments/helm/dra-driver-nvidia-gpu/templates/', 'NVIDIA/gpu-operator:manifests/state-dra-driver/'],
    publishes: ['cmd/gpu-kubelet-plugin/driver.go', 'cmd/gpu-kubelet-plugin/partitions.go', 'cmd/gpu-kubelet-plugin/device_health.go'],
    installs: [
      'deployments/helm/dra-driver-nvidia-gpu/',
      'NVIDIA/gpu-operator:deployments/gpu-operator/',
      'NVIDIA/gpu-operator:manifests/state-dra-driver/0500_daemonset.yaml',
    ],
    legacy: [
      'NVIDIA/gpu-operator:controllers/state_manager.go', 'NVIDIA/gpu-operator:controllers/nodelabeling_controller.go',
      'NVIDIA/gpu-operator:assets/state-device-plugin/0500_daemonset.yaml', 'NVIDIA/k8s-device-plugin:deployments/helm/nvidia-device-plugin/',
      'NVIDIA/k8s-device-plugin:internal/lm/',
      'NVIDIA/k8s-driver-manager:cmd/driver-manager/main.go',
      'NVIDIA/mig-parted:pkg/mig/reconfigure/reconfigure.go',
    ],
    abilities: ['cmd/gpu-kubelet-plugin/driver.go', 'cmd/gpu-kubelet-plugin/main.go'],
  },
  featureGates: FEATURE_GATES,
  deviceTypes: [
    { id: 'gpu', deviceName: 'gpu-<minor>', description: 'A whole GPU.' },
    {
      id: 'mig',
      deviceName: 'gpu-<minor>-mig-<profile>-<profile id>-<start>',
      description: 'A MIG device: one that exists, or with DynamicMIG one that could.',
    },
    {
      id: 'vfio',
      deviceName: 'gpu-vfio-<index>',
      gate: 'PassthroughSupport',
      description: 'A GPU for pass-through; the same card as a device of type gpu.',
    },
  ],
  attributes: NVIDIA_GPU_ATTRIBUTES,
  capacities: NVIDIA_GPU_CAPACITIES,
  config: 'known',
  configKinds: NVIDIA_GPU_CONFIG_KINDS,
  installedClasses: [
    {
      name: DRIVER,
      selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"],
      extendedResourceName: 'nvidia.com/gpu',
      extendedResourceWhen: 'From 0.3, where the chart is rendered for resource.k8s.io/v1. No value turns it off except an older resourceApiVersion.',
      option: 'resources.gpus.enabled',
      install: 'chart',
    },
    { name: DRIVER, selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"], install: 'gpu-operator' },
    {
      name: 'mig.nvidia.com',
      selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'"],
      option: 'resources.gpus.enabled',
    },
    {
      name: 'vfio.gpu.nvidia.com',
      selectors: ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'vfio'"],
      option: 'resources.gpus.enabled',
      versions: { from: '0.3' },
    },
  ],
  quirks: NVIDIA_GPU_QUIRKS,
  publishes: {
    attributeNames: 'unqualified',
    capacityNames: 'unqualified',
    pool: 'the node name',
    partitionable: {
      state: 'switch',
      by: 'featureGates.DynamicMIG',
      note: 'One counter set per GPU. Counters and devices in one slice below Kubernetes 1.35, in slices of their own from 1.35.',
    },
    consumableCapacity: {
      state: 'switch',
      by: 'featureGates.ConsumableShares',
      note: 'With the chart value consumableShares: memory, unlimited or a number. Not for devices of type vfio.',
    },
    taints: {
      state: 'switch',
      by: 'featureGates.NVMLDeviceHealthCheck',
      note: 'Keys gpu.nvidia.com/xid (NoSchedule, or None if harmless), /gpu-lost (NoSchedule), /unmonitored (None). Kept until a restart.',
    },
    healthStream: { state: 'no' },
    deviceMetadata: { state: 'switch', by: 'featureGates.DeviceMetadata' },
  },
  installs: NVIDIA_GPU_INSTALLS,
  legacy: [NVIDIA_DEVICE_PLUGIN],
  abilities: {
    observe: { scope: 'no', how: 'Publishes all devices as soon as it has started; no flag holds that back.' },
    freeze: {
      scope: 'no',
      how: 'Publishes as long as it runs. A DeviceTaintRule on driver and pool keeps new claims away where the cluster has device taints.',
    },
  },
};

import { NVIDIA_COMPUTE_DOMAIN_CONFIG_KINDS } from './nvidia-config';
import { NVIDIA_GPU_INSTALLS, NVIDIA_READ, NVIDIA_VERSION_ALIASES } from './nvidia-install';
import type { DriverProfileFacts } from './profile';

/** NVIDIA's DRA driver, the part that gives out IMEX channels of multi-node NVLink. It owns no GPUs and can run beside the device plugin. */
export const NVIDIA_COMPUTE_DOMAIN: DriverProfileFacts = {
  id: 'nvidia-compute-domain',
  driverName: 'compute-domain.nvidia.com',
  family: 'compute-domain',
  depth: 'full',
  read: NVIDIA_READ,
  versionAliases: NVIDIA_VERSION_ALIASES,
  sources: {
    featureGates: ['pkg/featuregates/featuregates.go'],
    deviceTypes: ['cmd/compute-domain-kubelet-plugin/deviceinfo.go'],
    attributes: ['cmd/compute-domain-kubelet-plugin/deviceinfo.go'],
    configKinds: ['api/nvidia.com/resource/v1beta1/computedomainconfig.go', 'api/nvidia.com/resource/v1beta1/computedomain.go'],
    installedClasses: [
      'deployments/helm/dra-driver-nvidia-gpu/templates/',
      'NVIDIA/gpu-operator:manifests/state-dra-driver/0420_deviceclass-compute-domains.yaml',
    ],
    publishes: ['cmd/compute-domain-kubelet-plugin/deviceinfo.go'],
    installs: ['deployments/helm/dra-driver-nvidia-gpu/'],
    abilities: ['deployments/helm/dra-driver-nvidia-gpu/values.yaml'],
  },
  featureGates: [
    {
      name: 'IMEXDaemonsWithDNSNames',
      default: true,
      stage: 'beta',
      versions: { from: '0.2' },
      description: 'IMEX daemons find each other by DNS names.',
    },
    {
      name: 'ComputeDomainCliques',
      default: true,
      stage: 'beta',
      versions: { from: '0.3' },
      requires: ['IMEXDaemonsWithDNSNames'],
      description: 'Daemons report in ComputeDomainClique objects.',
    },
    {
      name: 'CrashOnNVLinkFabricErrors',
      default: true,
      stage: 'beta',
      versions: { from: '0.3' },
      description: 'The plugin stops on fabric errors instead of going on without fabric.',
    },
    {
      name: 'HostManagedIMEXDaemon',
      default: false,
      stage: 'alpha',
      versions: { from: '0.5' },
      description: 'Allows resources.computeDomains.imex.mode=hostManaged.',
    },
  ],
  deviceTypes: [
    { id: 'channel', deviceName: 'channel-<id>', description: 'An IMEX channel.' },
    { id: 'daemon', deviceName: 'daemon-<id>', description: 'The right to run the IMEX daemon of the node.' },
  ],
  attributes: [
    { id: 'type', type: 'string', values: ['channel', 'daemon'], description: 'What the device is.', example: 'channel' },
    { id: 'id', type: 'int', description: 'Number of the channel or daemon.', example: 0 },
  ],
  capacities: [],
  config: 'known',
  configKinds: NVIDIA_COMPUTE_DOMAIN_CONFIG_KINDS,
  installedClasses: [
    {
      name: 'compute-domain-daemon.nvidia.com',
      selectors: ["device.driver == 'compute-domain.nvidia.com' && device.attributes['compute-domain.nvidia.com'].type == 'daemon'"],
      option: 'resources.computeDomains.enabled',
    },
    {
      name: 'compute-domain-default-channel.nvidia.com',
      selectors: [
        "device.driver == 'compute-domain.nvidia.com' && device.attributes['compute-domain.nvidia.com'].type == 'channel' "
        + "&& device.attributes['compute-domain.nvidia.com'].id == 0",
      ],
      option: 'resources.computeDomains.enabled',
    },
  ],
  quirks: [{
    id: 'same-pod-as-gpu',
    what: 'One DaemonSet holds the containers of gpu.nvidia.com and compute-domain.nvidia.com.',
    consequence: 'Nodes that keep the device plugin but need channels use an install with resources.gpus.enabled=false.',
    during: ['Canary'],
    source: 'deployments/helm/dra-driver-nvidia-gpu/templates/kubeletplugin.yaml',
  }],
  publishes: {
    attributeNames: 'unqualified',
    capacityNames: 'none',
    pool: 'the node name',
    partitionable: { state: 'no' },
    consumableCapacity: { state: 'no' },
    taints: { state: 'no' },
    healthStream: { state: 'no' },
    deviceMetadata: { state: 'no' },
  },
  installs: NVIDIA_GPU_INSTALLS,
  legacy: [],
  abilities: {
    observe: { scope: 'no', how: 'Publishes its channels while it runs. They are no share of a GPU.' },
    freeze: { scope: 'no', how: 'A DeviceTaintRule on driver and pool, where the cluster has device taints.' },
  },
};

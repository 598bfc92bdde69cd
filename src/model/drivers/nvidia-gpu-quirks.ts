import type { Quirk } from './profile';

/** What surprises in `gpu.nvidia.com`. */
export const NVIDIA_GPU_QUIRKS: readonly Quirk[] = [
  {
    id: 'bridge-open-on-install',
    versions: { from: '0.3' },
    what: 'The chart\'s class gpu.nvidia.com carries extendedResourceName nvidia.com/gpu wherever resource.k8s.io/v1 is served.',
    consequence: 'On clusters with DRAExtendedResource (on by default from 1.36) pods that ask for nvidia.com/gpu may land on DRA nodes as soon '
      + 'as the chart is installed. '
      + 'Remove the name from the class, or install the classes apart from the chart.',
    during: ['Canary'],
    source: 'deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-gpu.yaml',
  },
  {
    id: 'operator-class-without-bridge',
    what: 'The class gpu.nvidia.com that the GPU operator makes has no extendedResourceName.',
    consequence: 'Pods that ask for nvidia.com/gpu stay pending after a move to the operator\'s DRA stack until a class with that name exists.',
    during: ['AllWorkloads'],
    source: 'NVIDIA/gpu-operator:manifests/state-dra-driver/0400_deviceclass-gpu.yaml',
  },
  {
    id: 'operator-one-stack',
    what: 'ClusterPolicy and GPUCluster exclude each other, and each sweeps the deploy labels of the other stack off every node.',
    consequence: 'A pool-by-pool move uses the operator for the plugin and the driver\'s own chart for DRA.',
    during: ['Canary'],
    source: 'NVIDIA/gpu-operator:controllers/nodelabeling_controller.go',
  },
  {
    id: 'time-slice-interval',
    what: 'The check of a GpuConfig reads timeSlicingConfig.interval without looking whether it is there; a missing one is a nil pointer.',
    consequence: 'The webhook, or the plugin on the node, panics on the claim. Name the interval or leave timeSlicingConfig out.',
    source: 'api/nvidia.com/resource/v1beta1/validate.go',
  },
  {
    id: 'mps-not-with-shares',
    versions: { from: '0.5' },
    what: 'Strategy MPS is refused when a claim is prepared if consumableShares is on, and with DynamicMIG.',
    consequence: 'The pod hangs in ContainerCreating on its node instead of being refused before.',
    source: 'cmd/gpu-kubelet-plugin/device_state.go',
  },
  {
    id: 'all-nodes-restart',
    what: 'updateStrategy allows 100 % unavailable.',
    consequence: 'A changed chart value restarts the driver on all nodes at once.',
    during: ['Canary', 'Hold'],
    source: 'deployments/helm/dra-driver-nvidia-gpu/values.yaml',
  },
  {
    id: 'slice-policy-account',
    what: 'The chart\'s ValidatingAdmissionPolicy for slices names the account <fullname>-service-account, the plugin runs as '
      + '<fullname>-service-account-kubeletplugin.',
    consequence: 'The policy restricts nobody. The GPU operator\'s policy names the right account.',
    source: 'deployments/helm/dra-driver-nvidia-gpu/templates/validatingadmissionpolicy.yaml',
  },
  {
    id: 'taints-not-taken-back',
    versions: { from: '0.4' },
    what: 'Health taints are only added, and a failed publish of a taint is logged but not tried again.',
    consequence: 'A recovered device stays tainted until the plugin restarts; a lost one may stay on offer.',
    during: ['Hold'],
    source: 'cmd/gpu-kubelet-plugin/driver.go',
  },
  {
    id: 'pci-address-renamed',
    versions: { from: '0.3' },
    what: 'pcieBusID became resource.kubernetes.io/pciBusID.',
    consequence: 'Selectors on the old name match nothing or fail with a missing key.',
    source: 'cmd/gpu-kubelet-plugin/deviceinfo.go',
  },
  {
    id: 'slices-by-server-version',
    versions: { from: '0.3' },
    what: 'With DynamicMIG the layout of the slices is chosen from the version of the API server when the plugin starts.',
    consequence: 'After an upgrade of the control plane to 1.35 or later, restart the plugin.',
    during: ['PluginRemoved'],
    source: 'cmd/gpu-kubelet-plugin/driver.go',
  },
  {
    id: 'lock-patience',
    what: 'Prepare and unprepare of a node wait for one lock, 10 s at most.',
    consequence: 'Many claims on one node at once fail and are tried again by the kubelet.',
    source: 'cmd/gpu-kubelet-plugin/driver.go',
  },
];

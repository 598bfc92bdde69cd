import type { DriverProfileFacts } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';

const DRIVER = 'sriovnetwork.k8snetworkplumbingwg.io';
const MULTUS = 'k8s.cni.cncf.io';

/** The DRA driver for SR-IOV virtual functions of the Network Plumbing Working Group. */
export const SRIOV: DriverProfileFacts = {
  id: 'sriov',
  driverName: DRIVER,
  family: 'nic',
  depth: 'full',
  read: [
    {
      project: 'k8snetworkplumbingwg/dra-driver-sriov',
      commit: 'cd9404f0301e088653abb562df6ed8b106b097d6',
      date: '2026-08-19',
      release: 'main; chart 0.0.0-dev',
    },
    {
      project: 'k8snetworkplumbingwg/sriov-network-device-plugin',
      commit: '40b6f507e74ccc7b04c64cfe8823522e9d2f8b2e',
      date: '2026-06-25',
      release: 'v3.11.0 and 28 commits',
    },
  ],
  sources: {
    deviceTypes: ['pkg/devicestate/discovery.go'],
    attributes: ['pkg/consts/consts.go', 'pkg/devicestate/discovery.go', 'pkg/host/host.go'],
    configKinds: ['pkg/api/virtualfunction/v1alpha1/api.go', 'pkg/devicestate/state.go', 'pkg/host/host.go'],
    installedClasses: ['deployments/helm/dra-driver-sriov/templates/deviceclass.yaml'],
    publishes: ['pkg/driver/driver.go', 'pkg/devicestate/discovery.go'],
    installs: ['deployments/helm/dra-driver-sriov/'],
    legacy: [
      'k8snetworkplumbingwg/sriov-network-device-plugin:deployments/sriovdp-daemonset.yaml',
      'k8snetworkplumbingwg/sriov-network-device-plugin:README.md',
    ],
    abilities: ['pkg/driver/driver.go', 'pkg/api/sriovdra/v1alpha1/api.go'],
  },
  featureGates: [],
  deviceTypes: [{ id: 'vf', deviceName: '<PCI address with "-" for ":" and ".">', description: 'A virtual function of a network card.' }],
  attributes: [
    { id: 'vendor', type: 'string', description: 'PCI vendor id of the physical function.', example: '15b3' },
    { id: 'deviceID', type: 'string', description: 'PCI device id of the virtual function.', example: '101e' },
    { id: 'pfDeviceID', type: 'string', description: 'PCI device id of the physical function.', example: '1021' },
    { id: 'pciAddress', type: 'string', description: 'PCI address of the virtual function.', example: '0000:08:00.2' },
    { id: 'pfPciAddress', type: 'string', description: 'PCI address of the physical function.', example: '0000:08:00.0' },
    { id: 'PFName', type: 'string', description: 'Interface name of the physical function.', example: 'ens1f0np0' },
    {
      id: 'EswitchMode',
      type: 'string',
      description: 'Mode of the card\'s switch as devlink reports it; legacy where it does not.',
      example: 'switchdev',
    },
    { id: 'vfID', type: 'int', description: 'Number of the virtual function on its physical function.', example: 0 },
    { id: 'linkType', type: 'string', values: ['ethernet', 'infiniband', 'unknown'], description: 'Link layer.', example: 'ethernet' },
    { id: 'rdmaCapable', type: 'bool', description: 'Whether the virtual function has an RDMA device.', example: true },
    {
      id: 'resourceName',
      type: 'string',
      sometimes: 'Only where a DeviceAttributes object sets it.',
      description: 'Name that an administrator gives a group of functions; the successor of the plugin\'s resource pools.',
      example: 'port1-vfs',
    },
    { id: 'deviceID', domain: MULTUS, type: 'string', description: 'PCI address of the virtual function, for Multus.', example: '0000:08:00.2' },
    {
      id: 'resourceName',
      domain: MULTUS,
      type: 'string',
      sometimes: 'Only where a DeviceAttributes object sets it.',
      description: 'Resource name that a network attachment definition refers to, for Multus.',
      example: 'example.com/port1',
    },
    { id: 'numaNode', domain: 'dra.net', type: 'int', description: 'NUMA node under the name that DRANET uses; -1 where there is none.', example: 0 },
    STANDARD_ATTRIBUTES.pciBusID,
    { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined },
  ],
  moreAttributes: 'DeviceAttributes objects, chosen by a SriovResourcePolicy, add any attribute except those of the discovery.',
  capacities: [],
  config: 'known',
  configKinds: [{
    apiVersion: `${DRIVER}/v1alpha1`,
    kind: 'VfConfig',
    unknownFields: 'refused',
    description: 'How the virtual function is set up in the pod.',
    fields: [
      {
        name: 'driver',
        type: 'string',
        description: 'Kernel driver to bind, e.g. vfio-pci; "default" for the card\'s own, empty or absent for no change.',
      },
      { name: 'addVhostMount', type: 'bool', description: 'Adds /dev/vhost-net and /dev/net/tun to the container.' },
      {
        name: 'ifName',
        type: 'string',
        maximum: 15,
        description: 'Name of the interface in the pod, at most 15 characters in Linux; numbered if absent.',
      },
      { name: 'netAttachDefName', type: 'string', description: 'NetworkAttachmentDefinition to run. Needed in configuration mode STANDALONE.' },
      { name: 'netAttachDefNamespace', type: 'string', description: 'Its namespace; that of the claim if absent.' },
    ],
  }],
  installedClasses: [{ name: DRIVER, selectors: [`device.driver == '${DRIVER}'`] }],
  quirks: [
    {
      id: 'config-needs-requests',
      what: 'A config of a claim that names no request in its `requests` list is read but applied to nothing, though the API takes an empty list '
        + 'for all requests. '
        + 'Configs of a class are safe: the scheduler adds the request.',
      consequence: 'Write the request\'s name into `requests` of the config.',
      source: 'pkg/devicestate/statehelpers.go',
    },
    {
      id: 'merge-drops-fields',
      what: 'Merging a config over the defaults copies driver, ifName and netAttachDefName only.',
      consequence: 'addVhostMount and netAttachDefNamespace of a config have no effect in the version read.',
      source: 'pkg/api/virtualfunction/v1alpha1/api.go',
    },
    {
      id: 'nothing-without-policy',
      what: 'Only functions that a SriovResourcePolicy in the driver\'s namespace selects are published.',
      consequence: 'A fresh install publishes empty slices: write policies first. '
        + 'Functions that the device plugin still offers must be in no policy.',
      during: ['Canary'],
      source: 'pkg/driver/driver.go',
    },
    {
      id: 'one-pod-per-claim',
      what: 'A claim that is reserved for more than one pod is refused.',
      consequence: 'Use a template, so that each pod gets its own claim.',
      source: 'pkg/driver/dra_hook.go',
    },
    {
      id: 'empty-pcie-root',
      what: 'pcieRoot is written as an empty text where it cannot be found.',
      consequence: 'matchAttribute treats all such devices as being on one root.',
      source: 'pkg/devicestate/discovery.go',
    },
  ],
  publishes: {
    attributeNames: 'qualified',
    capacityNames: 'none',
    pool: 'the node name',
    partitionable: { state: 'no' },
    consumableCapacity: { state: 'no' },
    taints: { state: 'no' },
    healthStream: { state: 'no' },
    deviceMetadata: { state: 'switch', by: 'kubeletPlugin.enableDeviceMetadata' },
  },
  installs: [{
    id: 'chart',
    chart: 'dra-driver-sriov-chart',
    namespace: 'dra-driver-sriov',
    daemonSet: '<fullname>-kubeletplugin',
    podLabels: { 'app.kubernetes.io/component': 'kubeletplugin' },
    serviceAccounts: ['<fullname>-service-account'],
    tolerations: [],
    settings: [
      { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletRegistrarDirectoryPath', default: '/var/lib/kubelet/plugins_registry' },
      { purpose: 'kubelet-root', path: 'kubeletPlugin.kubeletPluginsDirectoryPath', default: '/var/lib/kubelet/plugins' },
      { purpose: 'tolerations', path: 'kubeletPlugin.tolerations' },
      { purpose: 'node-selection', path: 'kubeletPlugin.nodeSelector' },
      { purpose: 'node-selection', path: 'kubeletPlugin.affinity' },
      { purpose: 'update-strategy', path: 'kubeletPlugin.updateStrategy', default: 'RollingUpdate' },
      {
        purpose: 'enable',
        path: 'kubeletPlugin.configurationMode',
        default: 'STANDALONE',
        note: 'STANDALONE runs the network attachment itself, MULTUS leaves it to Multus.',
      },
      {
        purpose: 'observe',
        path: 'SriovResourcePolicy spec.nodeSelector',
        note: 'Objects in the driver\'s namespace decide per node what is published.',
      },
      { purpose: 'cdi-root', path: '', default: '/var/run/cdi', note: 'Fixed in the template.' },
    ],
  }],
  legacy: [{
    project: 'k8snetworkplumbingwg/sriov-network-device-plugin',
    resources: [
      {
        name: '<prefix>/<pool>',
        unitsPerDevice: 1,
        note: 'Prefix intel.com unless the config or -resource-prefix says otherwise; pools come from the plugin\'s ConfigMap.',
      },
    ],
    daemonSets: [{
      name: 'kube-sriov-device-plugin',
      podLabels: { name: 'sriov-device-plugin', tier: 'node', app: 'sriovdp' },
      installedBy: 'manifest in kube-system',
    }],
    switches: [],
    nodeLabels: [],
    tolerations: [],
  }],
  abilities: {
    observe: { scope: 'node', how: 'Runs without publishing on every node that no SriovResourcePolicy selects.' },
    freeze: {
      scope: 'node',
      how: 'Take the node out of its SriovResourcePolicy objects: its slice becomes empty, claims it holds are still served.',
    },
  },
};

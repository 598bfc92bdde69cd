import { CLOUD_ATTRIBUTES } from './dranet-clouds';
import { DRANET_CONFIG_KINDS } from './dranet-config';
import type { AttributeFact, DriverProfileFacts } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';

const INTERFACES = ['interface'];
const PCI = 'Missing on devices without a PCI address.';

const ATTRIBUTES: readonly AttributeFact[] = [
  { id: 'ifName', type: 'string', devices: INTERFACES, description: 'Name of the interface on the host.', example: 'eth1' },
  { id: 'mac', type: 'string', devices: INTERFACES, description: 'MAC address.', example: '02:42:ac:11:00:02' },
  { id: 'mtu', type: 'int', devices: INTERFACES, description: 'MTU on the host.', example: 1500 },
  { id: 'encapsulation', type: 'string', devices: INTERFACES, description: 'Link layer that the kernel reports.', example: 'ether' },
  { id: 'alias', type: 'string', devices: INTERFACES, description: 'Alias of the interface; may be empty.', example: '' },
  {
    id: 'state',
    type: 'string',
    devices: INTERFACES,
    values: ['dormant', 'down', 'lower-layer-down', 'not-present', 'testing', 'unknown', 'up'],
    description: 'Operational state when the slice was written.',
    example: 'up',
  },
  { id: 'type', type: 'string', devices: INTERFACES, description: 'Sort of interface in the terms of netlink.', example: 'device' },
  {
    id: 'ipv4',
    type: 'string',
    devices: INTERFACES,
    sometimes: 'Missing without a global address.',
    description: 'Global addresses with prefix length, comma separated, cut to 64 bytes.',
    example: '192.0.2.10/24',
  },
  {
    id: 'ipv6',
    type: 'string',
    devices: INTERFACES,
    sometimes: 'Missing without a global address.',
    description: 'Global addresses with prefix length, comma separated, cut to 64 bytes.',
    example: '2001:db8::10/64',
  },
  { id: 'ebpf', type: 'bool', devices: INTERFACES, description: 'Whether TC or TCX programs are attached.', example: false },
  {
    id: 'tcFilterNames',
    type: 'string',
    devices: INTERFACES,
    sometimes: 'Missing without TC filters.',
    description: 'Names of the TC filters, comma separated.',
    example: 'cil_from_netdev',
  },
  {
    id: 'tcxProgramNames',
    type: 'string',
    devices: INTERFACES,
    sometimes: 'Missing without TCX programs.',
    description: 'Names of the TCX programs, comma separated.',
    example: 'handle_ingress',
  },
  { id: 'sriov', type: 'bool', devices: INTERFACES, description: 'Whether the interface can have virtual functions.', example: true },
  {
    id: 'sriovVfs',
    type: 'int',
    devices: INTERFACES,
    sometimes: 'Missing where sriov is false.',
    description: 'Number of virtual functions that exist.',
    example: 8,
  },
  {
    id: 'isSriovVf',
    type: 'bool',
    devices: INTERFACES,
    sometimes: 'Only on virtual functions, where it is true.',
    description: 'The interface is a virtual function.',
    example: true,
  },
  { id: 'virtual', type: 'bool', devices: INTERFACES, description: 'Whether the interface has no hardware of its own.', example: false },
  { id: 'rdma', type: 'bool', description: 'Whether the device can do RDMA.', example: true },
  { id: 'rdmaDevice', type: 'string', sometimes: 'Missing where rdma is false.', description: 'Name of the RDMA device.', example: 'mlx5_0' },
  { id: 'pciAddress', type: 'string', sometimes: PCI, description: 'PCI address.', example: '0000:8a:00.0' },
  { id: 'pciVendor', type: 'string', sometimes: PCI, description: 'Vendor name from the PCI data base.', example: 'Mellanox Technologies' },
  { id: 'pciDevice', type: 'string', sometimes: PCI, description: 'Product name from the PCI data base.', example: 'MT2910 Family [ConnectX-7]' },
  { id: 'pciSubsystem', type: 'string', sometimes: PCI, description: 'PCI subsystem id.', example: '0040' },
  { id: 'numaNode', type: 'int', sometimes: PCI, description: 'NUMA node, the driver\'s own name for it.', example: 0 },
  { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined, sometimes: PCI },
  { ...STANDARD_ATTRIBUTES.numaNode, versions: { from: '1.5' }, sometimes: 'Missing without a PCI address or NUMA node.' },
  ...CLOUD_ATTRIBUTES,
];

/** DRANET: network interfaces and RDMA devices of the host. */
export const DRANET: DriverProfileFacts = {
  id: 'dranet',
  driverName: 'dra.net',
  family: 'nic',
  depth: 'full',
  read: [
    { project: 'kubernetes-sigs/dranet', commit: 'f258477cbea0551b7ad239e3873a997a7a3d116b', date: '2026-08-21', release: 'v1.4.0 and 70 commits' },
  ],
  sources: {
    featureGates: ['pkg/features/features.go'],
    deviceTypes: ['pkg/inventory/db.go'],
    attributes: ['pkg/apis/attributes.go', 'pkg/inventory/db.go', 'pkg/cloudprovider/'],
    configKinds: ['pkg/apis/types.go', 'pkg/apis/validation.go'],
    publishes: ['pkg/driver/dra_hooks.go', 'pkg/driver/driver.go'],
    installs: ['deployments/helm/dranet/'],
    abilities: ['cmd/dranet/app.go', 'pkg/filter/filter.go'],
  },
  featureGates: [
    {
      name: 'DRAListTypeAttributes',
      default: false,
      stage: 'alpha',
      description: 'numaNode as a list; the cluster needs its gate of the same name.',
    },
    {
      name: 'PersistentResourceSliceAttributes',
      default: false,
      stage: 'alpha',
      versions: { from: '1.4' },
      description: 'Keeps the attributes of devices in use over restarts of the driver.',
    },
  ],
  deviceTypes: [
    {
      id: 'interface',
      deviceName: '<PCI address or interface, made a DNS label>',
      description: 'A network interface, physical or virtual, but not loopback.',
    },
    { id: 'rdma', deviceName: '<PCI address, made a DNS label>', description: 'An RDMA device without a network interface. It has no ifName.' },
  ],
  attributes: ATTRIBUTES,
  moreAttributes: 'The provider plug-ins for clouds (AWS device groups among them) and the webhook provider add attributes under domains of their '
    + 'own.',
  capacities: [],
  config: 'known',
  configKinds: DRANET_CONFIG_KINDS,
  installedClasses: [],
  quirks: [
    {
      id: 'class-config-wins',
      what: 'Of several configs for one request the first is taken and the others are dropped; those of the class come first.',
      consequence: 'A config in the class hides the config of the claim. Put it in one place only.',
      source: 'pkg/driver/dra_hooks.go',
    },
    {
      id: 'one-pod-per-claim',
      what: 'A claim that is reserved for more than one pod, or for anything but a pod, is refused.',
      consequence: 'Use a template, so that each pod gets its own claim.',
      source: 'pkg/driver/dra_hooks.go',
    },
    {
      id: 'interfaces-in-use-on-offer',
      what: 'Every interface but loopback and a few ignored names is published; the default filter leaves out veth pairs only.',
      consequence: 'A class needs selectors that keep the node\'s own interfaces away.',
      during: ['Canary'],
      source: 'cmd/dranet/app.go',
    },
    {
      id: 'filter-errors-let-pass',
      what: 'A device for which the filter expression fails is published.',
      consequence: 'Guard the filter against missing attributes with "in".',
      source: 'pkg/filter/filter.go',
    },
    {
      id: 'no-class',
      what: 'The chart installs no DeviceClass.',
      consequence: 'The platform writes the classes.',
      source: 'deployments/helm/dranet/templates/',
    },
    {
      id: 'vrf-name',
      what: 'interface.vrf.name is declared optional and documented as derived, but the check demands it.',
      consequence: 'Always name the VRF.',
      source: 'pkg/apis/validation.go',
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
    deviceMetadata: { state: 'no' },
  },
  installs: [{
    id: 'chart',
    chart: 'dranet',
    daemonSet: '<release>-dranet, or the release name alone where it contains dranet',
    podLabels: { 'k8s-app': 'dranet' },
    serviceAccounts: ['<fullname>'],
    tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
    settings: [
      { purpose: 'kubelet-root', path: 'kubeletRootDir', default: '/var/lib/kubelet' },
      { purpose: 'tolerations', path: 'tolerations' },
      { purpose: 'node-selection', path: 'nodeSelector' },
      { purpose: 'node-selection', path: 'affinity' },
      {
        purpose: 'observe',
        path: 'args.filter',
        default: '!("dra.net/type" in attributes) || attributes["dra.net/type"].StringValue  != "veth"',
        note: 'CEL over `attributes`; "false" publishes nothing.',
      },
      { purpose: 'feature-gates', path: 'args.featureGates' },
    ],
  }],
  legacy: [],
  abilities: {
    observe: { scope: 'all', how: 'With args.filter "false" it runs and serves but publishes no device, on every node of the install.' },
    freeze: {
      scope: 'all',
      how: 'args.filter "false" empties the slices of every node of the install after a restart of its pods; '
        + 'claims it holds stay recorded on the node.',
    },
  },
};

import type { ConfigField, ConfigItems, ConfigKind } from './config-kind';

// pkg/apis/types.go, pkg/apis/validation.go, pkg/apis/defaults.go

const HEX = '[0-9A-Fa-f]';
/** What Go's net.ParseMAC takes: 6, 8 or 20 bytes, with colons, dashes or dots. */
const MAC = {
  matches: `${HEX}{2}([:-]${HEX}{2}){5}|${HEX}{2}([:-]${HEX}{2}){7}|${HEX}{2}([:-]${HEX}{2}){19}|${HEX}{4}(\\.${HEX}{4}){2,9}`,
  words: 'a MAC address such as 02:42:ac:11:00:02',
};
const CIDR = { matches: '[0-9A-Fa-f.:]+/[0-9]{1,3}', words: 'an address with a prefix length such as 192.0.2.1/24' };
const ADDRESS = { matches: '[0-9A-Fa-f.:]+', words: 'an IP address such as 192.0.2.1' };
const ON_OFF: ConfigItems = { type: 'bool' };

/** RT_SCOPE_UNIVERSE and RT_SCOPE_LINK of Linux. */
const LINK_SCOPE = 253;

const positive = (name: string, description: string): ConfigField => ({ name, type: 'int', minimum: 1, description });
const bool = (name: string, description: string): ConfigField => ({ name, type: 'bool', description });

const VRF: ConfigField = {
  name: 'vrf',
  type: 'object',
  description: 'The VRF device that the interface is put into.',
  shape: {
    fields: [
      { name: 'name', type: 'string', required: true, minimum: 1, description: 'Name of the VRF device.' },
      positive('table', 'Routing table; not 253, 254 or 255. Derived from the name if absent.'),
    ],
    rules: [253, 254, 255].map(table => ({
      when: { path: 'table', equals: table },
      refuses: 'table',
      rule: `${table}, a table that Linux keeps for itself`,
      help: 'Choose another number or leave it out.',
    })),
  },
};

const INTERFACE: ConfigField = {
  name: 'interface',
  type: 'object',
  description: 'The interface as the pod sees it. Not for RDMA devices without a network interface.',
  shape: {
    fields: [
      {
        name: 'name',
        type: 'string',
        maximum: 15,
        pattern: { matches: '(?!\\.{1,2}$)[\\p{L}\\p{Nd}._-]*', words: 'letters, digits, "-", "_" and "."' },
        description: 'Name of the interface in the pod; that of the host if absent.',
      },
      { name: 'addresses', type: 'list', items: { type: 'string', pattern: CIDR }, description: 'Addresses with prefix length.' },
      bool('dhcp', 'Asks a DHCP server on the interface while the claim is prepared, for 5 s at most.'),
      { name: 'mtu', type: 'int', minimum: 68, description: 'MTU; of a virtual function not above that of its physical function.' },
      { name: 'hardwareAddr', type: 'string', pattern: MAC, description: 'MAC address.' },
      positive('gsoMaxSize', 'Largest segmentation offload for IPv6.'),
      positive('groMaxSize', 'Largest receive offload for IPv6.'),
      positive('gsoIPv4MaxSize', 'Largest segmentation offload for IPv4.'),
      positive('groIPv4MaxSize', 'Largest receive offload for IPv4.'),
      bool('disableEbpfPrograms', 'Detaches TC and TCX programs from the interface.'),
      bool('forwarding', 'IP forwarding on this interface.'),
      { name: 'arpIgnore', type: 'int', values: [0, 1, 2, 3, 8].map(value => ({ value })), description: 'Linux arp_ignore of the interface.' },
      { name: 'arpAnnounce', type: 'int', values: [0, 1, 2].map(value => ({ value })), description: 'Linux arp_announce of the interface.' },
      VRF,
    ],
    rules: [{
      when: { path: 'dhcp', equals: true },
      refuses: 'addresses',
      rule: 'set with dhcp',
      help: "Remove 'addresses' or 'dhcp'.",
    }],
  },
};

const ROUTE: ConfigItems = {
  type: 'object',
  shape: {
    fields: [
      { name: 'destination', type: 'string', required: true, pattern: CIDR, description: 'Target network; /32 or /128 for one host.' },
      { name: 'gateway', type: 'string', pattern: ADDRESS, description: 'Next hop, of the same IP family as the destination.' },
      { name: 'source', type: 'string', pattern: ADDRESS, description: 'Source address, of the same IP family as the destination.' },
      { name: 'scope', type: 'int', values: [{ value: 0 }, { value: LINK_SCOPE }], description: '0 for a route over a gateway, 253 for the link.' },
      { name: 'table', type: 'int', minimum: 0, description: 'Routing table; ignored inside a VRF.' },
    ],
    rules: [{
      unless: { path: 'scope', equals: LINK_SCOPE },
      requires: 'gateway',
      rule: 'set unless scope is 253',
      help: "Add 'gateway', or set 'scope' to 253 for a route on the link.",
    }],
  },
};

const RULE: ConfigItems = {
  type: 'object',
  shape: {
    fields: [
      { name: 'priority', type: 'int', minimum: 0, maximum: 32767, description: 'Priority of the rule.' },
      { name: 'source', type: 'string', pattern: CIDR, description: 'Source network.' },
      { name: 'destination', type: 'string', pattern: CIDR, description: 'Target network, of the same IP family as the source.' },
      { name: 'table', type: 'int', minimum: 0, description: 'Routing table to look in.' },
    ],
  },
};

const NEIGHBOR: ConfigItems = {
  type: 'object',
  shape: {
    fields: [
      { name: 'destination', type: 'string', required: true, pattern: ADDRESS, description: 'Address of the neighbour.' },
      { name: 'hardwareAddr', type: 'string', required: true, pattern: MAC, description: 'MAC address of the neighbour.' },
    ],
  },
};

/** The opaque config of `dra.net`: a plain object without apiVersion and kind. */
export const DRANET_CONFIG_KINDS: readonly ConfigKind[] = [{
  unknownFields: 'refused',
  description: 'How the interface is set up in the pod.',
  fields: [
    { name: 'profile', type: 'string', description: 'Name of a set of parameters that the provider plug-in resolves.' },
    INTERFACE,
    { name: 'routes', type: 'list', items: ROUTE, description: 'Static routes.' },
    { name: 'rules', type: 'list', items: RULE, description: 'Routing rules.' },
    { name: 'neighbors', type: 'list', items: NEIGHBOR, description: 'Fixed ARP or NDP entries.' },
    {
      name: 'ethtool',
      type: 'object',
      description: 'Offload settings.',
      shape: {
        fields: [
          { name: 'features', type: 'map', items: ON_OFF, description: 'Feature name of ethtool to on or off.' },
          { name: 'privateFlags', type: 'map', items: ON_OFF, description: 'Private flag of the kernel driver to on or off.' },
        ],
      },
    },
  ],
  rules: [{
    when: { path: 'interface.vrf' },
    refuses: 'rules',
    rule: 'set with interface.vrf',
    help: "Remove 'rules' or 'interface.vrf': routing inside a VRF follows its own table.",
  }],
}];

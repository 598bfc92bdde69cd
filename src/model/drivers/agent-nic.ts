import { agentConfigVersion, agentDriver, PCI_ATTRIBUTES } from './agent-driver';

/** The node agent as driver of network functions. */
export const AGENT_NIC = agentDriver('nic', {
  source: 'driver/src/devices/nic/',
  deviceTypes: [
    { id: 'vf', deviceName: 'vf-<PCI address>', description: 'A virtual function.' },
    { id: 'port', deviceName: 'nic-<PCI address>', description: 'A port with its interface.' },
    { id: 'sharedPort', deviceName: 'nic-<PCI address>', description: 'A port of which claims take bandwidth; each gets a virtual function.' },
  ],
  attributes: [
    { id: 'type', type: 'string', values: ['port', 'sharedPort', 'vf'], description: 'What the device is.', example: 'vf' },
    { id: 'physicalFunction', type: 'string', devices: ['vf'], description: 'PCI address of the port.', example: '0000:3b:00.0' },
    { id: 'vfIndex', type: 'int', devices: ['vf'], description: 'Number of the virtual function on its port.', example: 0 },
    { id: 'interface', type: 'string', devices: ['port', 'sharedPort'], sometimes: 'Where the port has one.', description: 'Network interface of the port on the host.', example: 'ens1f0np0' },
    { id: 'physicalInterface', type: 'string', devices: ['vf'], sometimes: 'Where the port has one.', description: 'Network interface of the port on the host.', example: 'ens1f0np0' },
    { id: 'linkType', type: 'string', values: ['ethernet', 'infiniband'], sometimes: 'Where the kernel tells it.', description: 'Link layer of the port.', example: 'ethernet' },
    { id: 'speedMbps', type: 'int', sometimes: 'Where the port had a link since the agent started.', description: 'Speed of the port\'s link in Mbit/s.', example: 100000 },
    { id: 'rdma', type: 'bool', description: 'Whether it has an RDMA device.', example: true },
    { id: 'kernelDriver', type: 'string', sometimes: 'Where one is bound to the port.', description: 'Kernel driver.', example: 'mlx5_core' },
    ...PCI_ATTRIBUTES,
  ],
  capacities: [
    { id: 'bandwidth', devices: ['sharedPort'], shared: true, description: 'Bits per second.', example: '100G' },
    { id: 'shares', devices: ['sharedPort'], shared: true, description: 'Claims that may have a share at once.', example: '8' },
  ],
  consumableCapacity: { state: 'yes' },
  configKinds: [{
    apiVersion: agentConfigVersion('nic'),
    kind: 'NicConfig',
    unknownFields: 'refused',
    emptyFields: 'refused',
    description: 'What whoever moves the interface into the pod is told.',
    fields: [{
      name: 'interfaceName',
      type: 'string',
      maximum: 15,
      pattern: { matches: '(?!\\.{1,2}$)[^\\s/:]+', words: 'the name of a network interface, such as net1: without spaces, \'/\' and \':\'' },
      description: 'Name of the interface inside the pod.',
    }],
  }],
});

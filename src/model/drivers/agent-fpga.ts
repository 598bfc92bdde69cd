import { agentConfigVersion, agentDriver, PCI_ATTRIBUTES } from './agent-driver';

/** The node agent as driver of FPGAs. */
export const AGENT_FPGA = agentDriver('fpga', {
  source: 'driver/src/devices/fpga/',
  deviceTypes: [
    { id: 'dfl', deviceName: 'fpga-<PCI address>-port-<n>', description: 'A port of a card with a device feature list.' },
    { id: 'xrt', deviceName: 'fpga-<PCI address>', description: 'The user function of a card of the XRT driver.' },
    { id: 'manager', deviceName: 'fpga-<manager>', description: 'What an FPGA manager alone speaks for.' },
  ],
  attributes: [
    { id: 'type', type: 'string', values: ['dfl', 'manager', 'xrt'], description: 'How the kernel shows it.', example: 'dfl' },
    {
      id: 'shellId',
      type: 'string',
      sometimes: 'Where the kernel tells it.',
      description: 'Shell: the interface id of a DFL card, the VBNV name of an XRT card, the name of an FPGA manager.',
      example: 'ce48969398f05f33946d560708be108a',
    },
    { id: 'shellVersion', type: 'version', devices: ['dfl', 'xrt'], sometimes: 'Where the shell tells it.', description: 'Version of the shell.', example: '1.2.3' },
    { id: 'programmable', type: 'bool', description: 'Whether claims can name an image; attributes image_<id> say which.', example: true },
    {
      id: 'functionId',
      type: 'string',
      devices: ['dfl', 'xrt'],
      sometimes: 'Of fixed functions; of a programmable one it would tell what the last tenant had.',
      description: 'Function: AFU id of a DFL port, UUID of an xclbin.',
      example: 'f7df405cbd7acf7222f144b0b93acd18',
    },
    { id: 'bitstreamId', type: 'string', devices: ['dfl'], sometimes: 'Where the card tells it.', description: 'Bitstream id of the shell.', example: '0x23000410010310' },
    { id: 'port', type: 'string', devices: ['dfl'], description: 'Number of the port on its card.', example: '0' },
    { id: 'interfaceId', type: 'string', devices: ['xrt'], sometimes: 'Where the shell tells it.', description: 'Interface UUID of the shell.', example: '937ed70867cf3350bc06304053f8ee2e' },
    { id: 'serialNumber', type: 'string', devices: ['xrt'], sometimes: 'Where the card tells it.', description: 'Serial number of the card.', example: '213505084001' },
    { id: 'timestamp', type: 'string', devices: ['xrt'], sometimes: 'Where the shell tells it.', description: 'When the shell was built.', example: '0x5e8f1a2b' },
    ...PCI_ATTRIBUTES.map(fact => ({ ...fact, sometimes: fact.sometimes ?? 'Not of FPGAs without a PCI function.' })),
  ],
  moreAttributes: 'Each image of the settings that fits adds image_<id>: true, with "_" for "-"; the setting attributes adds any other.',
  capacities: [],
  configKinds: [{
    apiVersion: agentConfigVersion('fpga'),
    kind: 'FpgaConfig',
    unknownFields: 'refused',
    emptyFields: 'refused',
    description: 'What is loaded into an FPGA for a claim.',
    fields: [{
      name: 'image',
      type: 'string',
      maximum: 26,
      pattern: { matches: '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?', words: 'the id of an image: lower-case letters, digits and \'-\'' },
      description: 'Id of an image of the platform\'s list; never a file.',
    }],
  }],
});

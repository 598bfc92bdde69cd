import { agentConfigVersion, agentDriver } from './agent-driver';

/** The node agent as driver of devices that only pretend. */
export const AGENT_SIM = agentDriver('sim', {
  source: 'driver/src/devices/simulated/',
  deviceTypes: [],
  attributes: [],
  moreAttributes: 'Its settings name all attributes.',
  capacities: [],
  moreCapacities: 'Its settings name all capacities.',
  partitionable: { state: 'yes' },
  consumableCapacity: { state: 'yes' },
  configKinds: [{
    apiVersion: agentConfigVersion('sim'),
    kind: 'SimulatedConfig',
    unknownFields: 'refused',
    emptyFields: 'refused',
    description: 'What the container of a simulated device sees in its environment.',
    fields: [
      {
        name: 'mode',
        type: 'string',
        maximum: 32,
        pattern: { matches: '[a-z0-9-]+', words: 'a word of lower-case letters, digits and \'-\'' },
        description: 'Any word.',
      },
      { name: 'level', type: 'int', minimum: 0, maximum: 10, description: 'A number from 0 to 10.' },
    ],
  }],
});

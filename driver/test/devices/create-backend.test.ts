import { readFileSync } from 'node:fs';

import { devicesProblems } from 'cdk8s-dra/model';
import { load } from 'js-yaml';

import { SIGNAL } from './claim-for.js';
import { createBackend } from '../../src/devices/create-backend.js';
import { HostRoot } from '../../src/devices/host/host-root.js';
import { NodeFailure } from '../../src/devices/node-failure.js';

const HOST = { root: new HostRoot('/nowhere'), now: () => 0 };

test.each<[object, string]>([
  [{ backend: 'gpu' }, 'gpu'],
  [{ backend: 'fpga' }, 'fpga'],
  [{ backend: 'nic', offers: [{ as: 'virtual-functions', match: { driver: 'mlx5_core' } }] }, 'nic'],
  [{ backend: 'simulated', fleet: [] }, 'sim'],
])('%j makes a backend of family %s', (section, family) => {
  expect(createBackend(section, HOST).family).toBe(family);
});

test.each<[unknown, string]>([
  [undefined, '\'devices.backend\' must be one of gpu, fpga, nic, simulated, but is missing. Name the kind of hardware that the agent offers.'],
  [{ backend: 'simulatd' }, '\'devices.backend\' must be one of gpu, fpga, nic, simulated, got "simulatd". Did you mean \'simulated\'?'],
  [{ backend: 'constructor' }, '\'devices.backend\' must be one of gpu, fpga, nic, simulated, got "constructor". Name the kind of hardware that the agent offers.'],
  [{ backend: 'gpu', reserve: -1 }, '\'devices.reserve\' must be at least 0, got -1. Choose more.'],
  [{ backend: 'gpu', ordr: [] }, '\'devices.ordr\' is not a field here. Did you mean \'order\'?'],
  [{ backend: 'simulated', fleet: [{ name: 'a', count: 0 }, { nam: 'b' }] }, [
    '\'devices.fleet[0].count\' must be at least 1, got 0. Choose more.',
    '\'devices.fleet[1].name\' must be a text, but is missing. Add it.',
    '\'devices.fleet[1].nam\' is not a field here. Did you mean \'name\'?',
  ].join('\n')],
])('%j is refused with each field that is wrong', (section, message) => {
  expect(() => createBackend(section, HOST)).toThrow(NodeFailure);
  expect(() => createBackend(section, HOST)).toThrow(expect.objectContaining({ code: 'DRA340', failureClass: 'terminal', message }));
});

test('the example of a simulated fleet is right and shows every kind of device', async () => {
  const { devices } = load(readFileSync(new URL('../../../examples/simulated-fleet.yaml', import.meta.url), 'utf8')) as { readonly devices: unknown };
  const inventory = await createBackend(devices, HOST).discover(SIGNAL);

  expect(devicesProblems(devices)).toEqual([]);
  expect(inventory.problems).toEqual([{ code: 'DRA347', subject: 'node-own', message: 'node-own is kept back: the last device is the node\'s reserve.' }]);
  expect(inventory.devices.slice(0, 3).map(({ name }) => name)).toEqual(['older-0', 'older-1', 'gpu-0']);
  expect(inventory.devices).toHaveLength(2 + 6 + 2 * (1 + 7 + 2) + 2);
  expect(inventory.counterSets).toHaveLength(2);
  expect(inventory.devices.filter(({ allowMultipleAllocations }) => allowMultipleAllocations)).toHaveLength(2);
});

import { AGENT_FPGA, AGENT_GPU, AGENT_NIC } from 'cdk8s-dra/model';

import { SIGNAL } from './claim-for.js';
import { profileFaults, publishedName } from './profile-faults.js';
import { HOSTS } from './trees/hosts.js';
import { removeTrees, unpack } from './trees/tree.js';
import { createBackend } from '../../src/devices/create-backend.js';
import type { Inventory } from '../../src/devices/inventory.js';

afterAll(removeTrees);

interface Discovered {
  readonly name: string;
  readonly family: string;
  readonly inventory: Inventory;
}

const discovered = Promise.all(HOSTS.map(async ([name, tree, section]): Promise<Discovered> => {
  const backend = createBackend(section, { root: unpack(tree).root, now: () => 0 });
  return { name, family: backend.family, inventory: await backend.discover(SIGNAL) };
}));

test.each(HOSTS)('%s: devices have what the profile says, and nothing else', async (name) => {
  const found = (await discovered).find((host) => host.name === name);

  expect(found && profileFaults(found.family, found.inventory)).toEqual([]);
});

test.each([AGENT_FPGA, AGENT_GPU, AGENT_NIC])('$id: a device is published with each attribute and capacity of the profile', async ({ family, attributes, capacities }) => {
  const devices = (await discovered).filter((host) => host.family === family).flatMap(({ inventory }) => inventory.devices);
  const published = new Set(devices.flatMap((device) => [...Object.keys(device.attributes), ...Object.keys(device.capacity)]));

  expect([...attributes, ...capacities].map(publishedName).filter((name) => !published.has(name))).toEqual([]);
});

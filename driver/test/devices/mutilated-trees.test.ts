import { ALL_RULES, runRules, Target } from 'cdk8s-dra/model';
import * as fc from 'fast-check';

import { claimFor, SIGNAL } from './claim-for.js';
import { profileFaults } from './profile-faults.js';
import { HOSTS } from './trees/hosts.js';
import { removeTrees, unpack } from './trees/tree.js';
import type { Entry, Tree, UnpackedTree } from './trees/tree.js';
import type { DeviceBackend } from '../../src/devices/backend.js';
import { createBackend } from '../../src/devices/create-backend.js';
import type { Inventory } from '../../src/devices/inventory.js';
import { NodeFailure } from '../../src/devices/node-failure.js';

afterAll(removeTrees);

/** What can become of a file: gone, empty, cut, of another kind, of other content, too large, or a way out of the tree. */
const CHANGE: fc.Arbitrary<Entry | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Entry>(
    { kind: 'file', content: '' },
    { kind: 'file', content: '\n \n' },
    { kind: 'file', content: Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]) },
    { kind: 'file', content: 'x'.repeat(70_000) },
    { kind: 'file', content: '電'.repeat(40) },
    { kind: 'file', content: '99999999999999999999' },
    { kind: 'file', content: '-7' },
    { kind: 'file', content: '0xffffffffffffffff' },
    { kind: 'file', content: 'a\u0000b' },
    { kind: 'file', content: 'device node c 1:3\n' },
    { kind: 'folder' },
    { kind: 'link', target: '../../../../../../../../../../../../etc/passwd' },
    { kind: 'link', target: '/etc/passwd' },
    { kind: 'link', target: '.' },
    { kind: 'link', target: '..' },
  ),
  fc.string({ unit: 'binary', maxLength: 80 }).map((content): Entry => ({ kind: 'file', content })),
);

function pathsOf(tree: Tree): string[] {
  const paths = new Set<string>();
  for (const path of tree.entries.keys()) for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) paths.add(at);
  return [...paths].sort();
}

/** The inventory as an API server would get it, in slices that no version refuses for their size. */
function slicesOf({ devices, counterSets }: Inventory): object[] {
  const pool = { name: 'node', generation: 1, resourceSliceCount: 1 };
  const slice = (name: string, content: object) => ({
    apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec: { driver: 'gpu.cdk8s-dra.dev', nodeName: 'node', pool, ...content },
  });
  return [
    ...counterSets.map((set, index) => slice(`sets-${index}`, { sharedCounters: [set] })),
    slice('devices', {
      devices: devices.map(({ name, attributes, capacity, allowMultipleAllocations, consumesCounters }) => ({
        name,
        attributes,
        capacity,
        ...(allowMultipleAllocations === true && { allowMultipleAllocations }),
        ...(consumesCounters && { consumesCounters }),
      })),
    }),
  ];
}

/** Rules of the API about slices; all others are about objects that are not here. */
const SLICE_RULES = ALL_RULES.filter(({ codes }) => codes.includes('DRA129') || codes.includes('DRA112'));

function faultsOf(inventory: Inventory): string[] {
  const manifests = slicesOf(inventory).map((value) => ({ value: value as { readonly [field: string]: unknown }, source: { name: 'inventory' } }));
  return runRules(manifests, Target.of('1.36'), { rules: SLICE_RULES }).filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);
}

/** The result, or the only failure that is allowed: what cannot be looked at is tried again. */
async function resultOf<T>(act: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    expect(error).toBeInstanceOf(NodeFailure);
    expect((error as NodeFailure).failureClass).not.toBe('terminal');
    return undefined;
  }
}

const SHARE = { shareId: '00000000-0000-4000-8000-000000000001', consumedCapacity: { memory: '1Gi', bandwidth: '1G' } };

async function everyStep(host: UnpackedTree, backend: DeviceBackend): Promise<void> {
  const inventory = await resultOf(() => backend.discover(SIGNAL));
  if (inventory === undefined) return;
  expect(faultsOf(inventory)).toEqual([]);
  expect(profileFaults(backend.family, inventory)).toEqual([]);
  for (const { attributes, identity, deviceNodes } of inventory.devices) {
    expect(identity).not.toBe('');
    for (const value of Object.values(attributes)) if ('string' in value) expect(value.string.trim()).not.toBe('');
    // What is offered is whole.
    for (const node of deviceNodes) expect(await host.root.deviceNode(node)).toBeDefined();
  }
  for (const { code, subject, message } of inventory.problems) {
    expect(code).toMatch(/^DRA3\d\d$/);
    expect(`${subject}${message}`).not.toContain(host.folder);
  }
  expect((await backend.health(inventory, SIGNAL)).map(({ device }) => device)).toEqual(inventory.devices.map(({ name }) => name));
  for (const device of inventory.devices.slice(0, 1)) {
    const claim = claimFor(device, device.allowMultipleAllocations === true ? SHARE : {});
    const intent = await resultOf(() => backend.plan(claim));
    if (intent === undefined) continue;
    await resultOf(() => backend.prepare(claim, intent, SIGNAL));
    await resultOf(() => backend.unprepare({ claimUid: 'c', device: device.name, intent, adminAccess: false, last: true }));
  }
}

test.each(HOSTS)('%s: the whole tree passes every rule of the API', async (_, tree, section) => {
  const host = unpack(tree);
  const inventory = await createBackend(section, { root: host.root, now: () => 0 }).discover(SIGNAL);

  expect(inventory.devices.length).toBeGreaterThan(0);
  expect(faultsOf(inventory)).toEqual([]);
});

test.each(HOSTS)('%s: however mutilated, no step breaks and no wrong device is offered', async (_, tree, section) => {
  const paths = pathsOf(tree);
  await fc.assert(fc.asyncProperty(fc.dictionary(fc.constantFrom(...paths), CHANGE, { minKeys: 1, maxKeys: 8 }), async (changes) => {
    const host = unpack(tree.with(changes));
    try {
      await everyStep(host, createBackend(section, { root: host.root, now: () => 0 }));
    } finally {
      host.remove('/');
    }
  }), { numRuns: 10 });
}, 120_000);

test('a rule that an inventory breaks is seen here', () => {
  const device = { name: 'gpu-0', identity: 'x', parts: [], attributes: { 'a-b': { string: 'x' } }, capacity: {}, deviceNodes: [] };

  expect(faultsOf({ devices: [device], counterSets: [], problems: [] })).toHaveLength(1);
});

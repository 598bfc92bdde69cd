import fc from 'fast-check';

import { card, device, gpus, inventory } from './devices.js';
import { SliceServer, SLICES } from './slice-server.js';
import type { Inventory, InventoryProblem } from '../../../src/devices/inventory.js';
import { KubeClient } from '../../../src/kube/kube-client.js';
import type { AgentMode, Isolation } from '../../../src/node/device-state.js';
import { FollowedValue } from '../../../src/node/followed-value.js';
import { poolContent } from '../../../src/node/slices/pool-content.js';
import { sameContent } from '../../../src/node/slices/same-content.js';
import type { ServerAbilities } from '../../../src/node/slices/server-abilities.js';
import type { SliceObject } from '../../../src/node/slices/slice-object.js';
import { SlicePublisher } from '../../../src/node/slices/slice-publisher.js';
import { status } from '../../kube/fake-api-server.js';

const V136: ServerAbilities = { taints: true, counters: 'own-slices', shares: true };
const V134: ServerAbilities = { taints: false, counters: 'dropped', shares: false };
const NODE = { name: 'node-1', uid: 'node-uid' };

interface Bench {
  readonly server: SliceServer;
  readonly client: KubeClient;
  readonly inventory: FollowedValue<Inventory>;
  readonly isolations: FollowedValue<readonly Isolation[]>;
  readonly mode: FollowedValue<AgentMode>;
  readonly problems: InventoryProblem[];
  readonly failures: unknown[];
  publisher: SlicePublisher;
  restart(): Promise<void>;
}

const benches: Bench[] = [];

async function bench(devices: Inventory, abilities = V136): Promise<Bench> {
  const server = await SliceServer.start(abilities);
  const client = KubeClient.of(server.api.connection);
  const parts = {
    server,
    client,
    inventory: new FollowedValue(devices),
    isolations: new FollowedValue<readonly Isolation[]>([]),
    mode: new FollowedValue<AgentMode>('active'),
    problems: [] as InventoryProblem[],
    failures: [] as unknown[],
  };
  const make = () => new SlicePublisher({
    client,
    driver: 'sim.cdk8s-dra.dev',
    node: NODE,
    state: parts,
    clock: () => new Date('2026-03-03T03:03:03.500Z'),
    observer: {
      wrote: () => undefined,
      published: () => undefined,
      failed: (error) => parts.failures.push(error),
      problems: (problems) => parts.problems.splice(0, Infinity, ...problems),
    },
  });
  const made: Bench = {
    ...parts,
    publisher: make(),
    async restart() {
      await made.publisher.stop();
      made.publisher = make();
      made.publisher.start();
    },
  };
  benches.push(made);
  made.publisher.start();
  return made;
}

afterEach(async () => {
  for (const { publisher, client, server } of benches.splice(0)) {
    await publisher.stop();
    await client.close();
    await server.api.stop();
  }
});

/** Waits until the server has what the node has, as a complete pool. */
async function settled(one: Bench): Promise<void> {
  await eventually(() => {
    const { inventory: { current: devices }, isolations: { current: isolations }, mode: { current: mode }, server: { abilities } } = one;
    const wanted = poolContent({ inventory: devices, isolations, mode, frozenSince: '', abilities });
    const { slices } = one.server;
    expect(slices.map(({ spec }) => names(spec))).toEqual((wanted?.slices ?? []).map(names));
    slices.forEach(({ spec }, index) => expect(sameContent(spec, wanted!.slices[index]!)).toBe(true));
    expect(new Set(slices.map(({ spec }) => Number(spec.pool.generation))).size).toBeLessThanOrEqual(1);
    expect(slices.every(({ spec }) => spec.pool.resourceSliceCount === slices.length)).toBe(true);
  });
}

function names({ devices = [] }: { readonly devices?: readonly { readonly name: string }[] }): readonly string[] {
  return devices.map(({ name }) => name);
}

async function eventually(holds: () => void): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      return holds();
    } catch (error) {
      if (round === 1000) throw error;
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
  }
}

/** Long enough for a needless write to show. */
async function quiet(): Promise<void> {
  await new Promise((resolve) => { setTimeout(resolve, 150); });
}

function generation(one: Bench): number {
  return Number(one.server.slices[0]!.spec.pool.generation);
}

test('a pool is published with one write a slice, named in order, owned by the node', async () => {
  const one = await bench(inventory(gpus(150)));
  await settled(one);

  expect(one.server.writes).toEqual([0, 1, 2].map((index) => `POST 0000${index}-sim.cdk8s-dra.dev-node-1`));
  expect(one.server.slices[0]).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Node', name: 'node-1', uid: 'node-uid', controller: true }] },
    spec: { driver: 'sim.cdk8s-dra.dev', nodeName: 'node-1', pool: { name: 'node-1', generation: 1, resourceSliceCount: 3 } },
  });
});

test('nothing is written when nothing changed, not even after a restart of the agent', async () => {
  const one = await bench(inventory([device('gpu-0', { capacity: { memory: { value: '40960Mi' } } })]));
  await settled(one);
  one.server.api.seen.length = 0;

  one.inventory.set(inventory([device('gpu-0', { capacity: { memory: { value: '40Gi' } } })]));
  await quiet();
  await one.restart();
  await quiet();

  expect(one.server.writes).toEqual([]);
});

test('one changed slice is one update in the same generation', async () => {
  const one = await bench(inventory(gpus(150)));
  await settled(one);
  one.server.api.seen.length = 0;

  one.isolations.set([{ device: 'gpu-70', code: 'DRA360', message: 'no link', since: '2026-02-02T02:02:02Z' }]);
  await settled(one);

  expect(one.server.writes).toEqual(['PUT 00001-sim.cdk8s-dra.dev-node-1']);
  expect(generation(one)).toBe(1);
});

test('a change over several slices is a new generation on all', async () => {
  const one = await bench(inventory(gpus(150)));
  await settled(one);

  one.inventory.set(inventory(gpus(150).slice(1)));
  await settled(one);

  expect(generation(one)).toBe(2);
});

test('slices that kubelet wiped come back as they were, with one write each', async () => {
  const one = await bench(inventory(gpus(150)));
  await settled(one);
  one.server.api.seen.length = 0;

  for (const { metadata } of one.server.slices) await one.client.delete(RESOURCE, { name: metadata!.name! });
  await settled(one);

  expect(one.server.writes.filter((write) => write.startsWith('POST'))).toHaveLength(3);
  expect(generation(one)).toBe(1);
});

test('one slice that somebody deleted comes back in the same generation', async () => {
  const one = await bench(inventory(gpus(150)));
  await settled(one);
  one.server.api.seen.length = 0;

  await one.client.delete(RESOURCE, { name: one.server.slices[1]!.metadata!.name! });
  await settled(one);

  expect(one.server.writes).toEqual(['DELETE 00001-sim.cdk8s-dra.dev-node-1', 'POST 00001-sim.cdk8s-dra.dev-node-1']);
});

test('an edit by somebody else is put back, and labels of others stay', async () => {
  const one = await bench(inventory(gpus(2)));
  await settled(one);
  const slice = one.server.slices[0]!;

  await one.client.update(RESOURCE, { ...slice, metadata: { ...slice.metadata, labels: { team: 'a' } }, spec: { ...slice.spec, devices: [] } });
  await settled(one);

  expect(one.server.slices[0]!.metadata!.labels).toEqual({ team: 'a' });
});

test('slices of an earlier agent under other names go, and the pool gets a new generation', async () => {
  const one = await bench(inventory([]));
  await settled(one);
  one.server.api.put(`${SLICES}/old`, {
    metadata: { name: 'old' }, spec: { driver: 'sim.cdk8s-dra.dev', nodeName: 'node-1', pool: { name: 'node-1', generation: 7, resourceSliceCount: 1 }, devices: [] },
  });

  one.inventory.set(inventory(gpus(1)));
  await settled(one);

  expect(generation(one)).toBe(8);
});

test('the time of a taint stays while the taint does', async () => {
  const one = await bench(inventory(gpus(1)));
  one.isolations.set([{ device: 'gpu-0', code: 'DRA360', message: 'no link', since: '2026-02-02T02:02:02Z' }]);
  await settled(one);

  one.isolations.set([{ device: 'gpu-0', code: 'DRA360', message: 'no link', since: '2026-04-04T04:04:04Z' }]);
  one.inventory.set(inventory([device('gpu-0', { attributes: { model: { string: 'X2' } } })]));
  await settled(one);

  expect(one.server.slices[0]!.spec.devices![0]!.taints).toMatchObject([{ timeAdded: '2026-02-02T02:02:02Z' }]);
});

test('frozen and back: a taint on each device, since then, and off again', async () => {
  const one = await bench(inventory(gpus(2)));
  await settled(one);

  one.mode.set('frozen');
  await settled(one);
  expect(one.server.slices[0]!.spec.devices![1]!.taints).toEqual([{ key: 'cdk8s-dra.dev/frozen', effect: 'NoSchedule', timeAdded: '2026-03-03T03:03:03Z' }]);

  one.mode.set('active');
  await settled(one);
  expect(one.server.slices[0]!.spec.devices![1]!.taints).toBeUndefined();
});

test('frozen where taints are dropped is an empty pool of a higher generation', async () => {
  const one = await bench(inventory(gpus(130)), V134);
  await settled(one);

  one.mode.set('frozen');
  await settled(one);

  expect(one.server.slices).toHaveLength(1);
  expect(generation(one)).toBe(2);
});

test('slices go when the devices belong to somebody else', async () => {
  const one = await bench(inventory(gpus(130)));
  await settled(one);

  one.mode.set('observe');
  await settled(one);

  expect(one.server.slices).toEqual([]);
});

test('a device that the server calls invalid is left out and named, and the others are published', async () => {
  const one = await bench(inventory([device('gpu-0'), device('gpu-1', { attributes: { model: { string: 'x'.repeat(65) } } }), device('gpu-2')]));

  await eventually(() => expect(one.server.slices.map(({ spec }) => names(spec))).toEqual([['gpu-0', 'gpu-2']]));
  expect(one.problems).toMatchObject([{ code: 'DRA370', subject: 'gpu-1', message: expect.stringContaining('may not be more than 64 bytes') }]);
});

test('a feature that goes off while the agent runs is noticed, said once, and published around', async () => {
  const one = await bench(inventory(gpus(2)));
  await settled(one);
  one.server.abilities = V134;

  one.isolations.set([{ device: 'gpu-1', code: 'DRA360', message: 'no link', since: '2026-02-02T02:02:02Z' }]);
  await settled(one);

  expect(one.server.slices.map(({ spec }) => names(spec))).toEqual([['gpu-0']]);
  expect(one.failures).toHaveLength(1);
  expect(one.failures[0]).toMatchObject({ code: 'DRA371' });
});

test('a node whose devices vanish all at once keeps its slices, tainted, and says so', async () => {
  const one = await bench(inventory(gpus(2)));
  await settled(one);

  one.inventory.set(inventory([]));

  await eventually(() => expect(one.server.slices[0]!.spec.devices!.map(({ taints }) => taints?.[0]?.value)).toEqual(['inventory-empty', 'inventory-empty']));
  expect(one.problems).toMatchObject([{ code: 'DRA372', subject: 'node-1' }]);
  one.inventory.set(inventory(gpus(2)));
  await settled(one);
  expect(one.problems).toEqual([]);
});

test('an API server that refuses and fails for a while is asked again until the pool is there', async () => {
  const one = await bench(inventory([]));
  await settled(one);
  let left = 4;
  one.server.api.script(({ method }) => {
    if (method === 'GET' || left-- <= 0) return undefined;
    return left % 2 === 0 ? status(503, 'ServiceUnavailable', 'not now') : status(409, 'Conflict', 'not now');
  });

  one.inventory.set(inventory(gpus(2)));
  await settled(one);

  expect(one.failures.length).toBeGreaterThanOrEqual(3);
});

test('a compacted history is listed anew', async () => {
  const one = await bench(inventory(gpus(1)));
  await settled(one);
  one.server.api.compacted = Number.MAX_SAFE_INTEGER;
  one.server.api.endWatches();
  await quiet();
  one.server.api.compacted = 0;

  await one.client.delete(RESOURCE, { name: one.server.slices[0]!.metadata!.name! });
  await settled(one);
});

test('whatever happens in between, the pool ends as it should, and no complete generation ever mixes two states', async () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('devices' as const), count: fc.constantFrom(1, 70, 100, 130, 140, 190) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('card' as const), parts: fc.integer({ min: 1, max: 70 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('isolate' as const), index: fc.integer({ min: 0, max: 199 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom<AgentMode>('active', 'frozen', 'observe') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), index: fc.integer({ min: 0, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), index: fc.integer({ min: 0, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), count: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  );
  const steps = fc.array(fc.record({ action: step, settles: fc.boolean() }), { minLength: 1, maxLength: 8 });
  await fc.assert(fc.asyncProperty(steps, async (script) => {
    const one = await bench(inventory(gpus(3)));
    const states: Inventory[] = [one.inventory.current];
    const mixed: string[] = [];
    one.server.api.script(() => {
      const problem = mixture(one.server.slices, states);
      if (problem !== undefined) mixed.push(problem);
      return undefined;
    });
    const offer = (given: Inventory) => {
      states.push(given);
      one.inventory.set(given);
    };
    let failing = 0;
    one.server.api.script(({ method }) => (method !== 'GET' && failing > 0 && failing-- > 0 ? status(503, 'ServiceUnavailable', 'not now') : undefined));
    for (const { action, settles } of script) {
      const slice = 'index' in action ? one.server.slices[action.index % Math.max(1, one.server.slices.length)] : undefined;
      switch (action.kind) {
        // Each state has names of its own, so that a mixture shows.
        case 'devices': offer(inventory(gpus(action.count).map(({ identity }, index) => device(`r${states.length}-${index}`, { identity })))); break;
        case 'card': {
          const { devices, counterSets } = card('card', action.parts);
          offer(inventory(devices, counterSets));
          break;
        }
        case 'isolate': one.isolations.set([{ device: `r1-${action.index}`, code: 'DRA360', message: '', since: '2026-01-01T00:00:00Z' }]); break;
        case 'mode': one.mode.set(action.mode); break;
        case 'delete':
          if (slice !== undefined) await one.client.delete(RESOURCE, { name: slice.metadata!.name! }).catch(() => undefined);
          break;
        case 'edit':
          if (slice !== undefined) await one.client.update(RESOURCE, { ...slice, spec: { ...slice.spec, devices: [] } }).catch(() => undefined);
          break;
        case 'fail': failing = action.count; break;
        case 'restart': await one.restart(); break;
      }
      if (settles && failing === 0) await settled(one);
    }
    failing = 0;
    await settled(one);
    // An edit from outside mixes by itself.
    if (!script.some(({ action }) => action.kind === 'edit')) expect(mixed).toEqual([]);
    await Promise.all(benches.splice(0).map(async ({ publisher, client, server }) => {
      await publisher.stop();
      await client.close();
      await server.api.stop();
    }));
  }), { numRuns: 25 });
}, 300_000);

/** What an allocator would see: the newest generation, if all its slices are there. */
function mixture(slices: readonly SliceObject[], states: readonly Inventory[]): string | undefined {
  const newest = Math.max(...slices.map(({ spec }) => Number(spec.pool.generation)));
  const pool = slices.filter(({ spec }) => Number(spec.pool.generation) === newest);
  if (pool.length === 0 || pool.length !== pool[0]!.spec.pool.resourceSliceCount) return undefined;
  const seen = pool.flatMap(({ spec }) => names(spec));
  const fits = seen.length === 0 || states.some(({ devices }) => isEqual(devices.map(({ name }) => name), seen));
  return fits ? undefined : `generation ${newest} names ${seen.length} devices, which the node never had together`;
}

function isEqual(one: readonly string[], two: readonly string[]): boolean {
  return one.length === two.length && one.every((name, index) => name === two[index]);
}

const RESOURCE = { group: 'resource.k8s.io', version: 'v1', plural: 'resourceslices', kind: 'ResourceSlice', namespaced: false };

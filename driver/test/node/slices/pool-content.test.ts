import { card, device, gpus, inventory } from './devices.js';
import type { Inventory } from '../../../src/devices/inventory.js';
import { poolContent } from '../../../src/node/slices/pool-content.js';
import type { PoolContent, PoolInput } from '../../../src/node/slices/pool-content.js';
import type { ServerAbilities } from '../../../src/node/slices/server-abilities.js';

const V134: ServerAbilities = { taints: false, counters: 'dropped', shares: false };
const V134_ALPHA: ServerAbilities = { taints: true, counters: 'beside-devices', shares: true };
const V136: ServerAbilities = { taints: true, counters: 'own-slices', shares: true };

function content(given: Inventory, abilities: ServerAbilities, fields: Partial<PoolInput> = {}): PoolContent {
  return poolContent({ inventory: given, isolations: [], mode: 'active', frozenSince: '2026-01-01T00:00:00Z', abilities, ...fields })!;
}

function names({ slices }: PoolContent): readonly (readonly string[])[] {
  return slices.map(({ devices = [], sharedCounters = [] }) => [...sharedCounters.map(({ name }) => `counters ${name}`), ...devices.map(({ name }) => name)]);
}

const SICK = { device: 'gpu-1', code: 'DRA360', message: 'no link', since: '2026-02-02T02:02:02Z' };

test('a node without devices has a pool all the same, so that the pool stays known', () => {
  expect(content(inventory([]), V136).slices).toEqual([{ devices: [] }]);
});

test('devices that belong to somebody else are not published', () => {
  expect(poolContent({ inventory: inventory(gpus(2)), isolations: [], mode: 'observe', frozenSince: '', abilities: V136 })).toBeUndefined();
});

test.each([
  ['where taints are kept', V136, [64, 64, 1]],
  ['where nothing is kept', V134, [128, 1]],
] as const)('slices take as many devices as the API allows %s', (_, abilities, sizes) => {
  expect(content(inventory(gpus(129)), abilities).slices.map(({ devices = [] }) => devices.length)).toEqual(sizes);
});

test('a taint moves no device from slice to slice', () => {
  const healthy = content(inventory(gpus(130)), V136);
  const sick = content(inventory(gpus(130)), V136, { isolations: [SICK] });

  expect(names(sick)).toEqual(names(healthy));
});

test('a sick device is tainted with the name of its failure, since it began', () => {
  const { slices } = content(inventory(gpus(2)), V136, { isolations: [SICK] });

  expect(slices[0]!.devices!.map(({ taints }) => taints)).toEqual([
    undefined, [{ key: 'cdk8s-dra.dev/isolated', value: 'link-down', effect: 'NoSchedule', timeAdded: '2026-02-02T02:02:02Z' }],
  ]);
});

test('a sick device is left out where taints are dropped', () => {
  expect(names(content(inventory(gpus(3)), V134, { isolations: [SICK] }))).toEqual([['gpu-0', 'gpu-2']]);
});

test('frozen means a taint on each device, beside that of a sick one', () => {
  const { slices } = content(inventory(gpus(2)), V136, { mode: 'frozen', isolations: [SICK] });

  expect(slices[0]!.devices!.map(({ taints = [] }) => taints.map(({ key }) => key))).toEqual([
    ['cdk8s-dra.dev/frozen'], ['cdk8s-dra.dev/frozen', 'cdk8s-dra.dev/isolated'],
  ]);
});

test('frozen means an empty pool where taints are dropped', () => {
  expect(content(inventory(gpus(2)), V134, { mode: 'frozen' }).slices).toEqual([{ devices: [] }]);
});

describe('partitions', () => {
  const one = card('card-0', 3);
  const two = card('card-1', 3);
  const both = inventory([...one.devices, ...two.devices], [...one.counterSets, ...two.counterSets]);

  test('counter sets lie in slices of their own from 1.35 on, at most eight in each', () => {
    const cards = Array.from({ length: 9 }, (_, index) => card(`card-${index}`, 1));
    const { slices } = content(inventory(cards.flatMap((made) => made.devices), cards.flatMap(({ counterSets }) => counterSets)), V136);

    expect(slices.map((slice) => [slice.sharedCounters?.length, slice.devices?.length])).toEqual([[8, undefined], [1, undefined], [undefined, 18]]);
  });

  test('counter sets lie beside their devices on 1.34', () => {
    expect(names(content(both, V134_ALPHA))).toEqual([['counters card-0', 'counters card-1', ...both.devices.map(({ name }) => name)]]);
  });

  test('cards that do not fit into one slice are not torn apart on 1.34', () => {
    const cards = Array.from({ length: 5 }, (_, index) => card(`card-${index}`, 30));
    const given = inventory(cards.flatMap((made) => made.devices), cards.flatMap(({ counterSets }) => counterSets));
    const { slices } = content(given, V134_ALPHA);

    expect(slices.map(({ devices = [], sharedCounters = [] }) => [sharedCounters.length, devices.length])).toEqual([[4, 124], [1, 31]]);
  });

  test('a card that no slice of 1.34 takes is withheld, and said', () => {
    const large = card('card-0', 200);

    const { slices, problems } = content(inventory([...large.devices, device('gpu-9')], large.counterSets), V134_ALPHA);

    expect(slices.map(({ devices = [] }) => devices.map(({ name }) => name))).toEqual([['gpu-9']]);
    expect(problems).toHaveLength(201);
    expect(problems[0]).toMatchObject({ code: 'DRA373', subject: 'card-0' });
  });

  test('only devices that fit together are published where counters are dropped', () => {
    const { slices, problems } = content(both, V134);

    expect(slices).toMatchObject([{ devices: [{ name: 'card-0' }, { name: 'card-1' }] }]);
    expect(slices[0]!.devices!.every(({ consumesCounters }) => consumesCounters === undefined)).toBe(true);
    expect(problems.map(({ subject }) => subject)).toEqual([0, 1].flatMap((index) => [0, 1, 2].map((part) => `card-${index}-part-${part}`)));
  });

  test('devices that share counters over two sets stay together', () => {
    const given = inventory([
      device('a', { consumesCounters: [{ counterSet: 'x', counters: { u: { value: '1' } } }] }),
      device('b', { consumesCounters: [{ counterSet: 'y', counters: { u: { value: '1' } } }] }),
      device('c', { consumesCounters: ['x', 'y'].map((counterSet) => ({ counterSet, counters: { u: { value: '1' } } })) }),
    ], ['x', 'y'].map((name) => ({ name, counters: { u: { value: '2' } } })));

    expect(names(content(given, V134_ALPHA))).toEqual([['counters x', 'counters y', 'a', 'b', 'c']]);
  });
});

test('a shared device is not published where shares are dropped: it would be allocated as a whole, which the backends refuse for good', () => {
  const shared = device('gpu-0', {
    allowMultipleAllocations: true, capacity: { memory: { value: '40Gi', requestPolicy: { default: '1Gi', validRange: { min: '1Gi' } } } },
  });

  expect(content(inventory([shared]), V134)).toEqual({
    slices: [{ devices: [] }],
    problems: [{ code: 'DRA373', subject: 'gpu-0', message: expect.stringContaining('DRAConsumableCapacity is off there') }],
  });
  expect(content(inventory([shared]), V136).slices[0]!.devices![0]).toMatchObject({ allowMultipleAllocations: true, capacity: shared.capacity });
});

import fc from 'fast-check';
import { deviceClassMappings, kueueProblems, resourceFlavors, resourceGroups, splitQuota } from '../../../src/model/migration';
import type { PlannedMigration } from '../../../src/model/migration';

function pool(name: string, spec: Partial<PlannedMigration['spec']> = {}): PlannedMigration {
  return {
    name,
    spec: {
      family: 'gpu',
      driver: 'gpu.example.com',
      nodes: { matchLabels: { pool: name } },
      deviceClassNames: [`${name}-large`],
      legacy: { resources: [{ name: 'example.com/gpu' }] },
      phase: 'Canary',
      ...spec,
    },
  };
}

const SHARES = fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }).map(sizes => sizes.map((devices, index) => ({ queue: `q${index}`, devices })));

test('a split keeps the total of each queue and gives each way what it has', () => {
  fc.assert(fc.property(SHARES, fc.nat(700), (shares, dra) => {
    const split = splitQuota(shares, dra);
    const total = shares.reduce((sum, { devices }) => sum + devices, 0);

    expect(split.map(share => share.legacy + share.dra)).toEqual(shares.map(({ devices }) => devices));
    expect(split.reduce((sum, share) => sum + share.dra, 0)).toBe(Math.min(dra, total));
    expect(split.every(share => share.legacy >= 0 && share.dra >= 0)).toBe(true);
  }));
});

test('queues of one size differ by one device at most', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(40), fc.nat(500), (queues, devices, dra) => {
    const parts = splitQuota(Array.from({ length: queues }, (_, index) => ({ queue: `q${index}`, devices })), dra).map(share => share.dra);

    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
  }));
});

test('the order of the queues does not matter', () => {
  fc.assert(fc.property(SHARES, fc.nat(700), (shares, dra) => {
    const byName = (split: ReturnType<typeof splitQuota>) => new Map(split.map(share => [share.queue, share.dra]));

    expect(byName(splitQuota([...shares].reverse(), dra))).toEqual(byName(splitQuota(shares, dra)));
  }));
});

test('a pool has a flavor for each way, on the same nodes', () => {
  expect(resourceFlavors(pool('a100'))).toEqual([
    { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ResourceFlavor', metadata: { name: 'a100-dra' }, spec: { nodeLabels: { pool: 'a100' } } },
    { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ResourceFlavor', metadata: { name: 'a100-plugin' }, spec: { nodeLabels: { pool: 'a100' } } },
  ]);
});

test('a queue has a group for each way; shared devices are counted in units of the plugin', () => {
  const shared = pool('a100', { legacy: { resources: [{ name: 'example.com/gpu.shared', unitsPerDevice: 4 }] } });

  expect(resourceGroups(shared, { queue: 'vision', devices: 8, legacy: 6, dra: 2 })).toEqual([
    {
      coveredResources: ['example.com/gpu.shared'],
      flavors: [{ name: 'a100-plugin', resources: [{ name: 'example.com/gpu.shared', nominalQuota: 24 }] }],
    },
    { coveredResources: ['a100-devices'], flavors: [{ name: 'a100-dra', resources: [{ name: 'a100-devices', nominalQuota: 2 }] }] },
  ]);
  expect(deviceClassMappings([pool('h100'), pool('a100')])).toEqual([
    { name: 'a100-devices', deviceClassNames: ['a100-large'] },
    { name: 'h100-devices', deviceClassNames: ['h100-large'] },
  ]);
});

test('what Kueue cannot count is named', () => {
  const problems = kueueProblems([
    pool('h100', { deviceClassNames: ['gpu-large'] }),
    pool('a100', { deviceClassNames: ['gpu-large'], nodes: { matchExpressions: [{ key: 'pool', operator: 'Exists' }] } }),
  ]);

  expect(problems.map(({ rule }) => rule)).toEqual([
    expect.stringContaining('migration a100 has [{"key":"pool","operator":"Exists"}]'),
    expect.stringContaining('class gpu-large is in a100, h100'),
  ]);
  expect(kueueProblems([pool('a100'), pool('h100')])).toEqual([]);
});

import fc from 'fast-check';
import {
  clusterQueues, deviceClassMappings, kueueConfiguration, kueueProblems, resourceFlavors, resourceGroupsOf, splitQuota,
} from '../../../src/model/migration';
import type { PlannedMigration, QueuePlan } from '../../../src/model/migration';
import { PHASES } from '../../../src/model/phases';
import { Target } from '../../../src/model/target';

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

  expect(resourceGroupsOf([{ pool: shared, share: { queue: 'vision', devices: 8, legacy: 6, dra: 2 } }])).toEqual([
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

test('a pool without an old way has one flavor', () => {
  expect(resourceFlavors(pool('a100', { legacy: undefined })).map(({ metadata }) => metadata)).toEqual([{ name: 'a100-dra' }]);
});

test('pools with an old name in common share a group, since Kueue takes a resource in one only', () => {
  const share = { queue: 'vision', devices: 8, legacy: 6, dra: 2 };
  const mig = { resources: [{ name: 'example.com/gpu' }, { name: 'example.com/mig', unitsPerDevice: 7 }] };

  expect(resourceGroupsOf([{ pool: pool('a100'), share }, { pool: pool('h100', { legacy: mig }), share }, { pool: pool('nic', { legacy: undefined }), share }])).toEqual([
    {
      coveredResources: ['example.com/gpu', 'example.com/mig'],
      flavors: [
        { name: 'a100-plugin', resources: [{ name: 'example.com/gpu', nominalQuota: 6 }, { name: 'example.com/mig', nominalQuota: 0 }] },
        { name: 'h100-plugin', resources: [{ name: 'example.com/gpu', nominalQuota: 6 }, { name: 'example.com/mig', nominalQuota: 42 }] },
      ],
    },
    ...['a100', 'h100', 'nic'].map(name => ({
      coveredResources: [`${name}-devices`], flavors: [{ name: `${name}-dra`, resources: [{ name: `${name}-devices`, nominalQuota: 2 }] }],
    })),
  ]);
});

const PLAN: QueuePlan = {
  pools: [{ pool: 'a100', nodes: 10, devicesPerNode: 8 }],
  queues: [{ name: 'vision', devices: { a100: 60 }, spec: {} }, { name: 'ledger', devices: { a100: 20 }, spec: { resourceGroups: [{ coveredResources: ['cpu'] }] } }],
};
const MOVING = pool('a100', { canary: { nodes: 1, namespaces: ['sandbox'] }, expand: { steps: ['50%'] } });

/** `old + dra` of each queue by name. */
function quotas(plan: QueuePlan, migration: PlannedMigration, version: string): readonly string[] {
  return clusterQueues(plan, [migration], Target.of(version)).map(({ metadata, spec }: any) => {
    const amounts = spec.resourceGroups.filter((group: any) => group.coveredResources[0] !== 'cpu').map((group: any) => group.flavors[0].resources[0].nominalQuota);
    return `${metadata.name} ${amounts.join(' + ')}`;
  });
}

test.each([
  ['1.35', ['ledger 20 + 0, vision 60 + 0', 'ledger 20 + 0, vision 60 + 0', 'ledger 18 + 2, vision 54 + 6', 'ledger 10 + 10, vision 30 + 30', 'ledger 0 + 20, vision 0 + 60', 'ledger 0 + 20, vision 0 + 60']],
  // From Expand on a class serves the old name, and Kueue counts it as the class.
  ['1.36', ['ledger 20 + 0, vision 60 + 0', 'ledger 20 + 0, vision 60 + 0', 'ledger 18 + 2, vision 54 + 6', 'ledger 0 + 20, vision 0 + 60', 'ledger 0 + 20, vision 0 + 60', 'ledger 0 + 20, vision 0 + 60']],
])('on %s quota follows the phase at constant sum', (version, wanted) => {
  expect(PHASES.map(phase => quotas(PLAN, pool('a100', { ...MOVING.spec, phase }), version).join(', '))).toEqual(wanted);
});

test('nodes that are DRA by now decide before the phase does; other groups of a queue stay first', () => {
  const plan = { ...PLAN, pools: [{ ...PLAN.pools[0], draNodes: 2 }] };
  const expand = pool('a100', { ...MOVING.spec, phase: 'Expand' });

  expect(quotas(plan, expand, '1.35')).toEqual(['ledger 16 + 4', 'vision 48 + 12']);
  expect((clusterQueues(plan, [expand], Target.of('1.35'))[0] as any).spec.resourceGroups[0]).toEqual({ coveredResources: ['cpu'] });
});

test('the configuration counts old names as classes only where a class can serve one', () => {
  expect(kueueConfiguration([MOVING], Target.of('1.35')).featureGates).toEqual({ DynamicResourceAllocation: true });
  expect(kueueConfiguration([MOVING], Target.of('1.36')).featureGates).toEqual({ DynamicResourceAllocation: true, DRAExtendedResources: true });
  expect(kueueConfiguration([pool('h100'), MOVING], Target.of('1.36')).resources).toEqual({ deviceClassMappings: deviceClassMappings([MOVING, pool('h100')]) });
});

test('limits of Kueue are named', () => {
  expect(kueueProblems(Array.from({ length: 17 }, (_, index) => pool(`p${index}`))).map(({ rule }) => rule)).toEqual([expect.stringContaining('at most 16 pools')]);
  const classes = Array.from({ length: 9 }, (_, index) => `c${index}`);
  expect(kueueProblems([pool('a100', { deviceClassNames: classes })]).map(({ rule }) => rule)).toEqual([expect.stringContaining('migration a100 has 9')]);
});

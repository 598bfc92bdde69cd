import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { deviceClass, listOf, migration, node, pod, slice, template } from './pools.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { run } from '../recorded-io.js';

const EXAMPLE = new URL('../../../../examples/diff', import.meta.url).pathname;

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'diff-')); });
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, objects: readonly KubeObject[], version = 'v1.36.3'): string {
  writeFileSync(join(folder, name), listOf(objects, version));
  return join(folder, name);
}

async function diff(base: readonly KubeObject[], head: readonly KubeObject[], ...args: readonly string[]): ReturnType<typeof run> {
  return run(['diff', '--base', file('base.json', base), '--head', file('head.json', head), ...args]);
}

describe('the example', () => {
  const args = ['diff', '--base', `${EXAMPLE}/base`, '--head', `${EXAMPLE}/head`, '--from', `${EXAMPLE}/cluster.yaml`];

  test('a promotion is told with nodes, pods, gangs, doors, quota, objects and the way back', async () => {
    const { code, out } = await run(args);

    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('a100 goes from Canary to Expand. A revert takes it back.');
    for (const line of [
      'Nodes: 2 of 3 nodes may move to DRA (DRA owns 1 of 4, may own 3): gpu-1, gpu-2, gpu-3.',
      'Running pods: none is stopped; 2 pods run on nodes that may be chosen, each node waits for their end. vision/train-0, vision/train-1.',
      'Largest gang that fits now: device plugin 8 -> 0 devices, claims 8 -> 24 devices.',
      'Job vision/train holds 16 with 2 pods, more than the 8 that are left of 24: it could not start again there.',
      'class gpu-large: Canary for sandbox (safe) -> Tenants (safe, costly); also allowed: vision',
      'namespace vision: nvidia.com/gpu 24 -> 16',
      'Objects: 2 added, 0 removed, 2 changed.',
      '1 other pool stays as it is (Kubernetes 1.36).',
    ]) expect(out).toContain(line);
  });

  test('-o github annotates the line of the phase, worst first', async () => {
    const { out } = await run([...args, '-o', 'github']);

    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^::warning title=What this commit means::a100 goes from Canary to Expand/);
    expect(lines[1]).toMatch(/^::warning file=.*examples\/diff\/head\/30-pools\/a100\.yaml,line=17,title=a100 goes from Canary to Expand::Nodes: 2 of 3 nodes/);
    expect(lines.slice(2).every((line) => line.startsWith('::notice '))).toBe(true);
  });

  test('backward it is a rollback, and a revert takes that back as well', async () => {
    const { out } = await run(['diff', '--base', `${EXAMPLE}/head`, '--head', `${EXAMPLE}/base`]);

    expect(out.split('\n')[0]).toBe('a100 goes BACK from Expand to Canary. A revert takes it back.');
    expect(out).toContain('Running pods: not known without --from.');
  });
});

test('the same on both sides: nothing changes, whatever the order of keys', async () => {
  const turned = Object.fromEntries(Object.entries(migration('a100')).reverse());

  const { code, out } = await diff([migration('a100'), deviceClass('a100-gpu')], [deviceClass('a100-gpu'), turned]);

  expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: 'Nothing changes.' });
});

test.each([
  ['a skipped phase', [migration('a100', { phase: 'Observe' })], [migration('a100', { phase: 'Expand' })], 'Refused: a100 (DRA401).'],
  ['a pool that is gone', [migration('a100'), deviceClass('x')], [deviceClass('x')], 'Refused: a100 (DRA404).'],
  ['a canary that shrinks', [migration('a100', { canary: { nodes: 4, namespaces: ['n'] } })], [migration('a100')], 'Refused: a100 (DRA402).'],
  ['an unreadable migration', [migration('a100')], [migration('a100', { phase: 'Soon' }), deviceClass('x')], 'Refused: a100 (DRA404).'],
  ['a changed template', [template('n', 't', 'a')], [template('n', 't', 'b')], 'No pool moves. NOT all of it can be taken back by a revert.'],
])('%s is refused', async (_, base, head, first) => {
  const { code, out } = await diff(base, head);

  expect(code).toBe(1);
  expect(out.split('\n')[0]).toBe(first);
});

test('what a revert does not bring back is named', async () => {
  const plugin: KubeObject = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { namespace: 'gpu', name: 'plugin' }, spec: {} };
  const crd: KubeObject = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'devicemigrations.cdk8s-dra.dev' }, spec: {} };

  const { code, out } = await diff([deviceClass('x'), plugin, crd], [deviceClass('x')]);

  expect(code).toBe(0);
  expect(out).toContain('DaemonSet gpu/plugin is removed: if it is the device plugin or its operator, this decommissions the old way.');
  expect(out).toContain('CustomResourceDefinition devicemigrations.cdk8s-dra.dev is removed, and with it every object of its kind');
});

test('names on classes, and the doors of legacy resources', async () => {
  const at = (phase: string) => [migration('a100', { phase }), deviceClass('a100-gpu')];

  expect((await diff(at('Canary'), at('Expand'), '--kubernetes', '1.36')).out).toContain('nvidia.com/gpu goes on class a100-gpu: pods that ask for it are served by DRA too');
  expect((await diff(at('Expand'), at('Canary'), '--kubernetes', '1.36')).out).toContain('nvidia.com/gpu comes off class a100-gpu: pool a100 is in Canary');
  expect((await diff(at('Expand'), at('AllWorkloads'), '--kubernetes', '1.34')).out).toContain('resource nvidia.com/gpu: Open -> Closed');
});

test('a tenant that could hold more on both ways than it has is refused', async () => {
  const quota = (legacy: string): KubeObject => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace: 'vision', name: 'q' }, spec: { hard: { 'requests.nvidia.com/gpu': legacy, 'a100-gpu.deviceclass.resource.k8s.io/devices': '8' } } });
  const tenant: KubeObject = {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceTenant',
    metadata: { name: 'vision' },
    spec: { namespaces: ['vision'], quota: { source: 'ResourceQuota', devices: [{ deviceClassName: 'a100-gpu', count: 16 }] } },
  };

  const platform = (legacy: string) => [migration('a100', { phase: 'Expand' }), deviceClass('a100-gpu'), tenant, quota(legacy)];
  const { code, out } = await diff(platform('8'), platform('16'));

  expect(code).toBe(1);
  expect(out).toContain('Tenant vision may hold 16 devices of a100, but its quotas allow 24 in the present phase (a100 in Expand). They add up: 16 by '
    + 'requests.nvidia.com/gpu in vision, 8 by a100-gpu.deviceclass.resource.k8s.io/devices in vision.');
  // A quota with scopes limits some pods alone, and no claims.
  const scoped = { ...quota('16'), spec: { ...quota('16').spec as object, scopes: ['NotTerminating'] } } as KubeObject;
  expect((await diff(platform('8'), [...platform('8').slice(0, 3), scoped])).out).toContain('nothing limits requests.nvidia.com/gpu in vision and a100-gpu.deviceclass.resource.k8s.io/devices in vision.');
  // With the bridge open the old name counts the claims of its class.
  expect((await diff(platform('8'), platform('16'), '--kubernetes', '1.36')).code).toBe(0);
  // The canary does not let the namespace in yet.
  const canary = (legacy: string) => [migration('a100'), ...platform(legacy).slice(1)];
  expect((await diff(canary('8'), canary('16'))).code).toBe(0);
});

test('quota that Kueue moves from one way to the other', async () => {
  const queue = (legacy: number, claims: number): KubeObject => ({
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'ClusterQueue',
    metadata: { name: 'vision' },
    spec: {
      resourceGroups: [{
        flavors: [
          { name: 'a100-plugin', resources: [{ name: 'nvidia.com/gpu', nominalQuota: String(legacy) }, { name: 'cpu', nominalQuota: '64' }] },
          { name: 'a100-dra', resources: [{ name: 'nvidia.com/gpu', nominalQuota: claims }] },
        ],
      }],
    },
  });

  const { out } = await diff([migration('a100'), queue(24, 0)], [migration('a100'), queue(16, 8)]);

  expect(out).toContain('ClusterQueue vision: nvidia.com/gpu on a100-dra 0 -> 8');
  expect(out).toContain('ClusterQueue vision: nvidia.com/gpu on a100-plugin 24 -> 16');
});

test.each([
  ['Evict', { handover: { strategy: 'Evict' } }, '1 pod runs on nodes that may be chosen and may be EVICTED (handover.strategy Evict).'],
  ['a deadline that evicts', { optimizeFor: 'Throughput' }, 'a node waits 24h for their end, and EVICTS what is left then.'],
  ['a deadline that holds', { handover: { deadline: '72h' } }, 'each node waits for their end, at most 72h.'],
])('running pods under %s', async (_, spec, text) => {
  const cluster = file('cluster.json', [node('gpu-0', 'a100', undefined, { allocatable: 8 }), ...pod('old', 'p', { on: 'gpu-0', units: 1 })]);

  const { out } = await diff([migration('a100', { phase: 'Observe', ...spec })], [migration('a100', spec)], '--from', cluster);

  expect(out).toContain(text);
});

test('a narrowed canary names its nodes only, and going back counts the claims', async () => {
  const cluster = file('cluster.json', [
    node('gpu-0', 'a100'), { ...node('gpu-1', 'a100'), metadata: { name: 'gpu-1', labels: { pool: 'a100', rack: 'b' } } },
    node('gpu-2', 'a100', 'dra'), slice('gpu-2'), ...pod('vision', 'p', { on: 'gpu-2', devices: 2 }),
  ]);
  const canary = { nodes: 2, namespaces: ['n'], selector: { matchLabels: { rack: 'b' } } };

  const forward = await diff([migration('a100', { phase: 'Observe', canary })], [migration('a100', { canary })], '--from', cluster);
  const back = await diff([migration('a100', { canary })], [migration('a100', { phase: 'Observe', canary })], '--from', cluster);

  expect(forward.out).toContain('1 node may move to DRA (DRA owns 1 of 3, may own 2): gpu-1.');
  expect(back.out).toContain('1 node goes back to the device plugin (DRA owns 1 of 3, may own 0): gpu-2.');
  expect(back.out).toContain('Largest gang that fits now: device plugin 0 -> 8 devices, claims 6 -> 0 devices.');
});

test.each([
  [['--base', 'nowhere', '--head', 'nowhere'], '--base: '],
  [['--base', '-', '--head', '-'], 'only one of --base, --head and --from can be standard input'],
])('%j is wrong usage', async (args, message) => {
  const { code, err } = await run(['diff', ...args]);

  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('a file that cannot be read stops it: what is missing would look removed', async () => {
  mkdirSync(join(folder, 'head'));
  writeFileSync(join(folder, 'head', 'a.yaml'), 'apiVersion: v1\nkind: [broken');

  const { code, err } = await run(['diff', '--base', file('base.json', [migration('a100')]), '--head', join(folder, 'head')]);

  expect(code).toBe(2);
  expect(err).toContain('Everything must be read, else what is missing looks removed.');
});

test('a cluster of which part cannot be read stops it too', async () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, 'apiVersion: v1\nkind: Node\n bad: 1\n');

  const { code, err } = await diff([migration('a100')], [migration('a100')], '--from', file('cluster.json', [node('gpu-0', 'a100')]), broken);

  expect(code).toBe(2);
  expect(err).toMatch(/^error: cannot read .*broken\.yaml:3:5: Invalid YAML: .* Everything must be read/);
});

test.each([
  ['the snapshot has no nodes', [slice('gpu-0')]],
  ['spec.nodes selects none of the 1 node of the snapshot', [node('gpu-0', 'other')]],
])('where %s, what moves is not known, which is not "nothing"', async (why, objects) => {
  const { out } = await diff([migration('a100', { phase: 'Observe' })], [migration('a100')], '--from', file('cluster.json', objects));

  expect(out).toContain(`which nodes is not known, as ${why}.`);
  expect(out).toContain(`Running pods: not known, as ${why}.`);
  expect(out).not.toMatch(/no node moves|none is touched|gang/);
});

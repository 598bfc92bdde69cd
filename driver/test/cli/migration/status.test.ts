import { live } from './live.js';
import type { Live } from './live.js';
import { deviceClass, hold, listOf, migration, node, pod, putAll, slice } from './pools.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { status as refusal } from '../../kube/fake-api-server.js';
import { run } from '../recorded-io.js';

let cluster: Live;

beforeEach(async () => { cluster = await live(); });
afterEach(async () => cluster.stop());

function report(name: string, told: Readonly<Record<string, unknown>>): KubeObject {
  return { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceNodeReport', metadata: { name: `gpu.${name}` }, spec: { nodeName: name, family: 'gpu' }, status: told };
}

async function status(objects: readonly KubeObject[], ...args: readonly string[]): ReturnType<typeof run> {
  return run(['status', ...args, '--from', cluster.file('cluster.json', listOf(objects, 'v1.36.3'))]);
}

const POOL = [
  migration('a100', { phase: 'Expand' }), node('gpu-0', 'a100', 'dra'), node('gpu-1', 'a100', undefined, { allocatable: 8 }), node('gpu-2', 'a100', 'handover'),
  slice('gpu-0'), ...pod('vision', 'train-0', { on: 'gpu-0', devices: 2 }), ...pod('old', 'notebook', { on: 'gpu-1', units: 3 }), ...pod('vision', 'waits', { devices: 1 }),
];

test('one line a pool: target, actual, nodes by owner, use on both ways, what it waits on, next', async () => {
  const { code, out } = await status([...POOL, migration('h100', { phase: 'Observe' })]);

  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 5)).toEqual([
    '2 pools, none held.',
    '',
    'POOL  TARGET   ACTUAL    NODES  PLUGIN  CLAIMS  WAITING ON                          SINCE  NEXT',
    'a100  Expand   ~Expand   1+1+1  3/8     2/8     1 of 3 nodes change owner (+1)      -      phase AllWorkloads in Git, when the gates hold',
    'h100  Observe  ?         none   -       -       -                                   -      look at spec.nodes: no node is known that it selects',
  ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' +')}$`)) as string));
});

test.each([
  ['a canary of no node', { canary: { nodes: 0, namespaces: ['sandbox'] } }, 'spec.canary.nodes leaves DRA no node', 'change spec.canary.nodes, so that nodes move'],
  ['a floor as large as the pool', { expand: { legacyFloor: 1 } }, 'spec.expand.legacyFloor leaves DRA no node', 'change spec.expand.legacyFloor, so that nodes move'],
])('%s: the pool waits for a number, not for a hand-over', async (_, fields, waitingOn, next) => {
  const { code, out } = await status([migration('a100', fields), node('gpu-1', 'a100', undefined, { allocatable: 8 })]);

  expect(code).toBe(0);
  expect(out.split('\n')[3]).toMatch(new RegExp(`^a100 +Canary +~Observe +1\\+0\\+0 .* ${waitingOn} +- +${next}$`));
});

test('two owners come first, with the node and the pods, and next is a hold', async () => {
  const { code, out } = await status([...POOL, slice('gpu-1'), ...pod('vision', 'late', { on: 'gpu-1', devices: 1 })]);

  expect(code).toBe(1);
  const lines = out.split('\n');
  expect(lines[0]).toBe('TWO OWNERS in a100: one device may be given twice.');
  expect(lines[1]).toBe('  Node gpu-1 offers 8 nvidia.com/gpu and publishes 8 devices: each can be given twice.');
  expect(lines[2]).toBe('  Node gpu-1 has pods on both ways now: old/notebook by the device plugin, vision/late by claims.');
  expect(out).toContain("kubectl-dra hold a100 --level Allocation --reason '…'");
});

test('what the agent of a node sees counts too', async () => {
  const { out } = await status([...POOL, ...['gpu-0', 'gpu-1', 'gpu-2'].map((name) => report(name, {
    heartbeat: '2026-05-01T10:00:00Z', heldTotal: name === 'gpu-0' ? 2 : 0, pluginHeldTotal: name === 'gpu-0' ? 1 : 0,
  }))]);

  expect(out).toContain('Node gpu-0: its agent sees 1 devices held by plugins and 2 by claims.');
});

test.each([
  ['a silent agent', { heartbeat: '2026-05-01T09:00:00Z' }, 'gpu-1: its report is 3600 s old'],
  ['an agent without a heartbeat', {}, 'gpu-1: its report has no heartbeat'],
  ['a kubelet that does not say', { heartbeat: '2026-05-01T10:00:00Z', pluginHeldKnown: false }, 'gpu-1: kubelet does not say what device plugins hold'],
])('%s: all devices of the node count as held', async (_, told, line) => {
  const fresh = { heartbeat: '2026-05-01T10:00:00Z' };

  const { code, out } = await status([...POOL, report('gpu-0', fresh), report('gpu-1', told), report('gpu-2', fresh)]);

  expect(code).toBe(1);
  expect(out).toContain('8/8*');
  expect(out).toContain(`Cannot be read, and so counts as held (*):\n  - ${line}\n`);
});

test('a node without a report is held once there are reports at all', async () => {
  const { out } = await status([...POOL, report('gpu-0', { heartbeat: '2026-05-01T10:00:00Z' }), report('gpu-2', { heartbeat: '2026-05-01T10:00:00Z' })]);

  expect(out).toContain('- gpu-1: no agent reports about it');
});

test('holds: expired, of a pool that is gone, and of this pool', async () => {
  const { code, out } = await status([
    ...POOL, hold('a100-1', 'a100', { expiresAt: '2026-01-01T00:00:00Z' }, { creationTimestamp: '2025-12-31T00:00:00Z' }), hold('gone-1', 'gone'),
  ]);

  expect(code).toBe(1);
  expect(out.split('\n')[0]).toBe('1 pool, 1 held, 2 things are not as it should be.');
  expect(out).toContain('Hold gone-1 names pool gone, which is gone, and still stops gone-gpu. End it: kubectl-dra release gone');
  expect(out).toContain('Hold a100-1 of pool a100 expired at 2026-01-01T00:00:00Z and still holds, since admission has no clock.');
  expect(out).toContain('kubectl-dra release a100 --name a100-1');
});

test('a node of two pools of one family is named, and the phase of the controller counts where it wrote one', async () => {
  const moving = { ...migration('a100'), status: { phase: 'Observe', waitingOn: ['gate start-latency'], since: '2026-01-01T00:00:00Z', next: 'look at gate start-latency' } };

  const { out } = await status([moving, migration('b', { nodes: { matchLabels: { pool: 'a100' } } }), node('gpu-0', 'a100')]);

  expect(out).toContain('Node gpu-0 is in pools a100 and b of family gpu: two plans for its devices.');
  expect(out).toMatch(/a100 +Canary +Observe +1\+0\+0 .*gate start-latency +\d+ d +look at gate start-latency/);
});

test('doors that are not as the migrations say are told with the command that shows them', async () => {
  const before = await status(POOL);
  expect(before.out).toContain('Doors: 2 differ from what the migrations say, 2 of them to close: kubectl-dra route');

  putAll(cluster.server, [...POOL, deviceClass('a100-gpu')]);
  await cluster.run('route', '--write');

  expect((await cluster.run('status')).out).toContain('Doors: As the migrations say.');
});

test('live, with kinds that may not be read, all devices count as held', async () => {
  putAll(cluster.server, POOL);
  cluster.server.script(({ path }) => (path.endsWith('/resourceclaims') ? refusal(403, 'Forbidden', 'no') : undefined));

  const { out } = await cluster.run('status', 'a100', '-o', 'json');

  const [pool] = (JSON.parse(out) as { readonly pools: readonly { readonly dra: object; readonly waitingOn: readonly string[] }[] }).pools;
  expect(pool?.dra).toEqual({ used: 8, total: 8 });
  expect(pool?.waitingOn).toContain('ResourceClaim: may not be read, so all devices count as held');
});

test.each([
  [['a10'], POOL, "no DeviceMigration is called 'a10', did you mean a100?"],
  [[], [node('gpu-0', 'a100')], 'there is no DeviceMigration in '],
])('%j is refused', async (args, objects, message) => {
  const { code, err } = await status(objects, ...args);

  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('of files it is said where migrations could come from, and that --from takes every path after it', async () => {
  const file = cluster.file('cluster.json', listOf([node('gpu-0', 'a100')], 'v1.36.3'));

  expect((await run(['status', '--from', file])).err).toBe(`error: there is no DeviceMigration in ${file}. kubectl-dra collect writes those of the cluster; those of Git can be named beside it: --from cluster.json dist/\n`);
  expect(await run(['status', '--from', file, 'a100'])).toMatchObject({ code: 2, err: 'error: no such file or folder: a100. Name pools before --from, which takes every path after it\n' });
});

test('a part of the files that cannot be read is told, as its objects are missing', async () => {
  const broken = cluster.file('broken.yaml', 'apiVersion: v1\nkind: Node\n bad: 1\n');

  const { code, out } = await run(['status', '--from', cluster.file('cluster.json', listOf(POOL, 'v1.36.3')), broken]);

  expect(code).toBe(1);
  expect(out.split('\n')[0]).toBe('1 pool, none held, 1 thing is not as it should be.');
  expect(out).toContain(`- Part of the files cannot be read, and what it holds is missing here: ${broken}:3:5: Invalid YAML: bad indentation`);
});

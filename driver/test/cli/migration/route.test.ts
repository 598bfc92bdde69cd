import { live } from './live.js';
import type { Live } from './live.js';
import { deviceClass, hold, listOf, migration, node, putAll, slice, template } from './pools.js';
import { status } from '../../kube/fake-api-server.js';
import { run } from '../recorded-io.js';

let cluster: Live;

beforeEach(async () => { cluster = await live(); });
afterEach(async () => cluster.stop());

const ROUTING = '/apis/cdk8s-dra.dev/v1alpha1/deviceroutings/default';
const CLASS = '/apis/resource.k8s.io/v1/deviceclasses/a100-gpu';

function writes(): readonly string[] {
  return cluster.server.seen.filter(({ method }) => method !== 'GET' && method !== 'POST').map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`);
}

test('without a DeviceRouting everything that closes is named, nothing is written, and the next command is given', async () => {
  putAll(cluster.server, [migration('a100'), deviceClass('a100-gpu'), template('vision', 'trainer', 'a100-gpu'), template('vision', 'other', 'cpu')]);

  const { code, out, err } = await cluster.run('route');

  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out.split('\n').slice(0, 3)).toEqual([
    '2 to close, 0 to open.',
    '  closes  class a100-gpu: Open -> Canary for sandbox (safe)',
    '  closes  template vision/trainer: not watched -> watched for a100-gpu',
  ]);
  expect(out).toContain('Next: kubectl-dra route --write\n');
  expect(writes()).toEqual([]);
});

test('--write applies it as the manager of the project, and a second run has nothing to do', async () => {
  putAll(cluster.server, [migration('a100'), deviceClass('a100-gpu'), template('vision', 'trainer', 'a100-gpu')]);

  const first = await cluster.run('route', '--write');
  const second = await cluster.run('route', '--write');

  expect(first).toMatchObject({ code: 0, out: 'Written.\n  write DeviceRouting\n' });
  expect(second).toMatchObject({ code: 0, out: 'Nothing to write: everything is as the migrations say.\n' });
  expect(writes()).toEqual(['PATCH deviceroutings/default']);
  const [written] = cluster.server.seen.filter(({ method }) => method === 'PATCH');
  expect(written?.query).toMatchObject({ fieldManager: 'cdk8s-dra-controller' });
  expect(written?.query).not.toHaveProperty('force', 'true');
  expect(cluster.server.objects.get(ROUTING)?.spec).toMatchObject({ classes: { 'a100-gpu': { door: 'Canary' } }, templates: { vision: 'a100-gpu: trainer\n' } });
});

test('what closes is written before a name goes on a class, and the name before what opens', async () => {
  putAll(cluster.server, [
    migration('a100', { phase: 'Expand' }), migration('h100', { phase: 'Observe', legacy: undefined }),
    deviceClass('a100-gpu'), deviceClass('h100-gpu'), template('vision', 'h', 'h100-gpu'),
    { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec: { classes: { 'a100-gpu': { door: 'Closed', message: 'no' } } } },
  ]);

  const { code, out } = await cluster.run('route', '--write');

  expect({ code, out }).toEqual({ code: 0, out: 'Written.\n  write of DeviceRouting what closes\n  put nvidia.com/gpu on class a100-gpu\n  write the rest of DeviceRouting\n' });
  const bodies = cluster.server.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => (body as { readonly spec: unknown }).spec);
  expect(bodies[0]).toMatchObject({ classes: { 'a100-gpu': { door: 'Closed' }, 'h100-gpu': { door: 'Closed' } } });
  expect(bodies[1]).toEqual({ extendedResourceName: 'nvidia.com/gpu' });
  expect(bodies[2]).toMatchObject({ classes: { 'a100-gpu': { door: 'Tenants' }, 'h100-gpu': { door: 'Closed' } } });
});

test('a hold from level Allocation on takes the name off, level Door leaves it', async () => {
  putAll(cluster.server, [migration('a100', { phase: 'Expand' }), deviceClass('a100-gpu')]);
  await cluster.run('route', '--write');
  putAll(cluster.server, [hold('a100-1', 'a100')]);
  expect(await cluster.run('route')).toMatchObject({ code: 0 });
  putAll(cluster.server, [hold('a100-2', 'a100', { level: 'Allocation', fence: [{ driver: 'gpu.nvidia.com' }] })]);

  const { out } = await cluster.run('route', '--write');

  expect(out).toBe('Written.\n  take nvidia.com/gpu off class a100-gpu\n');
  expect(cluster.server.objects.get(CLASS)?.spec).not.toHaveProperty('extendedResourceName');
});

test('after a step that failed nothing is opened', async () => {
  putAll(cluster.server, [migration('a100', { phase: 'Expand' }), deviceClass('a100-gpu'), deviceClass('old-gpu', { extendedResourceName: 'nvidia.com/gpu' })]);
  const mistaken = await cluster.run('route', '--write');
  expect(mistaken.code).toBe(1);
  expect(mistaken.out).toContain('nvidia.com/gpu cannot go on class a100-gpu: class old-gpu, which is in no migration, carries it');
  expect(writes()).toEqual([]);

  cluster.server.objects.delete('/apis/resource.k8s.io/v1/deviceclasses/old-gpu');
  cluster.server.script(({ method, path }) => (method === 'PATCH' && path === CLASS ? status(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "argocd": .spec.extendedResourceName') : undefined));
  const refused = await cluster.run('route', '--write');

  expect(refused.code).toBe(1);
  expect(refused.err).toContain('not done: put nvidia.com/gpu on class a100-gpu: Apply failed with 1 conflict: conflict with "argocd"');
});

test('a name that somebody else keeps on the class is told with its writer', async () => {
  putAll(cluster.server, [migration('a100'), {
    ...deviceClass('a100-gpu', { extendedResourceName: 'nvidia.com/gpu' }),
    metadata: { name: 'a100-gpu', uid: 'uid-a100-gpu', managedFields: [{ manager: 'argocd-controller', fieldsV1: { 'f:spec': { 'f:extendedResourceName': {} } } }] },
  }]);

  const { code, err } = await cluster.run('route', '--write');

  expect(code).toBe(1);
  expect(err).toContain('it still carries nvidia.com/gpu, written by argocd-controller. Take spec.extendedResourceName out where that comes from');
});

test('pools of nodes in hand-over are fenced, silent nodes under their own name', async () => {
  putAll(cluster.server, [
    migration('a100'), deviceClass('a100-gpu'), node('gpu-0', 'a100', 'handover'), node('gpu-1', 'a100', 'dra'), node('gpu-2', 'a100', 'handover'), slice('gpu-0'), slice('gpu-1'),
  ]);

  const { out } = await cluster.run('route', '-o', 'json');

  expect((JSON.parse(out) as { readonly routing: { readonly spec: object } }).routing.spec).toMatchObject({ fencedPools: [{ driver: 'gpu.nvidia.com', pools: ['gpu-0', 'gpu-2'] }] });
});

test('a kind that may not be read stops it: half a view would open doors', async () => {
  putAll(cluster.server, [migration('a100')]);
  cluster.server.script(({ path }) => (path.endsWith('/resourceclaimtemplates') ? status(403, 'Forbidden', 'no') : undefined));

  const { code, err } = await cluster.run('route', '--write');

  expect(code).toBe(2);
  expect(err).toContain('the routing cannot be computed: ResourceClaimTemplate: this user may not list them');
  expect(writes()).toEqual([]);
});

describe('from files', () => {
  test('a commit is compared with a collected cluster', async () => {
    const snapshot = cluster.file('cluster.json', listOf([migration('a100'), deviceClass('a100-gpu')], 'v1.36.3'));
    const head = cluster.file('head.json', JSON.stringify(migration('a100', { phase: 'Expand' })));

    const { code, out } = await run(['route', head, '--from', snapshot, '-o', 'yaml']);

    expect(code).toBe(1);
    expect(out).toContain('door: Tenants');
    // Writing follows the migrations of the cluster, so these come first.
    expect((await run(['route', head, '--from', snapshot])).out).toContain(`Next: apply ${head}, then kubectl-dra route --write`);
  });

  test.each(['of the commit', 'of the cluster'])('files %s of which part cannot be read are refused: what is missing would look open', async (which) => {
    const good = cluster.file('good.json', JSON.stringify(migration('a100')));
    const broken = cluster.file('broken.yaml', 'apiVersion: v1\nkind: Node\n bad: 1\n');

    const { code, out, err } = await run(which === 'of the commit' ? ['route', good, broken, '--from', good] : ['route', '--from', good, broken]);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`cannot read ${broken}:3:5: Invalid YAML`);
  });

  test.each([
    [['route', '--write', '--from', 'x.json'], '--write needs the cluster itself'],
    [['route', 'dist', '--write'], '--write follows the migrations that the cluster has. Apply dist first'],
  ])('%j is refused', async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, out: '' });
    expect((await run(args)).err).toContain(message);
  });

  test.each([
    [{ phase: 'Canry' }, "DeviceMigration a100: spec.phase must be one of Legacy, Observe, Canary, Expand, AllWorkloads, PluginRemoved, got 'Canry'. Did you mean Canary?"],
    [{ nodes: {} }, 'DeviceMigration a100: spec.nodes selects by no label'],
    [{ deviceClassNames: 'a' }, 'DeviceMigration a100: spec.deviceClassNames is missing'],
    [{ canary: { nodes: 1 } }, 'DeviceMigration a100: spec.canary.namespaces is missing'],
    [{ canary: { node: 1, namespaces: ['sandbox'] } }, "DeviceMigration a100: 'spec.canary.nodes' must be a number of nodes from 0 to 9999999, or a share from 0% to 100%, got null"],
    [{ expand: { steps: ['10%', {}] } }, "DeviceMigration a100: 'spec.expand.steps[1]' must be a number of nodes"],
    [{ legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: '4' }] } }, "DeviceMigration a100: spec.legacy.resources[0].unitsPerDevice: 'unitsPerDevice' must be a whole number"],
    [{ nodes: { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] } }, "DeviceMigration a100: spec.nodes.matchExpressions[0].operator: 'operator' must be one of"],
    [{ nodes: { matchLabels: { a: {} } } }, "DeviceMigration a100: spec.nodes.matchLabels.a: 'a' must be a text"],
    [{ expand: { legacyFloor: '101%' } }, "DeviceMigration a100: 'spec.expand.legacyFloor' must be a number of nodes"],
  ])('a migration with %j is named and nothing is computed', async (spec, message) => {
    const file = cluster.file('bad.json', JSON.stringify(migration('a100', spec)));

    const { code, err } = await run(['route', '--from', file]);

    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('a field that is left empty is no field, as for API servers', async () => {
    const file = cluster.file('empty.json', JSON.stringify(migration('a100', { phase: 'Observe', canary: null, expand: null, legacy: null })));

    const { code, err } = await run(['route', '--from', file]);

    expect({ code, err }).toEqual({ code: 1, err: '' });
  });
});

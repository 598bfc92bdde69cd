import * as fc from 'fast-check';
import { TEMPLATE_TEXT_LIMITS } from '../../../src/model/api';
import { holdName, holdPlan, withCarriedNames } from '../../../src/model/migration';
import type { PlannedMigration } from '../../../src/model/migration';
import { ClusterView } from '../../../src/model/view';

const DRIVER = 'gpu.example.com';

function pool(name: string, classes: readonly string[] = [`${name}-gpu`], driver = DRIVER): PlannedMigration {
  return { name, spec: { family: 'gpu', driver, nodes: { matchLabels: { pool: name } }, deviceClassNames: classes, phase: 'Canary' } };
}

function viewOf(objects: readonly { readonly [field: string]: unknown }[]): ClusterView {
  return ClusterView.of(objects.map(value => ({ value, source: { name: '' } })));
}

const node = (name: string, of: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { pool: of } } });
const slice = (name: string, spec: object) => ({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec: { driver: DRIVER, devices: [{ name: 'd' }], ...spec } });

test('a fence has every device pool that reaches a node of the pool, and every node that publishes nothing yet', () => {
  const nodes = fc.array(fc.record({ of: fc.constantFrom('a', 'b', 'c'), publishes: fc.boolean() }), { minLength: 1, maxLength: 12 });
  fc.assert(fc.property(nodes, fc.boolean(), fc.boolean(), (list, hasOther, isForAll) => {
    const objects = list.flatMap(({ of, publishes }, index) => [
      node(`n${index}`, of), ...(publishes ? [slice(`s${index}`, { nodeName: `n${index}`, pool: { name: `p${index}` } })] : []),
    ]);
    const view = viewOf([...objects, slice('other', { nodeName: 'elsewhere', pool: { name: 'other' } }), ...(isForAll ? [slice('all', { allNodes: true, pool: { name: 'net' } })] : [])]);
    const migrations = [pool('a'), ...(hasOther ? [pool('b')] : [])];
    const { spec } = holdPlan(view, migrations, pool('a'), { level: 'Allocation', reason: 'r' });
    const [fence] = spec.fence ?? [];
    expect(fence?.driver).toBe(DRIVER);
    // Without pools it is all of the driver.
    if (fence?.pools === undefined) return;
    const mine = list.flatMap(({ of, publishes }, index) => (of === 'a' ? [publishes ? `p${index}` : `n${index}`] : []));
    expect(fence.pools).toEqual(expect.arrayContaining([...mine, ...(isForAll ? ['net'] : [])]));
    expect(fence.pools).not.toContain('other');
  }));
});

test('without another user of the driver the fence is around all of it, so that nodes which come later are in it', () => {
  const view = viewOf([node('n', 'a'), slice('s', { nodeName: 'n', pool: { name: 'n' } })]);

  expect(holdPlan(view, [pool('a'), pool('b', ['x'], 'other.example.com')], pool('a'), { level: 'Allocation', reason: 'r' }).spec.fence).toEqual([{ driver: DRIVER }]);
});

test.each([
  ['for all nodes', { allNodes: true }, ['net']],
  ['by labels', { nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['a'] }] }] } }, ['net']],
  ['by labels of other nodes', { nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['b'] }] }] } }, []],
  ['device by device, by name', { perDeviceNodeSelection: true, devices: [{ name: 'd', nodeName: 'n' }] }, ['net']],
  ['device by device, elsewhere', { perDeviceNodeSelection: true, devices: [{ name: 'd', nodeName: 'm' }] }, []],
  ['device by device, for all', { perDeviceNodeSelection: true, devices: [{ name: 'd', allNodes: true }] }, ['net']],
])('a slice %s is fenced where it reaches the pool', (_, spec, pools) => {
  const view = viewOf([node('n', 'a'), node('m', 'b'), slice('s', { pool: { name: 'net' }, ...spec })]);

  const [fence] = holdPlan(view, [pool('a'), pool('b')], pool('a'), { level: 'Allocation', reason: 'r' }).spec.fence ?? [];

  expect(fence).toEqual({ driver: DRIVER, pools: ['n', ...pools].sort() });
});

test('other families of the group are named: they are not held', () => {
  const grouped = (name: string, driver: string): PlannedMigration => ({ name, spec: { ...pool(name, [name], driver).spec, group: 'rack' } });

  const { warnings } = holdPlan(viewOf([]), [grouped('gpu', DRIVER), grouped('nic', 'nic.example.com')], grouped('gpu', DRIVER), { level: 'Door', reason: 'r' });

  expect(warnings).toContain('nic of group rack has the same nodes and is not held.');
});

const template = (namespace: string, name: string, ...classes: string[]) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { namespace, name },
  spec: { spec: { devices: { requests: [{ name: 'r', firstAvailable: classes.map(deviceClassName => ({ name: 'x', deviceClassName })) }] } } },
});

test('templates are told by namespace and held class, and new ones are refused', () => {
  const view = viewOf([template('vision', 'train', 'a-gpu', 'other'), template('vision', 'eval', 'a-nic', 'a-gpu'), template('audio', 'x', 'other'), template('audio', 'y', 'a-nic')]);
  const held = pool('a', ['a-gpu', 'a-nic']);

  const { spec, warnings, mistakes } = holdPlan(view, [held], held, { level: 'Door', reason: 'r' });

  expect(spec.templates).toEqual({ audio: 'a-nic: y\n', vision: 'a-gpu: eval train\na-nic: eval\n' });
  expect(warnings).toContainEqual(expect.stringContaining('New claim templates that ask for class a-gpu or a-nic are refused too, also those of a GitOps engine'));
  expect(mistakes).toEqual([]);
});

test('without the right to read templates those that the routing knows are held', () => {
  const routing = { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec: { templates: { n: 'a-gpu: x y\nother: z\n' } } };

  expect(holdPlan(viewOf([routing]), [pool('a')], pool('a'), { level: 'Door', reason: 'r' }).spec.templates).toEqual({ n: 'a-gpu: x y\n' });
});

test('more templates than a hold takes: it is not made at level Door, and at level Allocation the fence stops their work', () => {
  const templates = Array.from({ length: TEMPLATE_TEXT_LIMITS.text / 8 }, (_, index) => template('n', `t${String(index).padStart(7, '0')}`, 'a-gpu'));
  const plan = (level: 'Door' | 'Allocation') => holdPlan(viewOf(templates), [pool('a')], pool('a'), { level, reason: 'r' });

  expect(plan('Door').mistakes).toEqual(['The claim templates of namespace n fill 36871 characters, a hold takes 32768 a namespace. '
    + 'Use --level Allocation, whose fence needs no names, or delete templates that nobody uses.']);
  expect(plan('Allocation')).toMatchObject({ mistakes: [], spec: { classes: ['a-gpu'], fence: [{ driver: DRIVER }] } });
  expect(plan('Allocation').spec.templates).toBeUndefined();
  expect(plan('Allocation').warnings).toContainEqual(expect.stringContaining('It names none: new work by template is let in, and waits at the fence.'));
});

test('names that stay on classes are refused at the door, each once', () => {
  const spec = { migration: 'a', level: 'Allocation' as const, reason: 'r', resources: ['v/b'] };

  expect(withCarriedNames(spec, [{ deviceClassName: 'x', resource: 'v/b' }, { deviceClassName: 'y', resource: 'v/a' }]).resources).toEqual(['v/a', 'v/b']);
  expect(withCarriedNames(spec, [])).toBe(spec);
});

test('the first free number is taken', () => {
  expect(holdName('a', new Set())).toBe('a-1');
  expect(holdName('a', new Set(['a-1', 'a-3']))).toBe('a-2');
});

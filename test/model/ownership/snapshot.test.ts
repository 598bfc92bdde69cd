import { SPEC } from './sample-spec';
import type { DeviceMigrationSpec } from '../../../src/model/api';
import { snapshotProblems } from '../../../src/model/ownership';
import { ClusterView } from '../../../src/model/view';

const OWNER = 'cdk8s-dra.dev/gpu-owner';
const of = (spec: Partial<DeviceMigrationSpec> = {}, name = 'a100') => ({ name, spec: { ...SPEC, ...spec } });

const node = (name: string, labels: Record<string, string> = {}, gpus = 0) => ({
  apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { type: 'a100', ...labels } }, status: { allocatable: { 'nvidia.com/gpu': String(gpus) } },
});
const slice = (nodeName: string, devices: number, driver = 'gpu.nvidia.com') => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `${nodeName}-${driver}` },
  spec: { driver, nodeName, pool: { name: nodeName }, devices: Array.from({ length: devices }, (_, index) => ({ name: `gpu-${index}` })) },
});
const found = (migrations: ReturnType<typeof of>[], ...objects: object[]) => {
  const view = ClusterView.of(objects.map(value => ({ value: value as never, source: { name: 'snapshot' } })));
  return snapshotProblems(migrations, view);
};
const nodes = (count: number) => Array.from({ length: count }, (_, index) => node(`n${index}`));

test.each<[string, ReturnType<typeof of>[], object[], string[]]>([
  ['a plan that fits', [of()], nodes(5), []],
  ['no nodes known', [of()], [], []],
  ['no node selected', [of({ nodes: { matchLabels: { type: 'h100' } } })], nodes(5), ['DRA431 warning']],
  ['no canary selected', [of({ canary: { nodes: 1, namespaces: [], selector: { matchLabels: { rack: '1' } } } })], nodes(5), ['DRA431 warning']],
  ['a canary larger than the pool', [of({ canary: { nodes: 6, namespaces: [] } })], nodes(5), ['DRA432 warning']],
  ['a canary that the floor cuts', [of({ expand: { legacyFloor: 4 } })], nodes(5), ['DRA432 warning']],
  ['a floor that is the whole pool', [of({ expand: { legacyFloor: '100%' } })], nodes(5), ['DRA432 warning']],
  ['a share that fits', [of({ canary: { nodes: '10%', namespaces: [] }, expand: { legacyFloor: '50%' } })], nodes(5), []],
  ['an assumption that does not hold', [of(), of({ nodes: { matchLabels: { rack: '1' } }, assumesDisjoint: ['a100'] }, 'rack')], [...nodes(5), node('both', { rack: '1' })], ['DRA433 error', 'DRA432 warning']],
  ['an assumption that holds', [of(), of({ nodes: { matchLabels: { rack: '1' } }, assumesDisjoint: ['a100'] }, 'rack')], [...nodes(5), node('r1', { rack: '1', type: 'x' }), node('r2', { rack: '1', type: 'x' })], []],
  ['other families share nodes', [of(), of({ family: 'nic', driver: 'dra.net' }, 'nic')], nodes(5), []],
  ['an owner nobody knows', [of()], [...nodes(5), node('odd', { [OWNER]: 'DRA' })], ['DRA434 error']],
  ['canary nodes as planned', [of()], [...nodes(5), node('m1', { [OWNER]: 'dra' }), node('m2', { [OWNER]: 'dra' })], []],
  ['more nodes moved than the phase allows', [of({ phase: 'Observe' })], [...nodes(5), node('m1', { [OWNER]: 'dra' })], ['DRA434 warning']],
  // C-011: the same eight devices by plugin and by slice.
  ['plugin and driver on one node', [of()], [...nodes(5), node('twice', { [OWNER]: 'dra' }, 8), slice('twice', 8)], ['DRA430 error']],
  ['a plugin that has left, whose resource stays with 0', [of()], [...nodes(5), node('moved', { [OWNER]: 'dra' }), slice('moved', 8)], []],
  ['slices of another driver beside the plugin', [of()], [...nodes(5), node('other', {}, 8), slice('other', 8, 'dra.net')], []],
  ['an empty slice beside the plugin', [of()], [...nodes(5), node('observed', {}, 8), slice('observed', 0)], []],
])('%s', (_, migrations, objects, expected) => {
  expect(found(migrations, ...objects).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
});

test('a node with two owners is told with both numbers and what to do', () => {
  const [problem] = found([of()], ...nodes(3), node('twice', {}, 8), slice('twice', 8));
  expect(problem.message).toBe('Node twice of migration a100 offers its devices twice: 8 of nvidia.com/gpu, and 8 as gpu.nvidia.com.');
  expect(problem.help).toMatch(/^Hold the migration/);
});

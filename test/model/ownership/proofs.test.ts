import { SPEC } from './sample-spec';
import type { DeviceMigrationSpec } from '../../../src/model/api';
import type { LabelCondition } from '../../../src/model/label-selector';
import type { ManifestObject } from '../../../src/model/manifests/manifest-set';
import { ownerLabel } from '../../../src/model/node-contract';
import { groupProblems, pathProblems, poolProblems, quotaProblems, resourceNameProblems, tellProblem } from '../../../src/model/ownership';
import type { OwnershipProblem, PlannedClass, PlannedTenant, QuotaLimit, Workload } from '../../../src/model/ownership';
import { Target } from '../../../src/model/target';

const of = (name: string, spec: Partial<DeviceMigrationSpec> = {}) => ({ name, spec: { ...SPEC, nodes: { matchLabels: { type: name } }, ...spec } });
const object = (kind: string, name: string, namespace = ''): ManifestObject => {
  return { manifest: { value: {}, source: { name: 'x' } }, index: 0, apiVersion: 'v1', group: '', version: 'v1', kind, namespace, name, value: {} };
};
const codes = (problems: readonly OwnershipProblem[]) => problems.map(({ code, severity }) => `${code} ${severity}`);

describe('pools', () => {
  test.each<[string, Parameters<typeof poolProblems>[0], string[]]>([
    ['disjoint by one label', [of('a'), of('b')], []],
    ['one inside the other', [of('a', { nodes: { matchLabels: { zone: 'z' } } }), of('b')], ['DRA410 error']],
    ['an assumption of either is taken', [of('a', { nodes: { matchLabels: { zone: 'z' } } }), of('b', { assumesDisjoint: ['a'] })], []],
    ['contradicting conditions', [of('a', { nodes: { matchLabels: { t: 'x' }, matchExpressions: [{ key: 't', operator: 'NotIn', values: ['x'] }] } })], ['DRA411 error']],
    ['a canary outside of its pool', [of('a', { canary: { nodes: 1, namespaces: [], selector: { matchLabels: { type: 'b' } } } })], ['DRA411 error']],
    ['a pool chosen by its owner', [of('a', { nodes: { matchLabels: { 'cdk8s-dra.dev/gpu-owner': 'dra' } } })], ['DRA411 error']],
  ])('%s', (_, migrations, expected) => {
    expect(codes(poolProblems(migrations))).toEqual(expected);
  });

  test('an overlap is a story about one node', () => {
    const [problem] = poolProblems([of('a', { nodes: { matchLabels: { zone: 'z' } } }), of('b')]);
    expect(tellProblem(problem)).toBe('Migrations a and b of family gpu may select one node, e.g. one with type=b, zone=z. (1) a hands the node over to DRA. '
      + '(2) b, for which it is not due yet, gives it back to the device plugin while claims of a hold its devices. (3) Its devices have two owners.');
  });
});

// C-142: one name must not be on two classes.
describe('resource names', () => {
  const classes = (...all: Array<[string, string | undefined, boolean?]>): PlannedClass[] => all.map(([name, extendedResourceName, isInstalled]) => {
    return { name, extendedResourceName, ...(isInstalled === true ? {} : { object: object('DeviceClass', name) }) };
  });
  test.each<[string, string, Parameters<typeof of>[1], PlannedClass[], string[]]>([
    ['the bridge alone', '1.36', {}, classes(['gpu-large', undefined]), []],
    ['another class carries the name', '1.36', {}, classes(['gpu-large', undefined], ['gpu-old', 'nvidia.com/gpu']), ['DRA414 error']],
    ['a class of the driver\'s chart carries the name', '1.36', {}, classes(['gpu.nvidia.com', 'nvidia.com/gpu', true]), ['DRA414 warning']],
    ['no bridge on this version, so one carrier is no conflict', '1.35', {}, classes(['gpu-old', 'nvidia.com/gpu']), []],
    ['the class of the migration has it in Git', '1.36', {}, classes(['gpu-large', 'nvidia.com/gpu']), ['DRA415 error']],
    ['two classes in the manifests', '1.35', {}, classes(['gpu-old', 'nvidia.com/gpu'], ['gpu-older', 'nvidia.com/gpu']), ['DRA414 error']],
    ['another name on another class', '1.36', {}, classes(['fpga', 'example.com/fpga']), []],
    ['the implicit name of another class', '1.36', { legacy: { resources: [{ name: 'deviceclass.resource.kubernetes.io/gpu-old' }] } }, [], ['DRA414 error']],
    ['the implicit name of the bridged class itself', '1.36', { legacy: { resources: [{ name: 'deviceclass.resource.kubernetes.io/gpu-large' }] } }, [], []],
  ])('%s', (_, minor, spec, planned, expected) => {
    expect(codes(resourceNameProblems({ migrations: [of('a', spec)], classes: planned, target: Target.of(minor) }))).toEqual(expected);
  });
});

describe('paths', () => {
  const workload = (fields: Partial<Workload>): Workload => ({
    site: { object: object('Job', 'train', fields.namespace ?? 'vision'), path: [] },
    namespace: 'vision',
    interruption: 'costly',
    classes: [],
    resources: [],
    reach: [[]],
    ...fields,
  });
  const gpu = workload({ resources: [{ name: 'nvidia.com/gpu', path: ['r'] }] });
  const claim = (namespace: string, interruption: Workload['interruption']) => workload({ namespace, interruption, classes: [{ name: 'gpu-large', path: ['c'] }] });
  const both = (...names: string[]) => workload({ resources: gpu.resources, classes: names.map(name => ({ name, path: ['c'] })) });
  const floor = { expand: { legacyFloor: 1 } };
  const byClaim = { classes: [{ name: 'gpu-large', path: ['c'] }] };
  const owner = (operator: LabelCondition['operator'], ...values: string[]): LabelCondition => ({ key: ownerLabel('gpu'), operator, values });
  const owned = (fields: Partial<Workload>, operator: LabelCondition['operator'], ...values: string[]) => workload({ ...fields, reach: [[owner(operator, ...values)]] });

  test.each<[string, string, ReturnType<typeof of>[], Workload, string[]]>([
    ['old work while nodes keep the plugin', '1.34', [of('a', floor)], gpu, []],
    ['a claim in Observe', '1.34', [of('a', { phase: 'Observe' })], claim('vision', 'safe'), ['DRA416 error']],
    ['a safe claim of a canary namespace', '1.34', [of('a')], claim('sandbox', 'safe'), []],
    ['a costly claim of a canary namespace', '1.34', [of('a')], claim('sandbox', 'costly'), ['DRA416 error']],
    ['a safe claim of another namespace in Canary', '1.34', [of('a')], claim('vision', 'safe'), ['DRA416 error']],
    ['a costly claim in Expand', '1.34', [of('a', { phase: 'Expand' })], claim('vision', 'costly'), []],
    ['a forbidden claim in Expand', '1.34', [of('a', { phase: 'Expand' })], claim('vision', 'forbidden'), ['DRA416 error']],
    ['a forbidden claim where another pool of the class is open', '1.34', [of('a', { phase: 'Expand' }), of('b', { phase: 'AllWorkloads' })], claim('vision', 'forbidden'), []],
    ['any claim in AllWorkloads', '1.34', [of('a', { phase: 'AllWorkloads' })], claim('vision', 'forbidden'), []],
    ['a class of no migration', '1.34', [of('a')], workload({ classes: [{ name: 'other', path: [] }] }), []],
    ['old work after the move without a bridge', '1.34', [of('a', { phase: 'AllWorkloads' })], gpu, ['DRA416 error']],
    ['old work after the move with a bridge', '1.36', [of('a', { phase: 'AllWorkloads' })], gpu, []],
    ['old work before the last promotion without a bridge', '1.34', [of('a', { phase: 'Expand', ...floor })], gpu, ['DRA416 warning']],
    ['old work before the last promotion, another pool staying behind', '1.34', [of('a', { phase: 'Expand', ...floor }), of('b', { phase: 'Legacy' })], gpu, []],
    ['old work that runs on the promoted pool only', '1.34', [of('a', { phase: 'AllWorkloads' }), of('b', { phase: 'Legacy' })],
      workload({ resources: gpu.resources, reach: [[{ key: 'type', operator: 'In', values: ['a'] }]] }), ['DRA416 error']],
    ['old work that runs on nodes of no pool', '1.34', [of('a', { phase: 'AllWorkloads' })],
      workload({ resources: gpu.resources, reach: [[{ key: 'type', operator: 'In', values: ['z'] }]] }), []],
    ['old work in Expand without a floor', '1.34', [of('a', { phase: 'Expand' })], gpu, ['DRA417 warning']],
    ['old work in Canary, Expand having no floor', '1.34', [of('a')], gpu, ['DRA417 warning']],
    ['old work in Expand without a floor, with a bridge', '1.36', [of('a', { phase: 'Expand' })], gpu, []],
    ['old work by parts of devices, which no bridge serves', '1.36', [of('a', { phase: 'AllWorkloads', legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 4 }] } })], gpu, ['DRA416 error']],
    ['old work of a pool whose group goes on', '1.34', [of('a', { phase: 'Expand', group: 'g', ...floor }), of('b', { phase: 'Expand', group: 'g', ...floor })], gpu, ['DRA416 warning']],
    ['work by claim and by resource at once', '1.34', [of('a', { phase: 'AllWorkloads', ...floor }), of('b', { phase: 'Legacy' })], both('gpu-large'), ['DRA416 error']],
    ['the same where the class serves the resource', '1.36', [of('a', { phase: 'AllWorkloads' })], both('gpu-large'), []],
    ['the same with a class of no migration, which may be an alternative', '1.34', [of('a', { phase: 'AllWorkloads' }), of('b', { phase: 'Legacy' })], both('gpu-large', 'other'), ['DRA416 warning']],
    ['the same where the class is an alternative to one of no migration', '1.34', [of('a', { phase: 'AllWorkloads', ...floor }), of('b', { phase: 'Legacy' })],
      workload({ resources: gpu.resources, classes: [{ name: 'gpu-large', path: ['c'], isAlternative: true }] }), ['DRA416 warning']],
    ['a claim of another family beside the resource', '1.34', [of('a', { phase: 'Legacy' }), of('n', { family: 'nic', deviceClassNames: ['nic'], legacy: undefined, phase: 'AllWorkloads' })], both('nic'), []],
    ['a claim on nodes of the device plugin', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })], owned(byClaim, 'In', 'device-plugin'), ['DRA416 warning']],
    ['a claim on nodes of the device plugin or in handover', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })], owned(byClaim, 'In', 'device-plugin', 'handover'), ['DRA416 warning']],
    ['a claim on nodes of either owner', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })], owned(byClaim, 'In', 'device-plugin', 'dra'), []],
    ['a claim on nodes that are not of DRA, maybe of no migration', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })], owned(byClaim, 'NotIn', 'dra'), []],
    ['an alternative on nodes of the device plugin', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })],
      owned({ classes: [{ name: 'gpu-large', path: [], isAlternative: true }] }, 'In', 'device-plugin'), []],
    ['a claim on nodes of the device plugin, with an affinity that also takes others', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })],
      workload({ ...byClaim, interruption: 'safe', reach: [[owner('In', 'device-plugin')], [{ key: 'type', operator: 'In', values: ['z'] }]] }), []],
    ['a claim that can run nowhere', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })], workload({ ...byClaim, reach: [[owner('In', 'device-plugin'), owner('In', 'dra')]] }), []],
    ['a claim on nodes of the device plugin of another family', '1.34', [of('a', { phase: 'AllWorkloads', ...floor })],
      workload({ ...byClaim, reach: [[{ key: ownerLabel('nic'), operator: 'In', values: ['device-plugin'] }]] }), []],
    ['old work on nodes of DRA', '1.34', [of('a', { phase: 'Legacy' })], owned(gpu, 'In', 'dra'), ['DRA416 warning']],
    ['old work on nodes of DRA, with a bridge', '1.36', [of('a', { phase: 'AllWorkloads' })], owned(gpu, 'In', 'dra'), []],
    ['old work on nodes of the device plugin', '1.34', [of('a', { phase: 'Legacy' })], owned(gpu, 'In', 'device-plugin'), []],
    ['old work of two pools that go on apart', '1.34', [of('a', { phase: 'Expand', ...floor }), of('b', { phase: 'Expand', ...floor })], gpu, []],
  ])('%s', (_, minor, migrations, one, expected) => {
    expect(codes(pathProblems({ migrations, workloads: [one], target: Target.of(minor) }))).toEqual(expected);
  });

  test('a closed door is told at the workload, with the words of the door and the way out', () => {
    const [problem] = pathProblems({ migrations: [of('a', { phase: 'Observe' })], workloads: [claim('vision', 'safe')], target: Target.of('1.34') });
    expect(problem.site?.object.name).toBe('train');
    expect(tellProblem(problem)).toBe('Job vision/train asks for class gpu-large, whose door does not let it in: the API server refuses it. '
      + '(1) Class gpu-large is not open yet: pool a is in Observe. Until then ask for nvidia.com/gpu.');
  });

  test('nodes of the other owner are told with the label that has to go', () => {
    const [problem] = pathProblems({ migrations: [of('a', { phase: 'AllWorkloads', ...floor })], workloads: [owned(byClaim, 'In', 'device-plugin')], target: Target.of('1.34') });

    expect(tellProblem(problem)).toBe('Job vision/train asks for class gpu-large, and its node selector or affinity leaves no node with cdk8s-dra.dev/gpu-owner=dra, '
      + 'where alone that is to be had: its pod waits for ever.');
    expect(problem.help).toBe('Take cdk8s-dra.dev/gpu-owner out of its node selector and affinity, or ask for the resource of the device plugin.');
  });
});

describe('quota', () => {
  const quota = (...all: Array<[string, string, number]>): QuotaLimit[] => all.map(([namespace, key, amount]) => {
    return { namespace, key, amount, site: { object: object('ResourceQuota', 'devices', namespace), path: ['spec', 'hard', key] } };
  });
  const tenant = (count: number, source: 'Kueue' | 'ResourceQuota' = 'ResourceQuota'): PlannedTenant => {
    return { name: 'team', spec: { namespaces: ['sandbox', 'vision'], quota: { source, devices: [{ deviceClassName: 'gpu-large', count }] } } };
  };
  const OLD = 'requests.nvidia.com/gpu';
  const NEW = 'gpu-large.deviceclass.resource.k8s.io/devices';
  const all = (old: number, claims: number): QuotaLimit[] => quota(['sandbox', OLD, old], ['sandbox', NEW, claims], ['vision', OLD, old], ['vision', NEW, claims]);

  test.each<[string, string, Parameters<typeof of>[1], PlannedTenant, QuotaLimit[], string[]]>([
    ['both ways within the total in every phase', '1.34', {}, tenant(8), all(2, 2), []],
    ['both ways above the total once Expand opens the second namespace', '1.34', {}, tenant(7), all(2, 2), ['DRA418 warning']],
    ['both ways above the total now', '1.34', { phase: 'Expand' }, tenant(7), all(2, 2), ['DRA418 error']],
    ['the old way alone above the total', '1.34', { phase: 'Legacy' }, tenant(3), all(2, 2), ['DRA418 error']],
    ['nothing limits claims of the canary namespace', '1.34', {}, tenant(8), quota(['sandbox', OLD, 2], ['vision', OLD, 2], ['vision', NEW, 2]), ['DRA418 error']],
    ['nothing limits the old way', '1.34', {}, tenant(8), quota(['sandbox', OLD, 2], ['sandbox', NEW, 2], ['vision', NEW, 2]), ['DRA418 error']],
    ['a way that is closed by 0', '1.34', { phase: 'AllWorkloads' }, tenant(8), all(0, 4), []],
    ['the old name counts claims too once the bridge is open', '1.36', { phase: 'Expand' }, tenant(8), quota(['sandbox', OLD, 4], ['vision', OLD, 4]), []],
    ['before the bridge opens it does not', '1.36', {}, tenant(8), quota(['sandbox', OLD, 4], ['vision', OLD, 4]), ['DRA418 error']],
    ['several units are one device', '1.34', { legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 4 }] } }, tenant(8), all(8, 2), []],
    ['a Kueue tenant that a ResourceQuota counts again', '1.34', {}, tenant(8, 'Kueue'), all(2, 2), ['DRA418 warning']],
    ['a Kueue tenant without such a quota', '1.34', {}, tenant(8, 'Kueue'), quota(['vision', 'requests.cpu', 5]), []],
    ['a tenant of other classes', '1.34', { deviceClassNames: ['other'] }, tenant(1), [], []],
  ])('%s', (_, minor, spec, team, quotas, expected) => {
    expect(codes(quotaProblems({ migrations: [of('a', spec)], tenants: [team], quotas, target: Target.of(minor) }))).toEqual(expected);
  });

  test('what adds up is told by namespace and key', () => {
    const [problem] = quotaProblems({ migrations: [of('a', { phase: 'Expand' })], tenants: [tenant(7)], quotas: all(2, 2), target: Target.of('1.34') });
    expect(tellProblem(problem)).toBe('Tenant team may hold 7 devices of a, but its quotas allow 8 in the present phase (a in Expand). '
      + `(1) They add up: 2 by ${OLD} in sandbox, 2 by ${NEW} in sandbox, 2 by ${OLD} in vision, 2 by ${NEW} in vision.`);
  });
});

describe('groups', () => {
  const nic = { family: 'nic', driver: 'dra.net', group: 'g', nodes: { matchLabels: { type: 'a' } } };
  test.each<[string, Partial<DeviceMigrationSpec>, string | undefined]>([
    ['the same nodes, another family', {}, undefined],
    ['the same nodes in other words', { nodes: { matchExpressions: [{ key: 'type', operator: 'In', values: ['a', 'a'] }] } }, undefined],
    ['more nodes', { nodes: { matchExpressions: [{ key: 'type', operator: 'In', values: ['a', 'b'] }] } }, 'select different nodes: one with type=b is in nic only'],
    ['fewer nodes', { nodes: { matchLabels: { type: 'a', zone: 'z' } } }, 'is in gpu only'],
    ['the same family', { family: 'gpu' }, 'are both of family gpu'],
    ['another phase', { phase: 'Expand' }, 'stand in different phases'],
    ['another canary', { canary: { nodes: 3, namespaces: ['sandbox'] } }, 'choose different nodes: canary'],
    ['other canary namespaces only', { canary: { nodes: 2, namespaces: ['other'] } }, undefined],
    ['another floor', { expand: { legacyFloor: 1 } }, 'choose different nodes: expand'],
    ['no group', { group: undefined, phase: 'Expand' }, undefined],
  ])('%s', (_, spec, expected) => {
    const problems = groupProblems([of('gpu', { group: 'g', nodes: { matchLabels: { type: 'a' } } }), of('nic', { ...nic, ...spec })]);
    expect(problems).toHaveLength(expected === undefined ? 0 : 1);
    if (expected !== undefined) expect(problems[0].message).toContain(expected);
  });
});

import { App, Chart, Testing } from 'cdk8s';
import { DevicePolicies, DevicePolicy, type DevicePoliciesProps, MigrationCrds } from '../../src';

function objectsOf(props: DevicePoliciesProps = {}): any[] {
  const chart = Testing.chart();
  new DevicePolicies(chart, 'policies', props);
  return Testing.synth(chart);
}

const named = (objects: any[], kind: string) => objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name);
const TENANTS = { tenantNamespaceLabels: { 'example.com/tenant': 'true' } };

test('without tenants the policies that need a DeviceAccess are left out; every policy has its binding of that name', () => {
  const names = ['cdk8s-dra-admin-access', 'cdk8s-dra-claim-origin', 'cdk8s-dra-door', 'cdk8s-dra-fence', 'cdk8s-dra-hold', 'cdk8s-dra-hold-fence'];
  expect(named(objectsOf(), 'ValidatingAdmissionPolicy')).toEqual(names);
  expect(named(objectsOf(), 'ValidatingAdmissionPolicyBinding')).toEqual(names);
  expect(named(objectsOf(TENANTS), 'ValidatingAdmissionPolicy'))
    .toEqual(['cdk8s-dra-access', 'cdk8s-dra-access-workloads', ...names.slice(0, 2), 'cdk8s-dra-consumers', ...names.slice(2)]);
});

test('only the chosen policies are emitted, and the role for holding with holds only', () => {
  expect(named(objectsOf({ policies: [DevicePolicy.FENCE, DevicePolicy.DOOR] }), 'ValidatingAdmissionPolicy')).toEqual(['cdk8s-dra-door', 'cdk8s-dra-fence']);
  expect(named(objectsOf({ policies: [DevicePolicy.DOOR] }), 'ClusterRole')).toEqual([]);
  expect(named(objectsOf({ policies: [DevicePolicy.HOLD] }), 'ClusterRole')).toEqual(['cdk8s-dra-hold']);
});

test('whoever may hold makes and deletes holds, and changes nothing else', () => {
  const [role] = objectsOf({ policies: [DevicePolicy.HOLD] }).filter(({ kind }) => kind === 'ClusterRole');
  const writes = role.rules.filter(({ verbs }: any) => verbs.some((verb: string) => !['get', 'list', 'watch'].includes(verb)));
  expect(writes).toEqual([{ apiGroups: ['cdk8s-dra.dev'], resources: ['deviceholds'], verbs: ['create', 'delete', 'get', 'list', 'watch'] }]);
});

test('GitOps engines never prune them, and apply a policy before its binding', () => {
  for (const { kind, metadata } of objectsOf(TENANTS)) {
    expect(metadata.annotations).toMatchObject({ 'argocd.argoproj.io/sync-options': 'Prune=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
    const wave = { ValidatingAdmissionPolicy: '-8', ValidatingAdmissionPolicyBinding: '-7' }[kind as string];
    expect(metadata.annotations['argocd.argoproj.io/sync-wave']).toBe(wave);
  }
});

test.each<[string, DevicePoliciesProps, string]>([
  ['access without tenants', { policies: [DevicePolicy.ACCESS, DevicePolicy.CONSUMERS] }, 'Policies Access and Consumers are about the namespaces of tenants, and tenantNamespaceLabels names none'],
  ['no label', { policies: [DevicePolicy.ACCESS], tenantNamespaceLabels: {} }, 'tenantNamespaceLabels names none'],
  ['an empty selector by default', { tenantNamespaceLabels: {} }, 'tenantNamespaceLabels names none'],
  ['a wrong label', { tenantNamespaceLabels: { 'a b': 'x' } }, 'tenantNamespaceLabels: the label "a b" must'],
  ['a wrong value', { tenantNamespaceLabels: { a: 'b c' } }, 'tenantNamespaceLabels: the value "b c" must'],
  ['a wrong namespace', { systemNamespaces: ['kube_public'] }, 'systemNamespaces: "kube_public" must'],
  ['no policy', { policies: [] }, 'policies must name at least one'],
  ['an empty group', { platformGroups: [] }, 'platformGroups must name at least one'],
  ['an account without a user name', { controllerAccounts: ['jobset/controller'] }, 'controllerAccounts: "jobset/controller" looks like namespace/name'],
  ['a workload without paths', { workloads: [{ apiGroup: 'a.b', resource: 'xs', podTemplates: [] }] }, 'workloads: "xs" must say where its pod templates or pod specs are'],
  ['a workload without a word of paths', { workloads: [{ apiGroup: 'a.b', resource: 'xs' }] }, 'workloads: "xs" must say where its pod templates or pod specs are'],
  ['a pod spec with two maps', { workloads: [{ apiGroup: 'a.b', resource: 'xs', podSpecs: ['spec.a{}.b{}.pod'] }] }, 'the path "spec.a{}.b{}.pod" must be'],
  ['a path with two lists', { workloads: [{ apiGroup: 'a.b', resource: 'xs', podTemplates: ['spec.a[].b[].template'] }] }, 'the path "spec.a[].b[].template" must be'],
  ['a path with an expression', { workloads: [{ apiGroup: 'a.b', resource: 'xs', podTemplates: ['spec) || true'] }] }, 'the path "spec) || true" must be'],
  ['a kind for its plural', { workloads: [{ apiGroup: 'a.b', resource: 'Training', podTemplates: ['spec'] }] }, 'workloads: "Training", the plural of the kind, must'],
])('%s is refused', (_title, props, words) => {
  expect(() => objectsOf(props)).toThrow(words);
});

test('all CRDs are made once, or without the one for node reports', () => {
  const names = (nodeReports?: boolean) => {
    const chart = new Chart(new App(), 'crds');
    new MigrationCrds(chart, 'crds', { nodeReports });
    return Testing.synth(chart).map(({ spec }) => spec.names.kind);
  };
  const all = ['DeviceAccess', 'DeviceHold', 'DeviceMigration', 'DeviceNodeReport', 'DeviceRouting', 'DeviceTenant'];
  expect(names()).toEqual(all);
  expect(names(false)).toEqual(all.filter(kind => kind !== 'DeviceNodeReport'));
});

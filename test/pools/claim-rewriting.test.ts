import { Chart, Testing } from 'cdk8s';
import {
  ClaimRewriting, type ClaimRewritingProps, DeviceClass, DeviceMigration, type DeviceMigrationProps, DriverProfile, KubernetesTarget, LegacyPath,
  MigrationPhase, NodeSelection, PlatformApp,
} from '../../src';

const large = DeviceClass.fromDeviceClassName('gpu-large');
const shared = LegacyPath.extendedResources([{ name: 'example.com/gpu.shared', unitsPerDevice: 4 }]);
const CLAIMS = [{ units: 1, claimTemplate: 'quarter' }];

function objectsOf(given: Partial<ClaimRewritingProps> = {}, { version = '1.36', ...pool }: Partial<DeviceMigrationProps> & { readonly version?: string } = {}): any[] {
  const app = new PlatformApp({ kubernetes: KubernetesTarget.of(version) });
  const chart = new Chart(app, 'chart');
  const migration = new DeviceMigration(chart, 'a100', {
    driver: DriverProfile.custom({ driverName: 'gpu.example.com', family: 'gpu' }),
    deviceClasses: [large],
    nodes: NodeSelection.labels({ pool: 'a100' }),
    legacy: shared,
    phase: MigrationPhase.OBSERVE,
    ...pool,
  });
  new ClaimRewriting(chart, 'gpus', { pools: [migration], claims: CLAIMS, ...given });
  return Testing.synth(chart).filter(({ kind }: any) => kind.startsWith('Mutating'));
}

test('a policy, and a binding for namespaces and one for workloads', () => {
  const objects = objectsOf();
  expect(objects.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name} ${metadata.annotations['argocd.argoproj.io/sync-wave']}`)).toEqual([
    'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy gpus -8',
    'admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding gpus-namespaces -7',
    'admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding gpus-workloads -7',
  ]);
  expect(objects.slice(1).map(({ spec }) => spec.policyName)).toEqual(['gpus', 'gpus']);
});

test('a name of its own is the name of all three', () => {
  expect(objectsOf({ metadata: { name: 'mine', labels: { tier: 'large' } } }).map(({ metadata }) => metadata.name)).toEqual(['mine', 'mine-namespaces', 'mine-workloads']);
});

test('whole devices are rewritten where it is wanted, though a class could serve them', () => {
  const legacy = LegacyPath.extendedResource('example.com/gpu');
  expect(objectsOf({ claimsWhenOpen: true }, { legacy })[0].spec.matchConditions[1].expression).toContain('"example.com/gpu" in ');
});

test.each<[string, Partial<ClaimRewritingProps>, Parameters<typeof objectsOf>[1], string]>([
  ['a server without the kind', {}, { version: '1.35' }, 'MutatingAdmissionPolicy is served by default from Kubernetes 1.36 on, and the target is 1.35. Use RoutedDevices'],
  ['no pool', { pools: [] }, {}, "'pools' must name a migration, got none"],
  ['a resource that a class serves', {}, { legacy: LegacyPath.extendedResource('example.com/gpu') },
    "Nothing has to be rewritten: from Expand on class gpu-large serves example.com/gpu itself. Leave this out, or set 'claimsWhenOpen' to true"],
  ['no resource', {}, { legacy: undefined }, "'resource' must be one extended resource of the migrations, got none; they name none: set `legacy`"],
  ['another resource', { resource: 'example.com/nic' }, {}, 'got "example.com/nic"; they name example.com/gpu.shared.'],
  ['one class of two', {}, { deviceClasses: [large, DeviceClass.fromDeviceClassName('gpu-small')] },
    "'deviceClass' must be one class of the migrations, got none; they name gpu-large, gpu-small."],
  ['no template', { claims: [] }, {}, "'claims' must name a template, got none"],
  ['half a unit', { claims: [{ units: 0.5, claimTemplate: 'a' }] }, {}, "'units' must be a whole number from 1, got 0.5."],
  ['two templates for one number', { claims: [...CLAIMS, ...CLAIMS] }, {}, "'claims' must name one template for 1 units, got several"],
  ['a template that has no name', { claims: [{ units: 1, claimTemplate: 'A b' }] }, {}, "'claimTemplate' must"],
  ['a name that no claim in a pod can have', { metadata: { name: 'gpus.example.com' } }, {}, "'name' must"],
  ['a long name', { metadata: { name: 'a'.repeat(61) } }, {}, "'name' must have at most 60 characters"],
  ['a wrong namespace', { systemNamespaces: ['kube_public'] }, {}, "'systemNamespaces' must"],
])('%s is refused by the constructor, with its path', (_title, given, pool, words) => {
  expect(() => objectsOf(given, pool)).toThrow(words);
  expect(() => objectsOf(given, pool)).toThrow(/^\[chart\/gpus\] /);
});

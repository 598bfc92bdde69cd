import { check, documents, found, manifestsOf, textOf } from './check';
import { formatPath } from '../../../src/model/manifests/manifest';
import { ManifestSet } from '../../../src/model/manifests/manifest-set';
import { runRules } from '../../../src/model/rules';
import { Target } from '../../../src/model/target';

const class1 = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {selectors: [{cel: {expression: device.driver == "a.b"}}]}}';

test.each([
  ['[1, 2]', 'DRA103 error '],
  ['"text"', 'DRA103 error '],
  ['{apiVersion: v1, metadata: {name: a}}', 'DRA103 error kind'],
  ['{apiVersion: 1, kind: Pod, metadata: {name: a}}', 'DRA103 error apiVersion'],
  ['{apiVersion: v1, kind: ConfigMap, metadata: {}}', 'DRA106 error metadata.name'],
  ['{apiVersion: v1, kind: ConfigMap, metadata: null}', 'DRA106 error metadata.name'],
  ['{apiVersion: v1, kind: List, items: {}}', 'DRA104 error items'],
  ['{apiVersion: v1, kind: List, items: [1]}', 'DRA104 error items[0]'],
])('%s is no object that can be applied', (yaml, expected) => {
  expect(found(yaml)).toEqual([expected]);
});

test('a name that is a number is refused with the hint to quote it', () => {
  expect(textOf('{apiVersion: v1, kind: ConfigMap, metadata: {name: 12}}', 'DRA106')).toMatch(/got 12\. .*in quotes/);
});

test.each([
  '{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-}}',
  '{apiVersion: v1, kind: List, items: null}',
  '{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization, resources: [a.yaml]}',
  '{apiVersion: kind.x-k8s.io/v1alpha4, kind: Cluster, nodes: []}',
])('%s needs no name', (yaml) => {
  expect(check(yaml)).toEqual([]);
});

test.each([
  ['v1', 'Pod', '{name: My_pod}', 'name'],
  ['v1', 'ResourceQuota', '{name: a/b}', 'name'],
  ['v1', 'Namespace', '{name: team.a}', 'name'],
  ['apps/v1', 'DaemonSet', '{name: Agent}', 'name'],
  ['resource.k8s.io/v1', 'DeviceClass', '{name: GPU}', 'name'],
  ['resource.k8s.io/v1', 'ResourceClaim', '{name: a, namespace: team.a}', 'namespace'],
  ['example.com/v1', 'Trainer', '{name: Any, namespace: Team}', 'namespace'],
])('%s %s with metadata %s is refused', (apiVersion, kind, metadata, field) => {
  expect(found(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: ${metadata}}`, '1.36')).toContain(`DRA107 error metadata.${field}`);
});

test.each(['${team}-gpu', '$(TEAM)', '{{ team }}'])('the name %s comes later', (name) => {
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: name } }))).toEqual([]);
});

test('roles may have names that are none of DNS', () => {
  expect(found('{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "system:a_B"}, rules: []}')).toEqual([]);
});

test('the same group, kind, namespace and name is one object, in whatever version, file and list', () => { // C-065
  const twice = '{apiVersion: resource.k8s.io/v1beta2, kind: DeviceClass, metadata: {name: a}, spec: {}}';
  expect(textOf(documents(class1, `{apiVersion: v1, kind: List, items: [${twice}]}`), 'DRA105')).toMatch(/DeviceClass 'a' stands in the input twice, first in test\.yaml/);
});

test('another namespace, kind or a generated name is another object', () => {
  const map = (metadata: string) => `{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}}`;
  const yaml = documents(class1, map('{name: a}'), map('{name: a, namespace: b}'), map('{generateName: a}'), map('{generateName: a}'));
  expect(check(yaml).filter(({ code }) => code === 'DRA105')).toEqual([]);
});

test('the namespace of a cluster-scoped kind does not make it another object', () => {
  const second = class1.replace('{name: a}', '{name: a, namespace: x}');
  expect(check(documents(class1, second)).map(({ code }) => code)).toContain('DRA105');
});

test('items of lists keep their place and get the kind of a typed list', () => {
  const yaml = '{apiVersion: resource.k8s.io/v1, kind: ResourceClaimList, items: [{metadata: {name: x}}, {metadata: {name: x}}]}';
  const [finding] = check(yaml);
  expect([finding.code, formatPath(finding.manifest?.base ?? []), formatPath(finding.path)]).toEqual(['DRA105', 'items[1]', 'metadata.name']);
  expect(finding.message).toMatch(/^ResourceClaim 'x'/);
});

test('findings are sorted by file, object, path and code, numbers as numbers', () => {
  const entries = Array.from({ length: 12 }, () => '{imag: x}').join(', ');
  const yaml = `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [${entries}]}}`;
  const manifests = [...manifestsOf(yaml, 'b.yaml'), ...manifestsOf('{kind: A}', 'a.yaml')];
  const findings = runRules(manifests, Target.of('1.34')).filter(({ code }) => code !== 'DRA114');
  expect(findings[0].manifest?.source.name).toBe('a.yaml');
  expect(findings.slice(1).map(({ path }) => path[2])).toEqual([...Array(12).keys()]);
});

/** A pod spec nobody can mistake. */
const spec = { containers: [{ name: 'c', image: 'i' }], resourceClaims: [{ name: 'x', resourceClaimName: 'y' }] };

test.each([
  ['Pod', { apiVersion: 'v1', spec }, 'spec', 1],
  ['PodTemplate', { apiVersion: 'v1', template: { spec } }, 'template.spec', 1],
  ['Deployment', { apiVersion: 'apps/v1', spec: { replicas: 3, template: { spec } } }, 'spec.template.spec', 3],
  ['Deployment', { apiVersion: 'apps/v1', spec: { template: { spec } } }, 'spec.template.spec', 1],
  ['ReplicaSet', { apiVersion: 'apps/v1', spec: { replicas: 0, template: { spec } } }, 'spec.template.spec', 0],
  ['StatefulSet', { apiVersion: 'apps/v1', spec: { replicas: 2, template: { spec } } }, 'spec.template.spec', 2],
  ['ReplicationController', { apiVersion: 'v1', spec: { replicas: 2, template: { spec } } }, 'spec.template.spec', 2],
  ['DaemonSet', { apiVersion: 'apps/v1', spec: { template: { spec } } }, 'spec.template.spec', Infinity],
  ['Job', { apiVersion: 'batch/v1', spec: { parallelism: 4, completions: 3, template: { spec } } }, 'spec.template.spec', 3],
  ['CronJob', { apiVersion: 'batch/v1', spec: { jobTemplate: { spec: { parallelism: 2, template: { spec } } } } }, 'spec.jobTemplate.spec.template.spec', 2],
  ['PyTorchJob', { apiVersion: 'kubeflow.org/v1', spec: { pytorchReplicaSpecs: { Worker: { replicas: 5, template: { spec } } } } },
    'spec.pytorchReplicaSpecs.Worker.template.spec', 5],
  ['RayCluster', { apiVersion: 'ray.io/v1', spec: { workerGroupSpecs: [{ replicas: 2, template: { spec } }] } }, 'spec.workerGroupSpecs[0].template.spec', 2],
  ['JobSet', { apiVersion: 'jobset.x-k8s.io/v1alpha2', spec: { replicatedJobs: [{ replicas: 2, template: { spec: { parallelism: 8, template: { spec } } } }] } },
    'spec.replicatedJobs[0].template.spec.template.spec', 16],
  ['LeaderWorkerSet', { apiVersion: 'leaderworkerset.x-k8s.io/v1', spec: { replicas: 2, leaderWorkerTemplate: { size: 4, workerTemplate: { spec } } } },
    'spec.leaderWorkerTemplate.workerTemplate.spec', 8],
  ['LeaderWorkerSet', { apiVersion: 'leaderworkerset.x-k8s.io/v1', spec: { replicas: 2, leaderWorkerTemplate: { size: 4, leaderTemplate: {}, workerTemplate: { spec } } } },
    'spec.leaderWorkerTemplate.workerTemplate.spec', 6],
  ['LeaderWorkerSet', { apiVersion: 'leaderworkerset.x-k8s.io/v1', spec: { replicas: 2, leaderWorkerTemplate: { size: 4, leaderTemplate: { spec }, workerTemplate: {} } } },
    'spec.leaderWorkerTemplate.leaderTemplate.spec', 2],
  ['RayJob', { apiVersion: 'ray.io/v1', spec: { submitterPodTemplate: { spec } } }, 'spec.submitterPodTemplate.spec', 1],
  ['InferenceService', { apiVersion: 'serving.kserve.io/v1beta1', spec: { predictor: spec } }, 'spec.predictor', 1],
  ['Notebook', { apiVersion: 'kubeflow.org/v1', spec: { template: { spec } } }, 'spec.template.spec', 1],
  ['Thing', { apiVersion: 'example.com/v1', spec: { podSpec: spec } }, 'spec.podSpec', 1],
] as const)('the pod spec of a %s is found with the number of its pods', (kind, object, path, pods) => {
  const sites = new ManifestSet([{ value: { kind, metadata: { name: 'a' }, ...object }, source: { name: 'x' } }]).podSites();
  expect(sites.map((site) => [formatPath(site.path), site.pods, site.spec])).toEqual([[path, pods, spec]]);
});

test.each([
  ['ConfigMap', { apiVersion: 'v1', template: { spec } }],
  ['CustomResourceDefinition', { apiVersion: 'apiextensions.k8s.io/v1', spec: { template: { spec } } }],
  ['Thing', { apiVersion: 'example.com/v1', spec: { template: { spec: { containers: 'none' } } } }],
])('a %s has no pod spec', (kind, object) => {
  expect(new ManifestSet([{ value: { kind, metadata: { name: 'a' }, ...object }, source: { name: 'x' } }]).podSites()).toEqual([]);
});

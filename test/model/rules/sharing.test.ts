import { check, claim, documents, found, pod, request, textOf } from './check';
import { Target } from '../../../src/model/target';

const user = (kind: string, spec: object, claimName = 'gpu') => JSON.stringify({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: kind.toLowerCase() },
  spec: {
    ...spec,
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { resourceClaims: [{ name: 'x', resourceClaimName: claimName }], containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'x' }] } }] },
    },
  },
});
const named = (name: string) => pod([{ name: 'x', resourceClaimName: 'gpu' }], [{ name: 'x' }], name);
const sharing = (yaml: string) => check(yaml).filter(({ code }) => ['DRA150', 'DRA151'].includes(code)).map(({ code, severity }) => `${code} ${severity}`);

test.each([
  ['one pod', [named('a')], []],
  ['two pods by intent', [named('a'), named('b')], ['DRA150 info']],
  ['two replicas', [user('Deployment', { replicas: 2 })], ['DRA150 warning']],
  ['one replica', [user('Deployment', {})], []],
  ['a pod on every node', [user('DaemonSet', {})], ['DRA150 warning']],
  ['256 parallel pods', [user('Job', { parallelism: 256 })], ['DRA150 warning']],
  ['256 parallel pods and another', [user('Job', { parallelism: 256 }), named('a')], ['DRA151 error']],
  ['1000 pods one after another', [user('Job', { completions: 1000 })], []],
])('%s with one named claim', (_, yaml, expected) => {
  expect(sharing(documents(...yaml))).toEqual(expected);
});

test('a claim of the same name in another namespace is another claim', () => {
  const other = named('b').replace('"name":"b"', '"name":"b","namespace":"n"');
  expect(sharing(documents(named('a'), other))).toEqual([]);
});

test('a claim that says it is a pod\'s needs that pod as owner', () => { // C-038
  const made = (metadata: object) => claim({ requests: [request('a')] }).replace('{"name":"gpu"}', JSON.stringify({ name: 'gpu', ...metadata }));
  const annotations = { 'resource.kubernetes.io/pod-claim-name': 'x' };
  expect(found(made({ annotations }))).toEqual(['DRA157 warning metadata.annotations["resource.kubernetes.io/pod-claim-name"]']);
  expect(found(made({ annotations, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] }))).toEqual([]);
  expect(found(made({}))).toEqual([]);
});

const limits = (resources: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', resources }] } });
const at = 'spec.containers[0].resources';

test.each([
  [{ requests: { 'nvidia.com/gpu': 1 } }, `${at}.requests["nvidia.com/gpu"]`, /without a limit/],
  [{ requests: { 'nvidia.com/gpu': 1 }, limits: { 'nvidia.com/gpu': 2 } }, `${at}.requests["nvidia.com/gpu"]`, /must be equal/],
  [{ limits: { 'nvidia.com/gpu': '500m' } }, `${at}.limits["nvidia.com/gpu"]`, /whole number/],
])('the amounts %j of an extended resource are refused', (resources, path, text) => {
  expect(found(limits(resources))).toEqual([`DRA155 error ${path}`]);
  expect(textOf(limits(resources), 'DRA155')).toMatch(text);
});

test.each([
  { limits: { 'nvidia.com/gpu': 1 } }, { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': 1 } }, { limits: { 'nvidia.com/gpu': '1k' } },
  { requests: { 'cpu': '500m', 'memory': '1Gi', 'hugepages-2Mi': '2Mi' } },
])('the amounts %j are taken', (resources) => {
  expect(found(limits(resources))).toEqual([]);
});

test.each(['gpu', 'storage', 'attachable-volumes-csi-x', 'NVIDIA.com/gpu', 'requests.nvidia.com/gpu', 'nvidia.com/gpu/large', 'nvidia.com/', '/gpu'])('a container cannot ask for %s', (name) => {
  expect(found(limits({ limits: { [name]: 1 } }))).toEqual([`DRA153 error ${at}.limits${name.includes('/') ? `["${name}"]` : `.${name}`}`]);
});

const implicit = (name: string, amount: unknown = 1) => limits({ limits: { [`deviceclass.resource.kubernetes.io/${name}`]: amount } });
const on35 = Target.of('1.35', { featureGates: { DRAExtendedResource: true } });
const on34 = Target.of('1.34', { featureGates: { DRAExtendedResource: true } });

test.each([ // C-116
  ['1.36', 'gpu.nvidia.com', 1, []],
  [on35, 'gpu.nvidia.com', 1, []],
  [on34, 'gpu.nvidia.com', 1, ['DRA154 error']],
  ['1.35', 'gpu.nvidia.com', 1, ['DRA154 error']],
  ['1.36', 'gpu.nvidia.com', '1500m', ['DRA155 error']],
  ['1.36', 'unknown', 1, ['DRA153 info']],
  ['1.36', `a${'.a'.repeat(32)}`, 1, ['DRA153 error']],
  ['1.36', 'a/b', 1, ['DRA153 error']],
] as const)('on %s the implicit resource of class %s with amount %s', (target, name, amount, expected) => {
  expect(check(implicit(name, amount), target).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
});

const bridge = (name: string, resource: string) => `{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: ${name}},
  spec: {extendedResourceName: ${resource}, selectors: [{cel: {expression: device.driver == "a.b"}}]}}`;

test('a class cannot answer for a resource where the gate is off, a plugin still can', () => {
  const yaml = documents(bridge('c', 'example.com/gpu'), limits({ limits: { 'example.com/gpu': 1 } }));
  expect(found(yaml)).toEqual(['DRA110 error spec.extendedResourceName', `DRA154 warning ${at}.limits["example.com/gpu"]`]);
  expect(found(yaml, '1.36')).toEqual([]);
});

test.each(['gpu', 'kubernetes.io/gpu', 'requests.example.com/gpu', 'a/b/c', 'example.com/'])('%s is no extended resource name', (name) => {
  expect(found(bridge('c', name), '1.36')).toEqual(['DRA153 error spec.extendedResourceName']);
});

test('two classes with one resource name are told at the second', () => { // C-142
  expect(found(documents(bridge('c', 'a.b/x'), bridge('d', 'a.b/x')), '1.36')).toEqual(['DRA152 warning spec.extendedResourceName']);
  expect(found(documents(bridge('c', 'a.b/x'), bridge('d', 'a.b/y')), '1.36')).toEqual([]);
});

test.each([
  ['gpu.nvidia.com.deviceclass.resource.k8s.io/devices', []],
  ['unknown.deviceclass.resource.k8s.io/devices', ['DRA158 info']],
  ['gpu.nvidia.com.deviceclass.resource.k8s.io/device', ['DRA158 warning']],
  ['gpu.nvidia.com.deviceclass.resource.kubernetes.io/devices', ['DRA158 warning']],
  ['gpu.nvidia.com.deviceclass.resource.k8s.io', ['DRA158 error']],
  ['GPU.nvidia.com.deviceclass.resource.k8s.io/devices', ['DRA158 error']],
  ['count/resourceclaims.resource.k8s.io', []],
  ['gold.storageclass.storage.k8s.io/requests.storage', []],
  ['requests.nvidia.com/gpu', []],
  ['requests.NVIDIA.com/gpu', ['DRA158 error']],
  ['nvidia.com/gpu', ['DRA158 warning']],
  ['limits.nvidia.com/gpu', ['DRA158 warning']],
  ['gpu', ['DRA158 error']],
  ['storage', ['DRA158 error']],
  ['requests.hugepages-2Mi', []],
  ['services.loadbalancers', []],
])('the quota key %s', (key, expected) => {
  const yaml = `{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {${key}: 1}}}`;
  expect(check(yaml).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
});

test.each([['1.34', ['DRA158 warning']], ['1.35', ['DRA158 warning']], ['1.36', []]])('the implicit name of a class as a quota key in %s', (minor, expected) => {
  const yaml = '{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {requests.deviceclass.resource.kubernetes.io/gpu.nvidia.com: 1}}}';
  expect(check(yaml, minor).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
});

test.each([
  ['{pods: 1.5}', 'DRA125 error spec.hard.pods'],
  ['{count/resourceclaims.resource.k8s.io: -1}', 'DRA125 error spec.hard["count/resourceclaims.resource.k8s.io"]'],
  ['{gpu.nvidia.com.deviceclass.resource.k8s.io/devices: 500m}', 'DRA125 error spec.hard["gpu.nvidia.com.deviceclass.resource.k8s.io/devices"]'],
  ['{requests.nvidia.com/gpu: -1}', 'DRA125 error spec.hard["requests.nvidia.com/gpu"]'],
])('the amounts %s of a quota are refused', (hard, expected) => {
  expect(found(`{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: ${hard}}}`)).toEqual([expected]);
});

test('a quota takes fractions of what is no whole thing', () => {
  expect(found('{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {requests.cpu: 1500m, requests.nvidia.com/gpu: 1500m}}}')).toEqual([]);
});

describe('a quota with scopes', () => {
  const quota = (key: string, scopes: string) => `{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {${key}: 1}, ${scopes}}}`;
  const byPriority = (condition: string) => `scopeSelector: {matchExpressions: [{scopeName: PriorityClass, ${condition}}]}`;

  test.each(['gpu.nvidia.com.deviceclass.resource.k8s.io/devices', 'count/resourceclaims.resource.k8s.io'])('counts no claims under %s', (key) => {
    expect(found(quota(key, 'scopes: [NotTerminating]'))).toEqual([`DRA158 warning spec.hard["${key}"]`]);
    expect(found(quota(key, byPriority('operator: In, values: [high]')))).toEqual([`DRA158 warning spec.hard["${key}"]`]);
    expect(found(quota(key, 'scopes: []'))).toEqual([]);
  });

  test('counts the extended resources of its pods', () => {
    expect(found(quota('requests.nvidia.com/gpu', byPriority('operator: In, values: [high]')))).toEqual([]);
  });

  test.each(['operator: In', 'operator: Exists, values: [high]'])('is refused with the condition %s', (condition) => {
    expect(found(quota('pods', byPriority(condition)))).toEqual(['DRA125 error spec.scopeSelector.matchExpressions[0]']);
  });
});

test.each([
  ['limits: {cpu: -1}', 'DRA125 error spec.containers[0].resources.limits.cpu'],
  ['limits: {a.b/gpu: -1}, requests: {a.b/gpu: -1}', 'DRA125 error spec.containers[0].resources.limits["a.b/gpu"]'],
  ['limits: {deviceclass.resource.kubernetes.io/gpu.nvidia.com: 1}, requests: {deviceclass.resource.kubernetes.io/gpu.nvidia.com: 2}',
    'DRA155 error spec.containers[0].resources.requests["deviceclass.resource.kubernetes.io/gpu.nvidia.com"]'],
])('a container with %s is refused', (resources, expected) => {
  expect(found(`{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, resources: {${resources}}}]}}`, '1.36')).toContain(expected);
});

test('an implicit name may be limited above the request, and asked for without limit', () => {
  const name = 'deviceclass.resource.kubernetes.io/gpu.nvidia.com';
  for (const resources of [`limits: {${name}: 2}, requests: {${name}: 1}`, `requests: {${name}: 1}`]) {
    expect(found(`{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, resources: {${resources}}}]}}`, '1.36')).toEqual([]);
  }
});

import { check, claim, documents, found, pod, request, textOf } from './check';
import { Target } from '../../../src/model/target';

const base = { requests: [request('gpu')] };

test.each([ // C-085
  ['v1', 'DeviceClass', '1.34', undefined],
  ['v1beta2', 'DeviceClass', '1.34', /serves DeviceClass in resource.k8s.io\/v1beta2 only with --runtime-config\. .*resource.k8s.io\/v1\./],
  ['v1beta1', 'ResourceClaim', '1.37', /only with --runtime-config\. .*another shape/],
  ['v1alpha3', 'ResourceClaim', '1.34', /does not serve ResourceClaim in resource.k8s.io\/v1alpha3/],
  ['v1alpha2', 'ResourceClass', '1.34', /knows the kind ResourceClass.*Use DeviceClass\./],
  ['v1', 'ResourceClaimTemplates', '1.34', /Use ResourceClaimTemplate\./],
  ['v1alpha3', 'DeviceTaintRule', '1.34', /only on demand\. .*DRADeviceTaints/],
  ['v1beta2', 'DeviceTaintRule', '1.36', /only on demand\. .*DRADeviceTaintRules/],
  ['v1', 'DeviceTaintRule', '1.36', /does not serve DeviceTaintRule in resource.k8s.io\/v1\./],
  ['v1', 'DeviceTaintRule', '1.37', undefined],
  ['v1beta2', 'DeviceTaintRule', '1.37', /resource.k8s.io\/v1\./],
  ['v1alpha3', 'ResourcePoolStatusRequest', '1.35', /does not serve/],
])('%s of %s on %s', (version, kind, target, expected) => {
  const yaml = `{apiVersion: resource.k8s.io/${version}, kind: ${kind}, metadata: {name: a}, spec: {}}`;
  if (expected === undefined) expect(check(yaml, target).filter(({ code }) => code === 'DRA116')).toEqual([]);
  else expect(textOf(yaml, 'DRA116', target)).toMatch(expected);
});

test('a rule with its gates switched on is served', () => {
  const target = Target.of('1.36', { featureGates: { DRADeviceTaintRules: true } });
  const yaml = '{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: {driver: a.b}, taint: {key: k, effect: None}}}';
  expect(found(yaml, target)).toEqual([]);
});

test.each([
  ['scheduling.k8s.io/v1alpha2', 'PodGroup', '1.36', /serves PodGroup .* only on demand\. Needs feature gate GenericWorkload.*--runtime-config=scheduling\.k8s\.io\/v1alpha2=true\.$/],
  ['scheduling.k8s.io/v1beta1', 'Workload', '1.37', /only on demand\. Needs feature gate GenericWorkload.*v1beta1=true\.$/],
  ['scheduling.k8s.io/v1alpha1', 'Workload', '1.36', /does not serve Workload .* Write apiVersion: scheduling\.k8s\.io\/v1alpha2, which is served only with --runtime-config\.$/],
  ['scheduling.k8s.io/v1alpha3', 'CompositePodGroup', '1.37', /only on demand\. Serve the API: --runtime-config=scheduling\.k8s\.io\/v1alpha3=true\.$/],
  ['admissionregistration.k8s.io/v1beta1', 'MutatingAdmissionPolicy', '1.35', /only on demand\. Serve the API: .* Kubernetes 1\.36 serves it by default\.$/],
  ['admissionregistration.k8s.io/v1beta1', 'MutatingAdmissionPolicy', '1.36', /only with --runtime-config\. Write apiVersion: admissionregistration\.k8s\.io\/v1\.$/],
  ['coordination.k8s.io/v1beta1', 'LeaseCandidate', '1.34', /only on demand/],
])('%s %s is off by default in %s', (apiVersion, kind, target, expected) => {
  expect(textOf(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}, spec: {}}`, 'DRA116', target)).toMatch(expected);
});

test('a kind whose gate is on is served too, in every version that the target has', () => {
  const target = Target.of('1.37', { featureGates: { GenericWorkload: true } });
  for (const version of ['v1alpha3', 'v1beta1']) {
    const yaml = `{apiVersion: scheduling.k8s.io/${version}, kind: PodGroup, metadata: {name: a}, spec: {}}`;
    expect(check(yaml, target).filter(({ code }) => code === 'DRA116')).toEqual([]);
  }
});

test.each([
  ['batch/v1beta1', 'CronJob', /Write apiVersion: batch\/v1\./],
  ['apps/v1', 'Deploymnet', /Did you mean Deployment\?/],
  ['admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', /exists from Kubernetes 1\.36|v1alpha1|v1beta1/],
])('%s %s is not served by 1.34', (apiVersion, kind, expected) => {
  expect(textOf(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`, 'DRA116')).toMatch(expected);
});

test.each([
  ['resources.k8s.io/v1', 'ResourceClaimTemplate', 'ResourceClaimTemplate is a kind of resource.k8s.io, got resources.k8s.io/v1: no server knows it there. Write apiVersion: resource.k8s.io/v1.'],
  ['cdk8s-dra.de/v1alpha1', 'DeviceMigration', 'DeviceMigration is a kind of cdk8s-dra.dev, got cdk8s-dra.de/v1alpha1: no server knows it there. Write apiVersion: cdk8s-dra.dev/v1alpha1.'],
])('%s %s is not taken for the kind of somebody else', (apiVersion, kind, expected) => {
  expect(textOf(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`, 'DRA116')).toBe(expected);
});

test('kinds of other groups, and what lists and requests use, are not judged', () => {
  for (const [apiVersion, kind] of [['ray.io/v1', 'RayCluster'], ['devices.example.com/v1', 'DeviceClass'], ['v1', 'Status'], ['kueue.x-k8s.io/v1beta1', 'ClusterQueue']]) {
    expect(check(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`)).toEqual([]);
  }
});

test('a flat request in v1 is told once, with all its fields', () => {
  const yaml = claim({ requests: [{ name: 'gpu', deviceClassName: 'gpu.nvidia.com', count: 2, allocationMode: 'ExactCount' }] });
  expect(found(yaml)).toEqual(['DRA117 error spec.devices.requests[0].deviceClassName']);
  expect(textOf(yaml, 'DRA117')).toMatch(/^deviceClassName, allocationMode, count stand in the request itself.*under 'exactly:'/);
});

test('a nested request in v1beta1 is told, a flat one is not', () => {
  expect(found(claim(base, 'v1beta1'))).toContain('DRA117 error spec.devices.requests[0].exactly');
  const flat = { requests: [{ name: 'gpu', deviceClassName: 'gpu.nvidia.com', count: 2, allocationMode: 'ExactCount' }] };
  expect(found(claim(flat, 'v1beta1'))).toEqual(['DRA116 error apiVersion']);
});

test('limits hold in the flat shape too', () => {
  expect(found(claim({ requests: [{ name: 'gpu', deviceClassName: 'gpu.nvidia.com', count: 33 }] }, 'v1beta1'))).toContain('DRA122 error spec.devices.requests[0].count');
});

test('device data under basic is told in v1, and without it in v1beta1', () => {
  const slice = (version: string, device: object) => JSON.stringify({
    apiVersion: `resource.k8s.io/${version}`,
    kind: 'ResourceSlice',
    metadata: { name: 'a' },
    spec: { driver: 'a.b', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'gpu-0', ...device }] },
  });
  const attributes = { model: { string: 'A' } };
  expect(found(slice('v1', { basic: { attributes } }))).toEqual(['DRA117 error spec.devices[0].basic']);
  expect(found(slice('v1beta1', { attributes }))).toEqual(['DRA116 error apiVersion', 'DRA117 error spec.devices[0]']);
  expect(found(slice('v1', { attributes }))).toEqual([]);
});

test.each([ // C-053 and every gate that is off before 1.36
  ['tolerations', { requests: [request('gpu', { tolerations: [{ key: 'a', operator: 'Exists' }] })] }, 'spec.devices.requests[0].exactly.tolerations'],
  ['capacity', { requests: [request('gpu', { capacity: { requests: { memory: '1Gi' } } })] }, 'spec.devices.requests[0].exactly.capacity'],
  ['distinctAttribute', { ...base, constraints: [{ distinctAttribute: 'a.b/c' }] }, 'spec.devices.constraints[0].distinctAttribute'],
])('%s needs a gate that 1.34 and 1.35 have off and 1.36 has on', (_, devices, path) => {
  for (const version of ['1.34', '1.35']) expect(found(claim(devices), version)).toEqual([`DRA110 error ${path}`]);
  expect(found(claim(devices), '1.36')).toEqual([]);
});

test('a gate that one component lacks makes the field useless', () => { // C-076
  const target = Target.of('1.36', { componentFeatureGates: { 'kube-scheduler': { DRAConsumableCapacity: false } } });
  const text = textOf(claim({ requests: [request('gpu', { capacity: { requests: { memory: '1Gi' } } })] }), 'DRA110', target);
  expect(text).toMatch(/stores and ignores 'capacity'.*kube-scheduler/);
});

test('what a newer version brought is told with that version', () => {
  const devices = { ...base, requests: [request('gpu', { derivedAttributes: [] })] };
  expect(textOf(claim(devices), 'DRA111', '1.36')).toMatch(/'derivedAttributes' of ExactDeviceRequest only exists from Kubernetes 1\.37 on/);
});

test('a misspelt field is told with the nearest one', () => {
  expect(textOf(claim({ requests: [request('gpu', { deviceClass: 'x' })] }), 'DRA112')).toMatch(/no field 'deviceClass' .*Did you mean 'deviceClassName'\?/);
  expect(textOf(claim({ request: [] }), 'DRA112')).toMatch(/Did you mean 'requests'\?/);
});

test.each([ // C-070
  ['count', '"2"', 'exactly', 'DRA113'],
  ['adminAccess', '"true"', 'exactly', 'DRA113'],
])('%s as a text has the wrong type', (field, value, _, code) => {
  expect(textOf(claim({ requests: [request('gpu', { [field]: JSON.parse(value) as unknown })] }), code)).toMatch(new RegExp(`'${field}' must be`));
});

test.each(['true', '12', '1.10', '[a]'])('a label value %s is refused, in quotes it is not', (value) => {
  const yaml = (text: string) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: ${text}}, annotations: {y: ${text}}}}`;
  expect(found(yaml(value))).toEqual(['DRA119 error metadata.annotations.y', 'DRA119 error metadata.labels.x']);
  // "[a]" is a text then, though no label value.
  expect(found(yaml(`"${value}"`)).filter((finding) => finding.startsWith('DRA119'))).toEqual([]);
});

test.each([
  ['labels', 'a'.repeat(63), []],
  ['labels', 'a'.repeat(64), ['DRA121 error metadata.labels.x']],
  ['labels', 'with space', ['DRA121 error metadata.labels.x']],
  ['labels', '', []],
  ['annotations', 'with space', []],
])('in %s the value "%s" gives %p', (map, value, expected) => {
  expect(found(`{apiVersion: v1, kind: ConfigMap, metadata: {name: a, ${map}: {x: "${value}"}}}`)).toEqual(expected);
});

test.each([
  ['labels', 'example.com/x', []],
  ['labels', 'Example.com/x', ['DRA121 error metadata.labels["Example.com/x"]']],
  ['annotations', 'Example.com/X', []],
  ['annotations', 'a/b/c', ['DRA121 error metadata.annotations["a/b/c"]']],
  ['labels', 'a'.repeat(64), [`DRA121 error metadata.labels.${'a'.repeat(64)}`]],
])('in %s the key "%s" gives %p', (map, key, expected) => {
  expect(found(`{apiVersion: v1, kind: ConfigMap, metadata: {name: a, ${map}: {"${key}": x}}}`)).toEqual(expected);
});

test('selectors and templates hold labels too', () => {
  const yaml = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector: {matchLabels: {a: 1}},
    template: {metadata: {labels: {a: 1}}, spec: {nodeSelector: {b: true}, containers: [{name: c}]}}}}`;
  expect(found(yaml)).toEqual([
    'DRA119 error spec.selector.matchLabels.a', 'DRA119 error spec.template.metadata.labels.a', 'DRA119 error spec.template.spec.nodeSelector.b',
  ]);
});

test('null counts as absent, and status is not judged', () => { // C-071
  const yaml = '{apiVersion: v1, kind: Pod, metadata: {name: a, creationTimestamp: null, labels: null}, spec: {containers: [{name: c, env: null}], volumes: null}, status: {x: 1}}';
  expect(found(yaml)).toEqual([]);
});

test('an entry of a list that is null lacks what an entry needs', () => {
  expect(found('{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, args: [null]}, null]}}')).toEqual(['DRA113 error spec.containers[1]']);
});

test.each([['restartPolicy', 'Allways', /Did you mean 'Always'\?/], ['dnsPolicy', 'none', /Did you mean 'None'\?/]])('%s %s is no choice', (field, value, expected) => {
  expect(textOf(`{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}], ${field}: ${value}}}`, 'DRA115')).toMatch(expected);
});

test.each(['8', '"8"', '1.5', '"1500m"', '1e3'])('the amount %s is a quantity', (amount) => {
  expect(found(`{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {limits: {cpu: ${amount}}}}]}}`)).toEqual([]);
});

test('an amount with a unit that Kubernetes does not know is told', () => {
  expect(found('{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {limits: {memory: 8GB}}}]}}'))
    .toEqual(['DRA125 error spec.containers[0].resources.limits.memory']);
});

test('the old nested form of pod claims is told, also in templates of custom kinds', () => { // C-059
  const nested = [{ name: 'x', source: { resourceClaimTemplateName: 't' } }];
  expect(found(pod(nested, [{ name: 'x' }]))).toEqual(['DRA118 error spec.resourceClaims[0].source']);
  const job = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'a' },
    spec: { template: { spec: { resourceClaims: nested, containers: [{ name: 'c', resources: { claims: [{ name: 'x' }] } }] } } },
  };
  expect(found(JSON.stringify(job))).toEqual(['DRA118 error spec.template.spec.resourceClaims[0].source']);
});

test('a kind that the target lacks is told once, not field by field', () => {
  const yaml = '{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: {driver: a.b}, taint: {key: k, effect: NoExecute}}}';
  expect(found(documents(yaml), '1.34')).toEqual(['DRA116 error apiVersion']);
});

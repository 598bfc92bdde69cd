import { check, claim, documents, found, pod, request, textOf } from './check';

const template = (name: string, namespace?: string, requests: unknown = [request('gpu')]) => JSON.stringify({
  apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name, namespace }, spec: { spec: { devices: { requests } } },
});
const uses = (fields: object) => [{ name: 'x', ...fields }];
const all = [{ name: 'x' }];
const codes = (yaml: string) => check(yaml).map(({ code, severity }) => `${code} ${severity}`).filter((text) => !text.startsWith('DRA170'));

test('a template, a claim and a class that the input holds are found', () => {
  const gpu = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: mine}, spec: {selectors: [{cel: {expression: device.driver == "a.b"}}]}}';
  const mine = claim({ requests: [{ name: 'gpu', exactly: { deviceClassName: 'mine' } }] });
  expect(codes(documents(gpu, template('t'), mine, pod(uses({ resourceClaimTemplateName: 't' }), all, 'a'), pod(uses({ resourceClaimName: 'gpu' }), all, 'b')))).toEqual([]);
});

test.each([
  ['nothing else in the input', pod(uses({ resourceClaimTemplateName: 't' }), all), 'info', /not among the manifests checked/],
  ['a template of a similar name', documents(template('large'), pod(uses({ resourceClaimTemplateName: 'larg' }), all)), 'warning', /Did you mean 'large'\?/],
  ['a template used as a claim', documents(template('t'), pod(uses({ resourceClaimName: 't' }), all)), 'warning', /use resourceClaimTemplateName/],
  ['a claim used as a template', documents(claim({ requests: [request('a')] }), pod(uses({ resourceClaimTemplateName: 'gpu' }), all)), 'warning', /use resourceClaimName/],
])('a missing claim with %s', (_, yaml, severity, text) => {
  expect(check(yaml).find(({ code }) => code === 'DRA131')?.severity).toBe(severity);
  expect(textOf(yaml, 'DRA131')).toMatch(text);
});

test('a claim in another namespace is out of reach', () => { // C-049
  const yaml = documents(template('t', 'a'), pod(uses({ resourceClaimTemplateName: 't' }), all, 'p', 'b'));
  expect(found(yaml)).toEqual(['DRA139 warning spec.resourceClaims[0].resourceClaimTemplateName']);
  expect(textOf(yaml, 'DRA139')).toMatch(/is in namespace 'a', the pod in 'b'.*Put a template of this name into 'b' too/);
});

test('a manifest without namespace may be applied to any', () => {
  expect(found(documents(template('t'), pod(uses({ resourceClaimTemplateName: 't' }), all, 'p', 'b')))).toEqual([]);
  expect(found(documents(template('t', 'a'), pod(uses({ resourceClaimTemplateName: 't' }), all)))).toEqual([]);
});

test.each([
  [uses({}), 'DRA124 error spec.resourceClaims[0]', /got neither/], // C-059
  [uses({ resourceClaimName: 'a', resourceClaimTemplateName: 'b' }), 'DRA124 error spec.resourceClaims[0]', /got both/],
  [uses({ resourceClaimName: 'My_claim' }), 'DRA121 error spec.resourceClaims[0].resourceClaimName', /DNS subdomain/],
  [uses({ resourceClaimName: '' }), 'DRA121 error spec.resourceClaims[0].resourceClaimName', /must not be empty/],
  [uses({ resourceClaimTemplateName: 'gpu/large' }), 'DRA121 error spec.resourceClaims[0].resourceClaimTemplateName', /DNS subdomain/],
  [[...uses({ resourceClaimName: 'a' }), ...uses({ resourceClaimName: 'b' })], 'DRA109 error spec.resourceClaims[1].name', /named 'x'/],
])('the pod claims %j are refused', (claims, expected, text) => {
  expect(found(pod(claims, all))).toEqual([expected]);
  expect(textOf(pod(claims, all), expected.slice(0, 6))).toMatch(text);
});

test.each([
  [[{ name: 'y' }, { name: 'x' }], 'DRA132 error spec.containers[0].resources.claims[0].name'],
  [[{ name: 'x' }, { name: 'x' }], 'DRA109 error spec.containers[0].resources.claims[1]'],
  [[{ name: 'x', request: 'gpu' }, { name: 'x' }], 'DRA109 error spec.containers[0].resources.claims[1]'],
  [[{ name: 'x' }, { name: 'x', request: 'gpu' }], 'DRA109 error spec.containers[0].resources.claims[1]'],
  [[{ name: 'x', request: 'gpus' }], 'DRA133 error spec.containers[0].resources.claims[0].request'],
  [[{ name: 'x', request: 'GPU' }], 'DRA121 error spec.containers[0].resources.claims[0].request'],
  [[{ name: 'x', request: 'gpu/big' }], 'DRA133 error spec.containers[0].resources.claims[0].request'],
])('the container claims %j are wrong', (claims, expected) => {
  expect(found(documents(template('t'), pod(uses({ resourceClaimTemplateName: 't' }), claims)))).toEqual([expected]);
});

test('a container may list each request once, and init containers count as users', () => {
  const two = template('t', undefined, [request('gpu'), request('nic')]);
  const claims = [{ name: 'x', request: 'gpu' }, { name: 'x', request: 'nic' }];
  expect(found(documents(two, pod(uses({ resourceClaimTemplateName: 't' }), claims)))).toEqual([]);
  const init = pod(uses({ resourceClaimTemplateName: 't' }), undefined).replace('"containers"', '"initContainers":[{"name":"i","resources":{"claims":[{"name":"x"}]}}],"containers"');
  expect(found(documents(two, init))).toEqual([]);
});

test('a request of a claim with alternatives is named as a whole', () => {
  const choice = template('t', undefined, [{ name: 'gpu', firstAvailable: [{ name: 'big', deviceClassName: 'gpu.nvidia.com' }] }]);
  const yaml = (name: string) => documents(choice, pod(uses({ resourceClaimTemplateName: 't' }), [{ name: 'x', request: name }]));
  expect(found(yaml('gpu'))).toEqual([]);
  expect(textOf(yaml('gpu/big'), 'DRA133')).toMatch(/Write 'gpu'/);
});

test.each([
  ['gpu.nvidia.com', ['DRA135 warning']],
  ['dra.net', []],
  ['unknown', ['DRA130 info', 'DRA135 info']],
])('a claim of class %s that no container uses', (className, expected) => {
  const net = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: dra.net}, spec: {selectors: [{cel: {expression: device.driver == "dra.net"}}]}}';
  const yaml = documents(net, template('t', undefined, [{ name: 'a', exactly: { deviceClassName: className } }]), pod(uses({ resourceClaimTemplateName: 't' }), []));
  expect(codes(yaml)).toEqual(expected);
});

test('a class that a known driver installs needs not be in the input, another one is worth knowing', () => {
  expect(codes(claim({ requests: [request('a')] }))).toEqual([]);
  expect(codes(claim({ requests: [{ name: 'a', exactly: { deviceClassName: 'house-gpu' } }] }))).toEqual(['DRA130 info']);
});

const binding = (role: object, subjects: unknown) => JSON.stringify({
  apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'b' }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...role }, subjects,
});
const account = (name: string, namespace = 'd') => `{apiVersion: v1, kind: ServiceAccount, metadata: {name: ${name}, namespace: ${namespace}}}`;
const system = { kind: 'ClusterRole', name: 'system:node' };

test('the account of a binding and of a pod must exist', () => { // C-040
  const bound = (name: string, namespace = 'd') => binding(system, [{ kind: 'ServiceAccount', name, namespace }]);
  expect(found(documents(account('driver'), bound('driver')))).toEqual([]);
  expect(found(documents(account('driver'), bound('default')))).toEqual([]);
  expect(found(documents(account('driver'), bound('drivers')))).toEqual(['DRA136 warning subjects[0].name']);
  expect(textOf(documents(account('driver'), bound('drivers')), 'DRA136')).toMatch(/Did you mean 'driver'\?/);
  expect(textOf(documents(account('driver'), bound('driver', 'e')), 'DRA136')).toMatch(/one of this name in namespace 'd'/);
  expect(codes(bound('driver'))).toEqual(['DRA136 info']);
  const user = '{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d}, spec: {serviceAccountName: drivr, containers: [{name: c}]}}';
  expect(found(documents(account('driver'), user))).toEqual(['DRA136 warning spec.serviceAccountName']);
});

test('the role of a binding must exist unless Kubernetes brings it', () => {
  const role = '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}, rules: []}';
  expect(found(documents(role, binding({ kind: 'ClusterRole', name: 'reader' }, [])))).toEqual([]);
  expect(textOf(documents(role, binding({ kind: 'ClusterRole', name: 'raeder' }, [])), 'DRA137')).toMatch(/Did you mean 'reader'\?/);
  for (const name of ['cluster-admin', 'view', 'system:anything']) expect(codes(binding({ kind: 'ClusterRole', name }, []))).toEqual([]);
});

const matching = 'matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}';
const policyWith = (name: string, ...fields: string[]) => {
  return `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: ${name}}, spec: {${fields.join(', ')}}}`;
};

test('a policy without binding and a binding without policy decide nothing', () => {
  const policy = (name: string) => policyWith(name, matching, 'validations: [{expression: "true"}]');
  const bind = (name: string) => `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: b},
    spec: {policyName: ${name}, validationActions: [Deny]}}`;
  expect(found(documents(policy('a'), bind('a')))).toEqual([]);
  expect(found(policy('a'))).toEqual(['DRA138 warning metadata.name']);
  expect(found(documents(policy('policy-a'), bind('policy-b')))).toEqual(['DRA138 warning metadata.name', 'DRA138 warning spec.policyName']);
});

test.each([
  [[matching, 'validations: [{expression: "true"}]'], []],
  [[matching, 'auditAnnotations: [{key: a, valueExpression: "\'x\'"}]'], []],
  [[matching, 'validations: []'], ['DRA114 error spec.validations']],
  [['validations: [{expression: "true"}]'], ['DRA114 error spec.matchConstraints']],
  [['matchConstraints: {resourceRules: []}', 'validations: [{expression: "true"}]'], ['DRA114 error spec.matchConstraints.resourceRules']],
  [[], ['DRA114 error spec.matchConstraints', 'DRA114 error spec.validations']],
])('a policy with %j', (fields, expected) => {
  const bound = '{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: a}, spec: {policyName: a, validationActions: [Deny]}}';
  expect(found(documents(policyWith('a', ...fields), bound))).toEqual(expected);
});

test('the name of a pod claim is a label', () => {
  expect(found(pod([{ name: 'gpu.0', resourceClaimName: 'a' }], [{ name: 'gpu.0' }]))).toEqual(['DRA121 error spec.resourceClaims[0].name']);
});

test.each([
  [[], 'DRA114 error spec.containers'],
  [[{ name: 'Main' }], 'DRA121 error spec.containers[0].name'],
  [[{ name: 'a' }, { name: 'a' }], 'DRA109 error spec.containers[1]'],
])('the containers %j are refused', (containers, expected) => {
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } }))).toEqual([expected]);
});

test('an init container and a container have different names', () => {
  const spec = { initContainers: [{ name: 'a' }], containers: [{ name: 'a' }] };
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }))).toEqual(['DRA109 error spec.containers[0]']);
});

test.each([
  ['names that a controller fills in', [{ name: 'gpu', resourceClaimTemplateName: '{{inputs.parameters.gpu}}' }], []],
  ['a name that stays as it is', [{ name: 'gpu', resourceClaimTemplateName: 'GPU' }], ['DRA121 error spec.template.spec.resourceClaims[0].resourceClaimTemplateName']],
])('a pod of a custom kind with %s', (_, resourceClaims, expected) => {
  const containers = [{ name: '*', resources: { claims: [{ name: 'gpu' }] } }];
  const object = { apiVersion: 'example.com/v1', kind: 'Training', metadata: { name: 'a' }, spec: { template: { spec: { resourceClaims, containers } } } };
  expect(found(JSON.stringify(object))).toEqual(expected);
});

test.each([
  [{ resources: { claims: [{ name: 'gpu' }] } }, 'DRA112 error spec.resources.claims'],
  [{ resources: { limits: { 'nvidia.com/gpu': '1' } } }, 'DRA115 error spec.resources.limits["nvidia.com/gpu"]'],
  [{ ephemeralContainers: [{ name: 'e', resources: { claims: [{ name: 'gpu' }] } }] }, 'DRA112 error spec.ephemeralContainers[0].resources.claims'],
])('devices for no container, as in %j, are refused', (fields, expected) => {
  const spec = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }], containers: [{ name: 'a', resources: { claims: [{ name: 'gpu' }] } }], ...fields };
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }))).toEqual([expected]);
});

test('a pod as a whole may have CPU and memory', () => {
  const spec = { resources: { limits: { 'cpu': '2', 'memory': '1Gi', 'hugepages-2Mi': '4Mi' } }, containers: [{ name: 'a' }] };
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }))).toEqual([]);
});

test.each(['${app}-gpu', '$(APP)', '{{ app }}'])('what Flux and others fill in later, such as %s, is no wrong name', (name) => {
  const spec = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: name }], containers: [{ name, resources: { claims: [{ name: 'gpu' }] } }] };
  expect(found(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: name }, spec }))).toEqual([]);
  expect(found(claim({ requests: [{ name: 'gpu', exactly: { deviceClassName: name } }] }))).toEqual([]);
});

describe('a name that comes later is not held against others', () => {
  const inPod = (spec: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  const inWorkflow = (spec: object) => JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Training', metadata: { name: 'a' }, spec: { template: { spec } } });
  const withNames = (entry: string, used: object) => ({ resourceClaims: [{ name: entry, resourceClaimTemplateName: 't' }], containers: [{ name: 'a', resources: { claims: [used] } }] });

  test.each([
    ['entry', withNames('${claim}', { name: 'gpu' })],
    ['use', withNames('gpu', { name: '$(params.claim)' })],
    ['request', withNames('gpu', { name: 'gpu', request: '{{ request/a }}' })],
  ])('as the name of an %s', (_, spec) => {
    expect(found(documents(template('t'), inPod(spec)))).toEqual([]);
    expect(found(documents(template('t'), inWorkflow(spec)))).toEqual([]);
  });

  test.each(['<request>', '*', '{request}', '$request'])('but %s in a Pod is what the API server sees', (name) => {
    const spec = withNames('gpu', { name: 'gpu', request: name });
    expect(found(documents(template('t'), inPod(spec)))).toEqual(['DRA121 error spec.containers[0].resources.claims[0].request']);
    expect(found(documents(template('t'), inWorkflow(spec)))).toEqual([]);
  });

  test('and a plain name beside it is', () => {
    const spec = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: '${template}' }], containers: [{ name: 'a', resources: { claims: [{ name: 'gpus' }] } }] };
    expect(found(inPod(spec))).toEqual(['DRA132 error spec.containers[0].resources.claims[0].name']);
  });
});

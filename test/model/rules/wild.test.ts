import { check, claim, documents, found, request, textOf } from './check';

/** Regressions: what the check once said wrongly about manifests of published projects, in manifests of our own. */

function selected(className: string, expression: string, more: object = {}): string {
  return claim({ requests: [{ name: 'a', exactly: { deviceClassName: className, selectors: [{ cel: { expression } }], ...more } }] });
}

function codesOf(yaml: string, target = '1.36'): string[] {
  return check(yaml, target).map(({ code }) => code).filter((code) => code !== 'DRA170');
}

describe('names that every device has need no guard', () => {
  test.each([
    ['of a driver that was not read in full', 'gpu.amd.com', 'device.attributes["gpu.amd.com"].type == "amdgpu"'],
    ['of a driver to which others add attributes', 'dranet', 'device.driver == "dra.net" && device.attributes["dra.net"].rdma == true'],
    ['of the type that the class asks for', 'mig.nvidia.com', 'device.attributes["gpu.nvidia.com"].profile == "1g.5gb"'],
    ['of the type that the selector asks for', 'any', `device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'
      && device.attributes['gpu.nvidia.com'].profile == '1g.5gb'`],
  ])('%s', (_, className, expression) => {
    expect(found(selected(className, expression), '1.36')).toEqual([]);
  });

  test.each([
    ['another type', 'gpu.nvidia.com', 'device.attributes["gpu.nvidia.com"].profile == "1g.5gb"'],
    ['a type beside an alternative', 'any', `device.driver == 'gpu.nvidia.com' && (device.attributes['gpu.nvidia.com'].type == 'mig' || true)
      && device.attributes['gpu.nvidia.com'].profile == '1g.5gb'`],
    ['no device of an older driver only', 'gpu.nvidia.com', 'device.attributes["gpu.nvidia.com"].index == 0'],
  ])('but those of %s do', (_, className, expression) => {
    expect(found(selected(className, expression), '1.36')).toEqual(['DRA142 warning spec.devices.requests[0].exactly.selectors[0].cel.expression']);
  });

  test('a class in the input tells the type as well', () => {
    const mig = JSON.stringify({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'slices' },
      spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"]["type"] == "mig"' } }] },
    });

    expect(found(documents(mig, selected('slices', 'device.attributes["gpu.nvidia.com"].profile == "1g.5gb"')), '1.36')).toEqual([]);
  });
});

test('a missing apiVersion is told with the key that was meant', () => {
  expect(textOf('{apiversion: v1, kind: Pod, metadata: {name: a}}', 'DRA103')).toBe(
    "A manifest must have 'apiVersion' as a text, and this one has none. Write apiVersion in place of apiversion, and look at the other fields too: upper and lower case matter.",
  );
  expect(textOf('{kind: Pod, metadata: {name: a}}', 'DRA103')).toMatch(/has none\. Add apiVersion/);
});

test('parameters of a driver written as a document of their own need no name', () => {
  expect(codesOf('{apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: MPS}}')).toEqual([]);
  expect(codesOf('{apiVersion: example.com/v1, kind: Widget, metadata: {labels: {}}}')).toEqual(['DRA106']);
  expect(codesOf('{apiVersion: v1, kind: ConfigMap}')).toEqual(['DRA106']);
});

test('the flat requests of v1alpha3 are no mistake of their own', () => {
  const alpha = claim({ requests: [{ name: 'a', deviceClassName: 'gpu.nvidia.com' }] }, 'v1alpha3');

  expect(codesOf(alpha)).toEqual(['DRA116']);
  expect(textOf(alpha, 'DRA116')).toMatch(/Write apiVersion: resource\.k8s\.io\/v1; a ResourceClaim has another shape there\.$/);
});

test('a class of v1beta1 has the same shape in v1', () => {
  expect(textOf('{apiVersion: resource.k8s.io/v1beta1, kind: DeviceClass, metadata: {name: a}, spec: {selectors: [{cel: {expression: device.driver == "a.b"}}]}}', 'DRA116'))
    .toMatch(/Write apiVersion: resource\.k8s\.io\/v1\.$/);
});

test('a version to write is named beside the gate that a kind needs', () => {
  const rule = '{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: {driver: a.b}, taint: {key: a.b/c, effect: NoSchedule}}}';

  expect(textOf(rule, 'DRA116', '1.34')).toMatch(/DRADeviceTaints=true.* Then write apiVersion: resource\.k8s\.io\/v1alpha3\.$/);
});

test('a toleration without a key is told for what it does', () => {
  const tolerating = claim({ requests: [request('a', { tolerations: [{ effect: 'NoExecute' }] })] });

  expect(found(tolerating, '1.36')).toEqual(['DRA127 warning spec.devices.requests[0].exactly.tolerations[0]']);
  expect(textOf(tolerating, 'DRA127', '1.36')).toMatch(/tolerates taints of any key whose value is "", and no others/);
});

describe('what a cluster or somebody else brings is not missing', () => {
  const binding = (roleRef: object, subject: object) => JSON.stringify({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'a', namespace: 'kube-system' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', ...roleRef },
    subjects: [{ kind: 'ServiceAccount', ...subject }],
  });
  const role = '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: mine, namespace: kube-system}, rules: []}';
  const account = '{apiVersion: v1, kind: ServiceAccount, metadata: {name: driver, namespace: kube-system}}';

  test('a role that every API server makes', () => {
    const reader = binding({ name: 'extension-apiserver-authentication-reader' }, { name: 'driver', namespace: 'kube-system' });

    expect(codesOf(documents(role, account, reader))).toEqual([]);
  });

  test('an account in a namespace that the input does not fill', () => {
    const [foreign] = check(documents(role, account, binding({ name: 'mine' }, { name: 'prometheus-k8s', namespace: 'monitoring' })), '1.36');
    const [own] = check(documents(role, account, binding({ name: 'mine' }, { name: 'prometheus-k8s', namespace: 'kube-system' })), '1.36');

    expect([foreign.code, foreign.severity, own.code, own.severity]).toEqual(['DRA136', 'info', 'DRA136', 'warning']);
  });
});

test('an account without a namespace is written without a slash', () => {
  const yaml = documents(
    '{apiVersion: v1, kind: ServiceAccount, metadata: {name: driver}}',
    '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: driver}, rules: [{apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [create]}]}',
    `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: driver}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: driver},
      subjects: [{kind: ServiceAccount, name: driver}]}`,
  );

  expect(textOf(yaml, 'DRA161', '1.36')).toMatch(/The account 'driver' may write/);
});

describe('a field whose gate is off', () => {
  const distinct = claim({ requests: [request('a', { count: 2 })], constraints: [{ distinctAttribute: 'gpu.nvidia.com/uuid' }] });
  const tolerating = claim({ requests: [request('a', { tolerations: [{ key: 'a', operator: 'Exists' }] })] });
  const sliced = JSON.stringify({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'a' },
    spec: {
      driver: 'cpu.example.com',
      nodeName: 'n',
      pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'a', attributes: { roots: { strings: ['pci0000:00'] } } }],
    },
  });

  test.each([
    ['is stored, and the claim never allocated', distinct, '1.34', /stores 'distinctAttribute' of DeviceConstraint, and its scheduler allocates no claim with it\./],
    ['is dropped, and what is left refused', distinct, '1.35', /drops 'distinctAttribute' of DeviceConstraint, and then refuses the empty constraint\./],
    ['is stored and ignored', tolerating, '1.34', /stores and ignores 'tolerations'/],
    ['is dropped without a message', tolerating, '1.35', /drops 'tolerations' of ExactDeviceRequest, without a message/],
    ['is dropped, and the attribute refused', sliced, '1.36', /drops 'strings' of DeviceAttribute, and then refuses the attribute without a value/],
  ])('%s', (_, yaml, minor, text) => {
    expect(textOf(yaml, 'DRA110', minor)).toMatch(text);
  });
});

test('fields of a kind that the target lacks are not judged by its gates', () => {
  const group = '{apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: a}, spec: {resourceClaims: [{name: a, resourceClaimTemplateName: a}]}}';

  expect(codesOf(group, '1.34').filter((code) => code === 'DRA110' || code === 'DRA116')).toEqual(['DRA116']);
});

import { App, Chart, Testing } from 'cdk8s';
import { DriverInstallation, DriverProfile, KubernetesTarget, type DriverInstallationProps } from '../../src';

const fpga = DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' });

function install(props: Partial<DriverInstallationProps> = {}, version = '1.34'): any[] {
  const app = new App();
  KubernetesTarget.of(version).applyTo(app);
  const scope = new Chart(app, 'chart', { namespace: 'drivers' });
  new DriverInstallation(scope, 'fpga-driver', { driver: fpga, image: 'registry.example.com/fpga:1', ...props });
  return Testing.synth(scope);
}

const kind = (objects: any[], name: string) => objects.filter(object => object.kind === name);
const daemonSet = (objects: any[]) => kind(objects, 'DaemonSet')[0].spec;
const container = (objects: any[]) => daemonSet(objects).template.spec.containers[0];

describe('permissions', () => {
  const READ = { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims'], verbs: ['get'] };
  const SLICES = { apiGroups: ['resource.k8s.io'], resources: ['resourceslices'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] };
  const NODES = { apiGroups: [''], resources: ['nodes'], verbs: ['get'] };
  const STATUS = { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/status'], verbs: ['patch', 'update'] };

  // C-052: no cross product of verbs and resources.
  test('are the least that a driver needs', () => {
    expect(kind(install(), 'ClusterRole')[0].rules).toEqual([READ, SLICES, NODES]);
  });

  // C-053: from 1.36 writing device status needs verbs bound to node and driver, and only then.
  test.each([
    ['1.34', [READ, SLICES, NODES, STATUS]],
    ['1.35', [READ, SLICES, NODES, STATUS]],
    ['1.36', [READ, SLICES, NODES, STATUS, {
      apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/driver'], resourceNames: ['fpga.example.com'], verbs: ['associated-node:patch', 'associated-node:update'],
    }]],
    ['1.37', [READ, SLICES, NODES, STATUS, {
      apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/driver'], resourceNames: ['fpga.example.com'], verbs: ['associated-node:patch', 'associated-node:update'],
    }]],
  ])('for writing claim status in %s', (version, rules) => {
    expect(kind(install({ writesClaimStatus: true }, version), 'ClusterRole')[0].rules).toEqual(rules);
  });

  test('for events only where they are written', () => {
    expect(kind(install({ writesEvents: true }), 'ClusterRole')[0].rules).toContainEqual({ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] });
  });

  // C-040: a subject that is typed twice is wrong once.
  test.each([false, true])('name accounts that exist, with OpenShift %p', openShift => {
    const objects = install({ openShift });
    const account = kind(objects, 'ServiceAccount')[0].metadata;
    const subjects = kind(objects, 'ClusterRoleBinding').flatMap(binding => binding.subjects);

    expect(subjects).toHaveLength(openShift ? 2 : 1);
    for (const subject of subjects) expect(subject).toEqual({ kind: 'ServiceAccount', name: account.name, namespace: account.namespace });
    expect(daemonSet(objects).template.spec.serviceAccountName).toBe(account.name);
    expect(kind(objects, 'ValidatingAdmissionPolicy')[0].spec.matchConditions[0].expression)
      .toBe(`request.userInfo.username == "system:serviceaccount:${account.namespace}:${account.name}"`);
  });

  test('bindings name roles and policies that exist', () => {
    const objects = install();

    expect(kind(objects, 'ClusterRoleBinding')[0].roleRef.name).toBe(kind(objects, 'ClusterRole')[0].metadata.name);
    expect(kind(objects, 'ValidatingAdmissionPolicyBinding')[0].spec).toEqual({
      policyName: kind(objects, 'ValidatingAdmissionPolicy')[0].metadata.name, validationActions: ['Deny'],
    });
  });
});

describe('the DaemonSet', () => {
  // C-091, C-092: every path follows the roots.
  test('has no path outside of the roots that were named', () => {
    const objects = install({ kubeletRoot: '/var/lib/k0s/kubelet/', cdiRoot: '/etc/cdi' });

    expect(JSON.stringify(objects)).not.toMatch(/\/var\/lib\/kubelet|\/var\/run\/cdi|k0s\/kubelet\/\//);
    const paths = daemonSet(objects).template.spec.volumes.map((volume: any) => volume.hostPath.path);
    expect(paths).toEqual(['/var/lib/k0s/kubelet/plugins_registry', '/var/lib/k0s/kubelet/plugins', '/etc/cdi']);
    expect(container(objects).volumeMounts.map((mount: any) => mount.mountPath)).toEqual(paths);
    expect(container(objects).env).toEqual(expect.arrayContaining([
      { name: 'CDI_ROOT', value: '/etc/cdi' },
      { name: 'KUBELET_PLUGINS_DIRECTORY_PATH', value: '/var/lib/k0s/kubelet/plugins' },
      { name: 'KUBELET_REGISTRAR_DIRECTORY_PATH', value: '/var/lib/k0s/kubelet/plugins_registry' },
    ]));
  });

  // C-095: two drivers on one node need sockets of their own.
  test.each([[true, { maxSurge: 1, maxUnavailable: 0 }], [false, { maxSurge: 0, maxUnavailable: 1 }]])('with surge %p', (surge, rollingUpdate) => {
    const objects = install({ surge });

    expect(daemonSet(objects).updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate });
    expect(container(objects).env).toContainEqual({ name: 'POD_UID', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.uid' } } });
    expect(container(objects).ports).toBeUndefined();
  });

  test('is unprivileged unless asked, and never evicted for others', () => {
    expect(container(install()).securityContext).toEqual({
      runAsUser: 0, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true, seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container(install({ capabilities: ['SYS_ADMIN'] })).securityContext.capabilities).toEqual({ drop: ['ALL'], add: ['SYS_ADMIN'] });
    expect(container(install({ privileged: true })).securityContext).toEqual({ privileged: true });
    expect(daemonSet(install()).template.spec.priorityClassName).toBe('system-node-critical');
  });

  test('tolerates the taint of a node whose devices change owner, and what it was told', () => {
    expect(daemonSet(install({ tolerations: [{ key: 'fpga' }, { key: 'a', value: 'b', effect: 'NoSchedule' }] })).template.spec.tolerations).toEqual([
      { key: 'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-fpga', operator: 'Exists' },
      { key: 'fpga', operator: 'Exists' },
      { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' },
    ]);
  });

  test('mounts further folders read-only unless they are writable', () => {
    const objects = install({ hostFolders: [{ path: '/sys' }, { path: '/run/fpga', writable: true, followsHostMounts: true }] });

    expect(container(objects).volumeMounts.slice(3)).toEqual([
      { name: 'host-0', mountPath: '/sys', readOnly: true },
      { name: 'host-1', mountPath: '/run/fpga', mountPropagation: 'HostToContainer' },
    ]);
    expect(daemonSet(objects).template.spec.volumes.slice(3).map((volume: any) => volume.hostPath.type)).toEqual(['Directory', 'DirectoryOrCreate']);
  });

  test('own variables come after those they may refer to, sorted', () => {
    const names = container(install({ env: { Z: '$(NODE_NAME)', A: '1' } })).env.map((variable: any) => variable.name);

    expect(names.slice(-2)).toEqual(['A', 'Z']);
    expect(names.indexOf('NODE_NAME')).toBeLessThan(names.indexOf('Z'));
  });

  test('is probed where the driver has a health service', () => {
    expect(container(install()).livenessProbe).toBeUndefined();
    expect(container(install({ healthPort: 51515 })).livenessProbe.grpc).toEqual({ port: 51515, service: 'liveness' });
  });
});

test('the policy binds writing slices to the node of the token and to the driver', () => {
  const { matchConstraints, validations, failurePolicy, variables } = kind(install(), 'ValidatingAdmissionPolicy')[0].spec;

  // A token that no kubelet mounted may carry no extra at all; without .?extra the refusal would be an evaluation error.
  expect(variables[0].expression).toBe('request.userInfo.?extra[?"authentication.kubernetes.io/node-name"][0].orValue("")');

  expect(failurePolicy).toBe('Fail');
  expect(matchConstraints.resourceRules[0]).toEqual({
    apiGroups: ['resource.k8s.io'], apiVersions: ['v1', 'v1beta1', 'v1beta2'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['resourceslices'], scope: '*',
  });
  // What the server would fill in is there: a second manager of the same manifests meets no conflict.
  expect(matchConstraints).toMatchObject({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  expect(validations.map((validation: any) => validation.expression)).toEqual([
    'variables.userNode != ""', 'variables.userNode == variables.sliceNode', 'variables.slice.spec.driver == "fpga.example.com"',
  ]);
});

test('the namespace that it makes lets pods use host folders', () => {
  expect(kind(install(), 'Namespace')).toEqual([]);
  expect(kind(install({ createNamespace: true }), 'Namespace')[0].metadata).toMatchObject({ name: 'drivers', labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } });
});

// C-068: what others need comes first, in the order of the file.
test('the objects stand in the order in which they can be applied', () => {
  expect(install({ createNamespace: true, openShift: true }).map(object => object.kind)).toEqual([
    'Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'ClusterRoleBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'DaemonSet',
  ]);
});

test('a chart without a namespace is refused', () => {
  expect(() => new DriverInstallation(new Chart(new App(), 'chart'), 'x', { driver: fpga, image: 'i' }))
    .toThrow(/^\[chart\/x\] The chart of a driver must have a namespace, got none.*Make the chart with \{ namespace: 'dra-drivers' \}/);
});

// C-151: names at their maximum length do not break anything derived from them.
test('driver names and ids of the greatest length are fine', () => {
  const driver = DriverProfile.custom({ driverName: `${'a'.repeat(59)}.com`, family: 'f'.repeat(40) });
  const app = new App();
  const scope = new Chart(app, 'chart', { namespace: 'n'.repeat(63) });

  new DriverInstallation(scope, 'i'.repeat(63), { driver, image: 'i' });

  expect(Testing.synth(scope)).toHaveLength(6);
  expect(() => new DriverInstallation(scope, 'i'.repeat(64), { driver, image: 'i' })).toThrow(/\[chart\/i+\].*63/s);
});

test.each([
  [{ image: ' ' }, '[chart/x] \'image\' must be an image without spaces, got " ".'],
  [{ pool: 'Fast Net' }, '[chart/x] \'pool\' must be a label value'],
  [{ nodeLabels: { zone: 'b c' } }, '[chart/x] \'nodeLabels.zone\' must be a label value'],
])('%j is refused: the API server would take it, and nothing would run', (props, message) => {
  const scope = new Chart(new App(), 'chart', { namespace: 'n' });

  expect(() => new DriverInstallation(scope, 'x', { driver: fpga, image: 'i', ...props })).toThrow(message);
});

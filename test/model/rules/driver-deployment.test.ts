import { check, documents, found, textOf } from './check';
import { Target } from '../../../src/model/target';

const role = (rules: object[], name = 'r') => JSON.stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules });
const bound = (name = 'r', namespace = 'd') => documents(
  JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'driver', namespace } }),
  JSON.stringify({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name, apiGroup: 'rbac.authorization.k8s.io' },
    subjects: [{ kind: 'ServiceAccount', name: 'driver', namespace }],
  }),
);
const dra = (resources: string[], verbs: string[], more: object = {}) => ({ apiGroups: ['resource.k8s.io'], resources, verbs, ...more });
const status = dra(['resourceclaims/status'], ['update', 'patch']);
const own = dra(['resourceclaims/driver'], ['associated-node:update', 'associated-node:patch'], { resourceNames: ['a.b'] });

test.each([ // C-053
  ['status alone', [status], ['DRA160 error rules[0]']],
  ['status and the driver\'s part', [status, own], []],
  ['status and the scheduler\'s part', [status, dra(['resourceclaims/binding'], ['update'])], []],
  ['verbs that nobody asks for', [status, { ...own, verbs: ['update', 'patch'] }], ['DRA160 error rules[0]', 'DRA160 error rules[1].verbs']],
  ['reading the status', [dra(['resourceclaims', 'resourceclaims/status'], ['get'])], []],
])('a role with %s, from 1.36 on', (_, rules, expected) => {
  expect(found(role(rules), '1.36')).toEqual(expected);
  expect(found(role(rules), '1.35').filter((finding) => finding.endsWith('rules[0]'))).toEqual([]);
  const off = Target.of('1.36', { featureGates: { DRAResourceClaimGranularStatusAuthorization: false } });
  expect(found(role(rules), off).filter((finding) => finding.endsWith('rules[0]'))).toEqual([]);
});

test('the second right may stand in another role of the same account', () => {
  expect(found(documents(role([status]), role([own], 's'), bound(), bound('s')), '1.36').filter((finding) => finding.startsWith('DRA160'))).toEqual([]);
  expect(found(documents(role([status]), role([own], 's'), bound()), '1.36')).toContain('DRA160 error rules[0]');
});

test.each([ // C-052
  [dra(['*'], ['get']), 'warning', /allows '\*'/],
  [dra(['resourceclaims'], ['*']), 'warning', /allows '\*'/],
  [dra(['resourceclaims/driver'], ['associated-node:update']), 'warning', /resourceNames/],
  [{ apiGroups: ['', 'resource.k8s.io'], resources: ['pods', 'resourceclaims'], verbs: ['get'] }, 'info', /resourceclaims does not exist in group ''/],
])('the rule %j is too wide', (rule, severity, text) => {
  const [finding] = check(role([rule])).filter(({ code }) => code === 'DRA166');
  expect(finding.severity).toBe(severity);
  expect(textOf(role([rule]), 'DRA166')).toMatch(text);
});

test('rights for everything are told where DRA is meant, not for other programs', () => {
  const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
  expect(found(role([everything]))).toEqual([]);
  expect(found(role([everything, dra(['resourceclaims'], ['get'])]))).toEqual(['DRA166 warning rules[0]']);
});

const writer = documents(role([dra(['resourceslices'], ['get', 'create', 'update'])]), bound());
const policy = (username: string, resources = ['resourceslices']) => documents(
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: ['resource.k8s.io'], apiVersions: ['*'], operations: ['*'], resources }] },
      matchConditions: [{ name: 'a', expression: `request.userInfo.username == "${username}"` }],
      validations: [{ expression: 'true' }],
    },
  }),
  '{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: p}, spec: {policyName: p, validationActions: [Deny]}}',
);
const codes = (yaml: string) => check(yaml).map(({ code, severity }) => `${code} ${severity}`);

test.each([
  ['no policy', '', ['DRA161 info']],
  ['a policy for something else', policy('system:serviceaccount:d:driver', ['pods']), ['DRA161 info']],
  ['a policy for its account', policy('system:serviceaccount:d:driver'), []],
  ['a policy for another account', policy('system:serviceaccount:d:drivers'), ['DRA162 warning']],
  ['a policy for another namespace', policy('system:serviceaccount:e:driver'), ['DRA162 warning']],
  ['a policy that names no account', policy('someone'), []],
])('an account that writes slices, with %s', (_, yaml, expected) => {
  expect(codes(documents(writer, ...yaml === '' ? [] : [yaml]))).toEqual(expected);
});

interface Layout {
  readonly root?: string;
  readonly registry?: string;
  readonly mount?: string;
  readonly cdi?: string;
  readonly update?: object;
  readonly uid?: boolean;
}

function daemon({ root = '/var/lib/kubelet', registry = `${root}/plugins_registry`, mount, cdi = '/var/run/cdi', update, uid = false }: Layout): string {
  const volumes = [['registry', registry], ['plugins', `${root}/plugins/a.b`], ['cdi', cdi]];
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'driver' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      updateStrategy: update,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          volumes: volumes.map(([name, path]) => ({ name, hostPath: { path } })),
          containers: [{
            name: 'c',
            env: uid ? [{ name: 'POD_UID', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } }] : [],
            volumeMounts: volumes.map(([name, path]) => ({ name, mountPath: name === 'plugins' && mount !== undefined ? mount : path })),
          }],
        },
      },
    },
  });
}

const surge = (maxSurge: unknown, maxUnavailable?: unknown) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } });

test.each<[string, Layout, string[]]>([
  ['the usual paths', {}, []],
  ['another root everywhere', { root: '/var/lib/k0s/kubelet' }, []], // C-091
  ['slashes at the end', { registry: '/var/lib/kubelet/plugins_registry/' }, []],
  ['two roots', { root: '/var/lib/k0s/kubelet', registry: '/var/lib/kubelet/plugins_registry' }, ['DRA163 warning spec.template.spec.volumes[1].hostPath.path']],
  ['another path inside', { mount: '/plugins' }, ['DRA163 warning spec.template.spec.containers[0].volumeMounts[1].mountPath']],
  ['/etc/cdi', { cdi: '/etc/cdi' }, []],
  ['a CDI folder of its own', { cdi: '/opt/cdi' }, ['DRA164 warning spec.template.spec.volumes[2].hostPath.path']], // C-092
  ['a surge with everything it needs', { update: surge(1, 0), uid: true }, []], // C-095
  ['a surge without room', { update: surge(1), uid: true }, ['DRA165 error spec.updateStrategy.rollingUpdate.maxSurge']],
  ['room for no pod', { update: surge(undefined, 0) }, ['DRA165 error spec.updateStrategy.rollingUpdate.maxUnavailable']],
  ['what an update by hand does not use', { update: { ...surge(1), type: 'OnDelete' } }, []],
  ['a surge without uid', { update: surge('10%', '0%') }, ['DRA165 warning spec.updateStrategy.rollingUpdate.maxSurge']],
  ['no surge without uid', { update: surge(0, 1) }, []],
  ['a surge of 0 %', { update: surge('0%', 1) }, []],
])('a driver with %s', (_, layout, expected) => {
  expect(found(daemon(layout))).toEqual(expected);
});

test('a value of another shape is told as it stands there', () => {
  const messages = check(daemon({ update: surge(undefined, { a: 'b' }) })).filter(({ code }) => code === 'DRA165').map(({ message }) => message);
  expect(messages).toContain('A DaemonSet cannot have maxUnavailable {"a":"b"} without maxSurge: the API server refuses it.');
});

test('a driver that knows its uid could be updated without a gap', () => {
  expect(codes(daemon({ uid: true }))).toEqual(['DRA165 info']);
});

test('a DaemonSet that serves no kubelet is not judged', () => {
  expect(found(daemon({ registry: '/var/log', update: surge(1, 0), cdi: '/opt/cdi', mount: '/x' }))).toEqual([]);
});

test('what a server wrote is told for kinds that Git keeps', () => {
  const yaml = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a, uid: b}, spec: {selectors: [{cel: {expression: device.driver == "a.b"}}]}}';
  expect(codes(yaml)).toEqual(['DRA171 info']);
});

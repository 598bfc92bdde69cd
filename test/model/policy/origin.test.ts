import { claim, ownedBy, refusals, template } from './trial';
import type { Fields } from './workloads';
import { adminAccessPolicy, claimOriginPolicy } from '../../../src/model/policy';

// C-043
describe('claims that pretend', () => {
  const BRIDGE = { annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' } };
  const OF_POD = { annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' } };
  const decide = (object: Fields, more: Fields = {}) => refusals(claimOriginPolicy({}), { object, ...more });

  test.each<[string, Fields, string]>([
    ['the mark of the bridge', claim(['large'], { ...BRIDGE, ...ownedBy('Pod') }), 'Claim mine carries resource.kubernetes.io/extended-resource-claim, which only the scheduler and the controllers'],
    ['the mark of the claim controller', claim(['large'], OF_POD), 'carries resource.kubernetes.io/pod-claim-name'],
    ['a pod that controls it', claim(['large'], ownedBy('Pod')), 'carries controller Pod train, which only'],
    ['any controller', claim(['large'], ownedBy('Job')), 'carries controller Job train'],
  ])('with %s are refused to a tenant and to accounts of the namespace', (_title, object, words) => {
    for (const user of ['anna', 'system:serviceaccount:vision:runner']) expect(decide(object, { user })).toEqual([expect.stringContaining(words)]);
    expect(decide(object, { oldObject: claim(['large']) })).toEqual([expect.stringContaining(words)]);
  });

  test('an account of another namespace can own a claim, but not make it a pod\'s, unless it is named', () => {
    const user = 'system:serviceaccount:other:operator';
    expect(decide(claim(['large'], ownedBy('Training')), { user })).toEqual([]);
    for (const metadata of [BRIDGE, OF_POD, ownedBy('Pod')]) {
      expect(decide(claim(['large'], metadata), { user })).toHaveLength(1);
      expect(refusals(claimOriginPolicy({ controllerAccounts: [user] }), { object: claim(['large'], metadata), user })).toEqual([]);
    }
  });

  test.each<[string, Fields, Fields?]>([
    ['a plain claim', claim(['large'])],
    ['an owner that does not control', claim(['large'], { ownerReferences: [{ kind: 'Job', name: 'x', uid: 'u' }] })],
    ['the scheduler', claim(['large'], BRIDGE), { user: 'system:kube-scheduler' }],
    ['the claim controller', claim(['large'], { ...OF_POD, ...ownedBy('Pod') }), { user: 'system:serviceaccount:kube-system:resourceclaim-controller' }],
    ['another label on a claim that carries it', claim(['large'], { ...OF_POD, labels: { a: 'b' } }), { oldObject: claim(['large'], OF_POD) }],
  ])('%s passes', (_title, object, more = {}) => {
    expect(decide(object, more)).toEqual([]);
  });
});

// C-046
describe('admin access', () => {
  const LABEL = 'resource.kubernetes.io/admin-access';
  const space = (labels: Fields) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'vision', labels } });
  const admin = { exactly: { deviceClassName: 'large', allocationMode: 'All', adminAccess: true } };
  const policy = adminAccessPolicy({ platformGroups: ['platform', 'system:masters'] });
  const decide = (object: Fields, more: Fields = {}) => refusals(policy, { object, ...more });
  const ONLY = 'members of platform, system:masters only';

  test.each<[string, Fields, Fields?]>([
    ['a new namespace', space({ [LABEL]: 'true' })],
    ['an own namespace', space({ [LABEL]: 'true' }), { oldObject: space({}) }],
    ['a claim', claim([admin])],
    ['a template', template(['large', admin])],
    ['an account of the namespace', claim([admin], ownedBy('Pod')), { user: 'system:serviceaccount:vision:runner' }],
    ['an account of another namespace that writes an owner', claim([admin], ownedBy('Job')), { user: 'system:serviceaccount:other:runner' }],
    ['a namespace with an owner', { ...space({}), metadata: { ...space({ [LABEL]: 'true' }).metadata, ...ownedBy('Job') } }, { oldObject: space({}), user: 'system:serviceaccount:kube-system:x' }],
    ['the label by way of the status', space({ [LABEL]: 'true' }), { oldObject: space({}), subResource: 'status' }],
    ['the label by way of finalize', space({ [LABEL]: 'true' }), { oldObject: space({}), subResource: 'finalize' }],
  ])('%s is refused', (_title, object, more = {}) => {
    expect(decide(object, more)).toEqual([expect.stringContaining(ONLY)]);
    expect(decide(object, { ...more, groups: ['platform'] })).toEqual([]);
  });

  test.each<[string, Fields, Fields?]>([
    ['a namespace without the label', space({})],
    ['another label on a namespace that has it', space({ [LABEL]: 'true', a: 'b' }), { oldObject: space({ [LABEL]: 'true' }) }],
    ['taking it off', space({}), { oldObject: space({ [LABEL]: 'true' }) }],
    ['a claim without it', claim(['large', ['large']])],
    ['a pod\'s claim from a template of the platform', claim([admin], ownedBy('Pod')), { user: 'system:serviceaccount:kube-system:resourceclaim-controller' }],
  ])('%s passes', (_title, object, more = {}) => {
    expect(decide(object, more)).toEqual([]);
  });

  test('every way to write labels of a namespace is looked at', () => {
    const [{ resources, operations }] = policy.spec.matchConstraints?.resourceRules ?? [{}];
    expect(resources).toEqual(['namespaces', 'namespaces/finalize', 'namespaces/status']);
    expect(operations).toContain('UPDATE');
  });
});

import { CompiledAdmissionPolicy, compileAdmissionPolicy } from '../../../src/model/cel/admission';
import {
  accessPolicy, accessWorkloadsPolicy, adminAccessPolicy, claimOriginPolicy, consumersPolicy, doorPolicy, fencePolicy, holdFencePolicy, holdPolicy,
} from '../../../src/model/policy';
import { MINORS } from '../../../src/model/target/versions';

const MAKERS = [
  accessPolicy, accessWorkloadsPolicy, adminAccessPolicy, claimOriginPolicy, consumersPolicy, doorPolicy, fencePolicy, holdFencePolicy, holdPolicy,
];
const FULL = { systemNamespaces: ['monitoring', 'drivers'], platformGroups: ['"quoted"'], controllerAccounts: ['x'], tenantNamespaceLabels: { tenant: 'yes' } };
const ABOUT_TENANTS = ['cdk8s-dra-access', 'cdk8s-dra-access-workloads', 'cdk8s-dra-consumers'];

test.each(MINORS.flatMap(minor => MAKERS.map(make => [minor, make.name, make] as const)))('%s takes every expression of %s as new', (minor, _name, make) => {
  for (const scope of [{}, FULL]) {
    const compiled = compileAdmissionPolicy(make(scope).spec, { minor, envType: 'new' });
    expect(compiled instanceof CompiledAdmissionPolicy ? [] : compiled).toEqual([]);
  }
});

describe.each(MAKERS.map(make => [make(FULL).name, make(FULL)] as const))('%s', (name, { spec, binding }) => {
  test('leaves system namespaces alone, in the policy and in its binding', () => {
    const expressions = [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['drivers', 'kube-system', 'monitoring'] }];
    const selector = ABOUT_TENANTS.includes(name) ? { matchLabels: { tenant: 'yes' }, matchExpressions: expressions } : { matchExpressions: expressions };
    expect(spec.matchConstraints?.namespaceSelector).toEqual(selector);
    expect(binding.matchResources?.namespaceSelector).toEqual(selector);
  });

  test('writes out what the API server would fill in', () => {
    expect(spec.matchConstraints).toMatchObject({ matchPolicy: 'Equivalent', objectSelector: {} });
    expect(spec.matchConstraints?.resourceRules?.map(({ scope }) => scope)).not.toContain(undefined);
    expect(binding).toMatchObject({ policyName: name, validationActions: ['Deny'], matchResources: { matchPolicy: 'Equivalent', objectSelector: {} } });
  });

  test('is silent where its parameter is missing, unless it sees claims and templates only', () => {
    if (spec.paramKind === undefined) return expect(binding.paramRef).toBeUndefined();
    const sees = new Set(spec.matchConstraints?.resourceRules?.flatMap(({ resources = [] }) => resources));
    const mayRefuse = [...sees].every(resource => ['resourceclaims', 'resourceclaimtemplates'].includes(resource));
    expect([spec.failurePolicy, binding.paramRef?.parameterNotFoundAction]).toEqual(mayRefuse ? ['Fail', 'Deny'] : ['Ignore', 'Allow']);
  });
});

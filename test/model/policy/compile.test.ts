import { CompiledAdmissionPolicy, compileAdmissionPolicy } from '../../../src/model/cel/admission';
import {
  accessPolicy, accessWorkloadsPolicy, adminAccessPolicy, claimOriginPolicy, consumersPolicy, doorPolicy, fencePolicy, holdFencePolicy, holdPolicy,
} from '../../../src/model/policy';
import { MINORS } from '../../../src/model/target/versions';

const POLICIES = [
  accessPolicy, accessWorkloadsPolicy, adminAccessPolicy, claimOriginPolicy, consumersPolicy, doorPolicy, fencePolicy, holdFencePolicy, holdPolicy,
];
const SCOPES = [{}, { systemNamespaces: ['b', 'a'], platformGroups: ['"quoted"'], controllerAccounts: ['x'], tenantNamespaceLabels: { tenant: 'yes' } }];

test.each(MINORS.flatMap(minor => POLICIES.map(policy => [minor, policy] as const)))('%s takes every expression of %p as new', (minor, policy) => {
  for (const scope of SCOPES) {
    const compiled = compileAdmissionPolicy(policy(scope).spec, { minor, envType: 'new' });
    expect(compiled instanceof CompiledAdmissionPolicy ? [] : compiled).toEqual([]);
  }
});

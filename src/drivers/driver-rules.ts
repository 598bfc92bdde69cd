import type { PolicyRule } from '../../imports/types';
import type { Target } from '../model/target';

/** What a driver does at the API server beside publishing slices. */
export interface DriverRulesProps {
  readonly driverName: string;
  readonly target: Target;
  readonly writesClaimStatus?: boolean;
  readonly writesEvents?: boolean;
}

/** Role that OpenShift makes for its `privileged` security context constraints. */
export const OPENSHIFT_PRIVILEGED_SCC = 'system:openshift:scc:privileged';

/** The permissions of a driver, each needed by one of its calls. */
export function driverRules(props: DriverRulesProps): PolicyRule[] {
  const rules: PolicyRule[] = [
    // The claim is read before its devices are prepared, to see its allocation and that it is still the same claim.
    { apiGroups: [DRA], resources: ['resourceclaims'], verbs: ['get'] },
    // Slices of all nodes as far as RBAC goes; the policy beside it narrows writing to the own node and driver.
    { apiGroups: [DRA], resources: ['resourceslices'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
    // The node is the owner of its slices.
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
  ];
  if (props.writesClaimStatus) rules.push(...statusRules(props));
  if (props.writesEvents) rules.push({ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] });
  return rules;
}

const DRA = 'resource.k8s.io';

function statusRules({ driverName, target }: DriverRulesProps): PolicyRule[] {
  const status: PolicyRule = { apiGroups: [DRA], resources: ['resourceclaims/status'], verbs: ['patch', 'update'] };
  if (!target.enabled('DRAResourceClaimGranularStatusAuthorization')) return [status];
  // The resource exists in authorization only; the verbs hold for claims that are allocated on the node of the account's token.
  return [status, {
    apiGroups: [DRA],
    resources: ['resourceclaims/driver'],
    resourceNames: [driverName],
    verbs: ['associated-node:patch', 'associated-node:update'],
  }];
}

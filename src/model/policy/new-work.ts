import type { PolicyScope } from './policy-scope';
import type { MatchCondition } from '../../../imports/types';
import { celString } from '../cel/literal';

/** Accounts of Kubernetes' own controllers where they have no service accounts, and of the scheduler. */
const CONTROL_PLANE = ['system:kube-controller-manager', 'system:kube-scheduler'];
const KUBE_SYSTEM_ACCOUNTS = 'system:serviceaccount:kube-system:';

const USER = 'request.userInfo.?username.orValue("")';

/** True for a request of Kubernetes' own controllers, the scheduler, and the accounts that the platform names. */
export function byControlPlane({ controllerAccounts = [] }: PolicyScope): string {
  const named = [...new Set([...CONTROL_PLANE, ...controllerAccounts])].sort().map(celString).join(', ');
  return `(${USER} in [${named}] || ${USER}.startsWith(${celString(KUBE_SYSTEM_ACCOUNTS)}))`;
}

/**
 * True for a request of a controller of the cluster, never of an account of the namespace itself or of a person.
 *
 * A kubelet counts: NodeRestriction lets it make mirror pods of its own node only.
 */
export function byController(scope: PolicyScope): string {
  const others = `${USER}.startsWith("system:serviceaccount:") && !${USER}.startsWith("system:serviceaccount:" + request.?namespace.orValue("") + ":")`;
  return `(${byControlPlane(scope)}${scope.controllerAccounts === undefined ? ` || (${others})` : ''} || "system:nodes" in request.userInfo.?groups.orValue([]))`;
}

/** Leaves alone what a controller makes for an owner that was looked at when it came. */
export function newOwnersOnly(scope: PolicyScope): MatchCondition {
  return { name: 'new-owner', expression: `!(${IS_OWNED} && ${byController(scope)})` };
}

/**
 * Leaves alone claims that Kubernetes itself makes for an owner that was looked at when it came.
 *
 * Accounts of other namespaces do not count: anybody can write an owner, and a tenant may have two namespaces.
 */
export function ownedByControlPlane(scope: PolicyScope): MatchCondition {
  return { name: 'new-owner', expression: `request.resource.resource == "namespaces" || !(${IS_OWNED} && ${byControlPlane(scope)})` };
}

const IS_OWNED = 'dyn(object).metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false))';

/** Leaves alone, at the least possible cost, a pod that names no claim and no resource of a vendor. */
export const ASKS_FOR_DEVICES: MatchCondition = {
  name: 'asks-for-devices',
  expression: 'request.resource.resource != "pods" || has(dyn(object).spec.resourceClaims) || '
    + '["containers", "initContainers"].exists(l, dyn(object).spec[?l].orValue([]).exists(c, '
    + 'c.?resources.?limits.orValue({}).exists(k, k.contains("/")) || c.?resources.?requests.orValue({}).exists(k, k.contains("/"))))',
};

import { LIMITS } from '../limits';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';
import { hasScopes } from '../quota-scopes';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { objectAt, objectsAt, quantitiesAt, textAt, wholeAt } from '../view/json-field';
import { IMPLICIT_DOMAIN } from '../view/pod-resources';
import type { ViewObject } from '../view/view-object';

/** A quota that leaves no room for a claim. */
export interface QuotaShortage {
  readonly quota: ViewObject;
  readonly key: string;
  readonly limit: Quantity;
  readonly used: Quantity;
  readonly requested: number;
  /** The class whose devices count under the key; undefined where the claim itself does. */
  readonly className?: string;
  /** Claims that count, with their amounts, sorted by name. */
  readonly users: readonly { readonly claim: ViewObject; readonly amount: number }[];
}

/** The first quota of the namespace that refuses a claim with this spec. */
export function quotaShortage(view: ClusterView, target: Target, namespace: string, spec: JsonObject): QuotaShortage | undefined {
  for (const quota of view.inNamespace('ResourceQuota', namespace).filter(({ value }) => !hasScopes(value.spec))) {
    const hard = new Map([...quantitiesAt(quota.value, 'spec', 'hard'), ...quantitiesAt(quota.value, 'status', 'hard')]);
    const recorded = quantitiesAt(quota.value, 'status', 'used');
    for (const [key, { requested, className }] of quotaAmounts(view, target, spec)) {
      const limit = hard.get(key);
      if (limit === undefined || requested === 0) continue;
      const users = view.inNamespace('ResourceClaim', namespace)
        .map(claim => ({ claim, amount: isChargedToPod(view, claim, key) ? 0 : quotaAmounts(view, target, objectAt(claim.value, 'spec')).get(key)?.requested ?? 0 }))
        .filter(({ amount }) => amount > 0);
      const used = recorded.get(key) ?? Quantity.of(BigInt(users.reduce((sum, { amount }) => sum + amount, 0)));
      const isOver = used.add(Quantity.of(BigInt(requested))).compareTo(limit) > 0;
      if (isOver) return { quota, key, limit, used, requested, users, ...(className === undefined ? {} : { className }) };
    }
  }
  return undefined;
}

/**
 * A claim that the scheduler made for a pod with an extended resource counts by class; under the resource the pod itself does.
 *
 * Anybody can write the annotation and an owner: the pod must not know of another claim (`getVerifiedPodUsage`). C-043
 */
function isChargedToPod(view: ClusterView, { name, namespace, value }: ViewObject, key: string): boolean {
  if (!key.startsWith('requests.') || textAt(value, 'metadata', 'annotations', EXTENDED_RESOURCE_CLAIM) !== 'true') return false;
  const owner = objectsAt(value, 'metadata', 'ownerReferences').find(one => one.controller === true && one.kind === 'Pod' && one.apiVersion === 'v1');
  if (owner === undefined) return false;
  const pod = view.find('Pod', namespace, textAt(owner, 'name'));
  if (pod === undefined) return true;
  const known = textAt(pod.value, 'status', 'extendedResourceClaimStatus', 'resourceClaimName');
  return textAt(pod.value, 'metadata', 'uid') === textAt(owner, 'uid') && (known === '' || known === name);
}

const EXTENDED_RESOURCE_CLAIM = 'resource.kubernetes.io/extended-resource-claim';

type Counted = Pick<QuotaShortage, 'requested' | 'className'>;

/** What a claim counts for, by the key of a ResourceQuota: of alternatives the largest, mode All as the most that a claim can get. */
function quotaAmounts(view: ClusterView, target: Target, spec: JsonObject): ReadonlyMap<string, Counted> {
  const amounts = new Map<string, Counted>([['count/resourceclaims.resource.k8s.io', { requested: 1 }]]);
  for (const request of objectsAt(spec, 'devices', 'requests')) {
    const alternatives = objectsAt(request, 'firstAvailable');
    const largest = new Map<string, number>();
    for (const one of alternatives.length > 0 ? alternatives : [objectAt(request, 'exactly')]) {
      const name = textAt(one, 'deviceClassName');
      const count = textAt(one, 'allocationMode') === 'All' ? MOST_DEVICES : wholeAt(one, 'count') ?? 1;
      if (name !== '') largest.set(name, Math.max(largest.get(name) ?? 0, count));
    }
    for (const [name, count] of largest) {
      for (const key of quotaKeys(view, target, name)) amounts.set(key, { requested: (amounts.get(key)?.requested ?? 0) + count, className: name });
    }
  }
  return amounts;
}

/** The keys under which a device of a class counts: from 1.35 also those of the extended resources that the class answers. */
function quotaKeys(view: ClusterView, target: Target, className: string): readonly string[] {
  const own = `${className}.deviceclass.resource.k8s.io/devices`;
  if (!target.atLeast('1.35') || !target.isOn('DRAExtendedResource', 'kube-apiserver')) return [own];
  const resource = textAt(view.find('DeviceClass', '', className)?.value, 'spec', 'extendedResourceName');
  return [own, `requests.${IMPLICIT_DOMAIN}/${className}`, ...(resource === '' ? [] : [`requests.${resource}`])];
}

const MOST_DEVICES = LIMITS.resultsPerClaim.max;

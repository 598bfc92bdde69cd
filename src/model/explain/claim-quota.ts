import { LIMITS } from '../limits';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';
import type { ClusterView } from '../view/cluster-view';
import { objectAt, objectsAt, quantitiesAt, textAt, wholeAt } from '../view/json-field';
import type { ViewObject } from '../view/view-object';

/** A quota that leaves no room for a claim. */
export interface QuotaShortage {
  readonly quota: ViewObject;
  readonly key: string;
  readonly limit: Quantity;
  readonly used: Quantity;
  readonly requested: number;
  /** Claims that count, with their amounts, sorted by name. */
  readonly users: readonly { readonly claim: ViewObject; readonly amount: number }[];
}

/** The first quota of the namespace that refuses a claim with this spec. */
export function quotaShortage(view: ClusterView, namespace: string, spec: JsonObject): QuotaShortage | undefined {
  for (const quota of view.inNamespace('ResourceQuota', namespace)) {
    const hard = new Map([...quantitiesAt(quota.value, 'spec', 'hard'), ...quantitiesAt(quota.value, 'status', 'hard')]);
    const recorded = quantitiesAt(quota.value, 'status', 'used');
    for (const [key, requested] of quotaAmounts(spec)) {
      const limit = hard.get(key);
      if (limit === undefined || requested === 0) continue;
      const users = view.inNamespace('ResourceClaim', namespace)
        .map(claim => ({ claim, amount: quotaAmounts(objectAt(claim.value, 'spec')).get(key) ?? 0 }))
        .filter(({ amount }) => amount > 0);
      const used = recorded.get(key) ?? Quantity.of(BigInt(users.reduce((sum, { amount }) => sum + amount, 0)));
      if (used.add(Quantity.of(BigInt(requested))).compareTo(limit) > 0) return { quota, key, limit, used, requested, users };
    }
  }
  return undefined;
}

/** What a claim counts for, by the key of a ResourceQuota: of alternatives the largest, mode All as the most that a claim can get. */
export function quotaAmounts(spec: JsonObject): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>([['count/resourceclaims.resource.k8s.io', 1]]);
  for (const request of objectsAt(spec, 'devices', 'requests')) {
    const alternatives = objectsAt(request, 'firstAvailable');
    const largest = new Map<string, number>();
    for (const one of alternatives.length > 0 ? alternatives : [objectAt(request, 'exactly')]) {
      const name = textAt(one, 'deviceClassName');
      const count = textAt(one, 'allocationMode') === 'All' ? MOST_DEVICES : wholeAt(one, 'count') ?? 1;
      if (name !== '') largest.set(name, Math.max(largest.get(name) ?? 0, count));
    }
    for (const [name, count] of largest) {
      const key = `${name}.deviceclass.resource.k8s.io/devices`;
      amounts.set(key, (amounts.get(key) ?? 0) + count);
    }
  }
  return amounts;
}

const MOST_DEVICES = LIMITS.resultsPerClaim.max;

import type { PlannedMigration } from './plan';
import type { ManifestSet } from '../manifests/manifest-set';
import { quotaProblems } from '../ownership/quotas';
import { Quantity } from '../quantity';
import { hasScopes } from '../quota-scopes';
import { quotaPlan } from '../rules/ownership-plan';
import type { Target } from '../target';
import { objectAt, objectsAt, textAt, wholeAt } from '../view/json-field';

/** What a namespace, queue or tenant may hold by one way to devices, in two commits. */
export interface QuotaChange {
  /** `namespace vision`, `ClusterQueue a100`, `tenant vision`. */
  readonly holder: string;
  /** The way: an extended resource, `claims of CLASS`, or `CLASS on both ways`. */
  readonly way: string;
  /** Undefined: no limit. */
  readonly before?: number;
  readonly after?: number;
}

export interface QuotaDifference {
  readonly changes: readonly QuotaChange[];
  /** Tenants that may hold more on both ways together than in total, a sentence each. */
  readonly excess: readonly string[];
}

/** Limits on both ways, as ResourceQuota, Kueue's ClusterQueue and DeviceTenant set them. */
export function quotaDifference(base: ManifestSet, head: ManifestSet, migrations: readonly PlannedMigration[], target: Target): QuotaDifference {
  const ways = waysOf(migrations);
  const [before, after] = [limitsOf(base, ways), limitsOf(head, ways)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return {
    changes: keys.filter(key => before.get(key) !== after.get(key)).map((key): QuotaChange => {
      const [holder = '', way = ''] = key.split('\n');
      const [old, next] = [before.get(key), after.get(key)];
      return { holder, way, ...(old === undefined ? {} : { before: old }), ...(next === undefined ? {} : { after: next }) };
    }),
    excess: excessOf(head, target),
  };
}

/** Keys of a quota, to what a person calls the way. */
function waysOf(migrations: readonly PlannedMigration[]): ReadonlyMap<string, string> {
  const ways = new Map<string, string>();
  for (const { spec } of migrations) {
    for (const { name } of spec.legacy?.resources ?? []) ways.set(name, name).set(`requests.${name}`, name);
    for (const name of spec.deviceClassNames) {
      ways.set(`${name}.deviceclass.resource.k8s.io/devices`, `claims of ${name}`);
      ways.set(`requests.deviceclass.resource.kubernetes.io/${name}`, `implicit name of ${name}`);
    }
  }
  return ways;
}

function limitsOf(set: ManifestSet, ways: ReadonlyMap<string, string>): Map<string, number> {
  const limits = new Map<string, number>();
  const note = (holder: string, way: string, amount: number, isSum: boolean) => {
    const key = `${holder}\n${way}`;
    const known = limits.get(key);
    limits.set(key, known === undefined ? amount : isSum ? known + amount : Math.min(known, amount));
  };
  for (const quota of set.ofKind('', 'ResourceQuota').filter(({ value }) => !hasScopes(value.spec))) {
    for (const [key, amount] of Object.entries(objectAt(quota.value, 'spec', 'hard'))) {
      const [way, count] = [ways.get(key), amountOf(amount)];
      // Of two quotas of a namespace the smaller counts.
      if (way !== undefined && count !== undefined) note(`namespace ${quota.namespace}`, way, count, false);
    }
  }
  for (const queue of set.ofKind('kueue.x-k8s.io', 'ClusterQueue')) {
    for (const flavor of objectsAt(queue.value, 'spec', 'resourceGroups').flatMap(group => objectsAt(group, 'flavors'))) {
      for (const resource of objectsAt(flavor, 'resources')) {
        const [name, count] = [textAt(resource, 'name'), amountOf(resource.nominalQuota)];
        if (count !== undefined && !CORE.has(name)) note(`ClusterQueue ${queue.name}`, `${name} on ${textAt(flavor, 'name')}`, count, true);
      }
    }
  }
  for (const tenant of set.ofKind('cdk8s-dra.dev', 'DeviceTenant')) {
    for (const devices of objectsAt(tenant.value, 'spec', 'quota', 'devices')) {
      const count = wholeAt(devices, 'count');
      if (count !== undefined) note(`tenant ${tenant.name}`, `${textAt(devices, 'deviceClassName')} on both ways`, count, false);
    }
  }
  return limits;
}

const CORE = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** As the proof of quota finds it in the present phases. */
function excessOf(set: ManifestSet, target: Target): readonly string[] {
  return quotaProblems(quotaPlan(set, target)).filter(({ severity }) => severity === 'error').map(({ message, story }) => [message, ...story].join(' '));
}

function amountOf(value: unknown): number | undefined {
  const quantity = Quantity.fromJson(value);
  return quantity instanceof Quantity ? Number(quantity.value()) : undefined;
}

import type { OwnershipPlan, PlannedTenant, QuotaLimit } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import { isLetIn, poolsByClass } from './paths';
import { IMPLICIT_PREFIX } from './resource-names';
import { bridgeOf, poolsByResource } from '../migration/bridge';
import type { PlannedMigration } from '../migration/plan';
import { classDoor } from '../migration/routing';
import { PHASES, type Phase } from '../phases';
import type { Target } from '../target';

/**
 * Proof 5: in every phase, what the quotas of a tenant's namespaces allow on the old way and by claims adds up to no more than its total.
 *
 * Devices are compared by the pools that they come from, since a unit of the old resource may be a device of any class there. What a tenant held
 * before a door closed stays held, so a way that was ever open counts.
 */
export function quotaProblems(plan: Pick<OwnershipPlan, 'migrations' | 'tenants' | 'quotas' | 'target'>): readonly OwnershipProblem[] {
  const byNamespace = new Map<string, QuotaLimit[]>();
  for (const limit of plan.quotas) byNamespace.set(limit.namespace, [...byNamespace.get(limit.namespace) ?? [], limit]);
  const [byClass, byResource] = [poolsByClass(plan.migrations), poolsByResource(plan.migrations)];
  const context = { target: plan.target, byNamespace, byClass, byResource };
  return plan.tenants
    .filter(({ spec }) => spec.quota !== undefined)
    .flatMap(tenant => sets(tenant, context).flatMap(set => problemOfSet(tenant, set, context)));
}

interface Context {
  readonly target: Target;
  readonly byNamespace: ReadonlyMap<string, readonly QuotaLimit[]>;
  readonly byClass: ReadonlyMap<string, readonly PlannedMigration[]>;
  readonly byResource: ReadonlyMap<string, readonly PlannedMigration[]>;
}

/** Classes and old resources that mean the same devices, with what a tenant may hold of them. */
interface DeviceSet {
  readonly pools: readonly PlannedMigration[];
  readonly classes: readonly string[];
  readonly resources: readonly string[];
  readonly total: number;
}

/** The classes of a tenant, those put together whose pools meet. */
function sets({ spec }: PlannedTenant, { byClass, byResource }: Context): readonly DeviceSet[] {
  const allowed = new Map((spec.quota?.devices ?? []).map(({ deviceClassName, count }) => [deviceClassName, count]));
  const done = new Set<string>();
  const found: DeviceSet[] = [];
  for (const start of [...allowed.keys()].sort()) {
    if (done.has(start) || !byClass.has(start)) continue;
    const pools = new Set<PlannedMigration>();
    const classes = new Set<string>();
    const resources = new Set<string>();
    const open = [...byClass.get(start) ?? []];
    for (let pool = open.pop(); pool !== undefined; pool = open.pop()) {
      if (pools.has(pool)) continue;
      pools.add(pool);
      for (const name of pool.spec.deviceClassNames) {
        classes.add(name);
        open.push(...byClass.get(name) ?? []);
      }
      for (const { name } of pool.spec.legacy?.resources ?? []) {
        resources.add(name);
        open.push(...byResource.get(name) ?? []);
      }
    }
    for (const name of classes) done.add(name);
    const total = [...classes].reduce((sum, name) => sum + (allowed.get(name) ?? 0), 0);
    const sorted = [...pools].sort((a, b) => (a.name < b.name ? -1 : 1));
    found.push({ pools: sorted, classes: [...classes].sort(), resources: [...resources].sort(), total });
  }
  return found;
}

function problemOfSet(tenant: PlannedTenant, set: DeviceSet, context: Context): readonly OwnershipProblem[] {
  const { source } = tenant.spec.quota ?? {};
  if (source !== 'ResourceQuota') return twoCounters(tenant, set, context);
  const now = Math.max(...set.pools.map(({ spec }) => PHASES.indexOf(spec.phase)));
  for (const [index, phase] of PHASES.entries()) {
    // Behind the present phase lies the way back, which opens nothing that is not open now.
    if (index < now) continue;
    const held = mostHeld(tenant, set, index === now ? undefined : phase, context);
    if (held.count <= set.total) continue;
    return [tooWide(tenant, set, index === now ? undefined : phase, held, index - now)];
  }
  return [];
}

/** What a tenant may come to hold, and of what that is made. */
interface Held {
  readonly count: number;
  readonly parts: readonly string[];
  readonly free: readonly string[];
}

/** `phase`: of all pools of the set, those that are further left alone; absent: as they are. */
function mostHeld({ spec }: PlannedTenant, set: DeviceSet, phase: Phase | undefined, context: Context): Held {
  const isBehind = (pool: PlannedMigration) => phase !== undefined && PHASES.indexOf(pool.spec.phase) < PHASES.indexOf(phase);
  const pools = set.pools.map(pool => (phase !== undefined && isBehind(pool) ? { name: pool.name, spec: { ...pool.spec, phase } } : pool));
  const parts: string[] = [];
  const free: string[] = [];
  let count = 0;
  const add = (namespace: string, way: Way): void => {
    const most = limitOf(context.byNamespace.get(namespace) ?? [], way.keys);
    if (most === undefined) {
      free.push(`${way.keys[0]} in ${namespace}`);
      count = Infinity;
    } else if (most > 0) {
      count += most / way.units;
      parts.push(`${most}${way.units === 1 ? '' : ` / ${way.units}`} by ${way.keys[0]} in ${namespace}`);
    }
  };
  for (const namespace of [...spec.namespaces].sort()) for (const way of waysOf(namespace, set, pools, context)) add(namespace, way);
  return { count, parts, free };
}

/** One way to devices, with the keys of a quota that count it, each by itself a limit. */
interface Way {
  readonly keys: readonly string[];
  /** Of the key for one device. */
  readonly units: number;
}

function waysOf(namespace: string, set: DeviceSet, pools: readonly PlannedMigration[], { target }: Context): readonly Way[] {
  const poolsOf = (resource: string) => pools.filter(({ spec }) => spec.legacy?.resources.some(({ name }) => name === resource));
  const bridges = set.resources.map(resource => ({ resource, bridge: bridgeOf(resource, poolsOf(resource), target) }));
  const old = bridges.map(({ resource }): Way => ({ keys: [`requests.${resource}`], units: unitsOf(resource, pools) }));
  const claims = set.classes.flatMap((name): readonly Way[] => {
    const door = classDoor(name, pools.filter(({ spec }) => spec.deviceClassNames.includes(name)));
    // Whoever may be let in with some label counts.
    const isOpen = (['safe', 'costly', 'forbidden'] as const).some(interruption => isLetIn(door, { namespace, interruption }));
    if (!isOpen) return [];
    // With the bridge open, quota counts claims of the class under the old name as well.
    const bridged = bridges.find(({ bridge }) => !('why' in bridge) && bridge.deviceClassName === name);
    const keys = [`${name}.deviceclass.resource.k8s.io/devices`, ...(target.enabled('DRAExtendedResource') ? [`requests.${IMPLICIT_PREFIX}${name}`] : [])];
    return bridged === undefined ? [{ keys, units: 1 }] : [];
  });
  return [...old, ...claims];
}

/** Of pools that disagree, the fewest units: then a unit is worth most. */
function unitsOf(resource: string, pools: readonly PlannedMigration[]): number {
  const resources = pools.flatMap(({ spec }) => spec.legacy?.resources ?? []).filter(({ name }) => name === resource);
  return Math.max(1, Math.min(...resources.map(({ unitsPerDevice = 1 }) => unitsPerDevice)));
}

function limitOf(limits: readonly QuotaLimit[], keys: readonly string[]): number | undefined {
  const amounts = limits.filter(({ key }) => keys.includes(key)).map(({ amount }) => amount);
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}

function tooWide(
  tenant: PlannedTenant, { total, pools }: DeviceSet, phase: Phase | undefined, { parts, free, count }: Held, distance: number,
): OwnershipProblem {
  const when = phase === undefined ? `in the present phase (${pools.map(({ name, spec }) => `${name} in ${spec.phase}`).join(', ')})` : `from ${phase} on`;
  return {
    code: 'DRA418',
    severity: distance === 0 ? 'error' : 'warning',
    at: { kind: 'DeviceTenant', name: tenant.name },
    path: ['spec', 'quota', 'devices'],
    message: free.length > 0
      ? `Tenant ${tenant.name} may hold ${total} devices of ${pools.map(({ name }) => name).join(', ')}, but ${when} nothing limits ${free.join(' and ')}.`
      : `Tenant ${tenant.name} may hold ${total} devices of ${pools.map(({ name }) => name).join(', ')}, but its quotas allow ${round(count)} ${when}.`,
    story: parts.length === 0 || free.length > 0 ? [] : [`They add up: ${parts.join(', ')}.`],
    help: free.length > 0
      ? 'Add the key to a ResourceQuota of the namespace; 0 closes the way.'
      : `Lower the limits until they add up to ${total}, or raise the total of the tenant. Shift the split between old resource and class in the commit that moves the phase.`,
  };
}

function twoCounters({ name, spec }: PlannedTenant, { classes, resources }: DeviceSet, { byNamespace }: Context): readonly OwnershipProblem[] {
  const keys = new Set([...resources.map(resource => `requests.${resource}`), ...classes.flatMap(one => [`${one}.deviceclass.resource.k8s.io/devices`, `requests.${IMPLICIT_PREFIX}${one}`])]);
  const limit = [...spec.namespaces].sort().flatMap(namespace => byNamespace.get(namespace) ?? []).find(({ key }) => keys.has(key));
  if (limit === undefined) return [];
  return [{
    code: 'DRA418',
    severity: 'warning',
    at: { kind: 'DeviceTenant', name },
    path: ['spec', 'quota', 'source'],
    site: limit.site,
    message: `Devices of tenant ${name} are counted by ${spec.quota?.source ?? ''} and again by the key ${limit.key} of a ResourceQuota in ${limit.namespace}: the smaller one wins, and neither tells the whole.`,
    story: [],
    help: 'Let one of them count. Remove the key, or set quota.source to ResourceQuota.',
  }];
}

function round(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

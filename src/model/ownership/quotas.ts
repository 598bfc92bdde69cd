import type { OwnershipPlan, PlannedTenant, QuotaLimit } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import { isLetIn, poolsByClass } from './paths';
import { IMPLICIT_PREFIX } from './resource-names';
import { INTERRUPTIONS, type DoorState } from '../api';
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
  const sets = deviceSets(plan.migrations, plan.target);
  return plan.tenants.flatMap(tenant => {
    const own = new Set((tenant.spec.quota?.devices ?? []).map(({ deviceClassName }) => sets.get(deviceClassName)));
    return [...own].flatMap(set => (set === undefined ? [] : problemOfSet(tenant, set, byNamespace)));
  });
}

type LimitsByNamespace = ReadonlyMap<string, readonly QuotaLimit[]>;

/** Classes and old resources that mean the same devices, since pools have both. */
class DeviceSet {
  /** Sorted by name. */
  public readonly pools: readonly PlannedMigration[];
  public readonly classes: readonly string[];
  public readonly resources: readonly string[];
  /** Place in the order of phases of the pool that is furthest. */
  public readonly now: number;
  private readonly states = new Map<Phase | undefined, SetState>();

  public constructor(pools: Iterable<PlannedMigration>, private readonly target: Target) {
    this.pools = [...pools].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.classes = [...new Set(this.pools.flatMap(({ spec }) => spec.deviceClassNames))].sort();
    this.resources = [...new Set(this.pools.flatMap(({ spec }) => spec.legacy?.resources.map(({ name }) => name) ?? []))].sort();
    this.now = Math.max(...this.pools.map(({ spec }) => PHASES.indexOf(spec.phase)));
  }

  /** With all pools in a phase, those that are further left alone; absent: as they are. The same for all tenants. */
  public state(phase: Phase | undefined): SetState {
    let state = this.states.get(phase);
    if (state === undefined) this.states.set(phase, state = this.stateIn(phase));
    return state;
  }

  private stateIn(phase: Phase | undefined): SetState {
    const isBehind = (pool: PlannedMigration) => phase !== undefined && PHASES.indexOf(pool.spec.phase) < PHASES.indexOf(phase);
    const pools = this.pools.map(pool => (phase !== undefined && isBehind(pool) ? { name: pool.name, spec: { ...pool.spec, phase } } : pool));
    const old = [...poolsByResource(pools)].sort(([a], [b]) => (a < b ? -1 : 1));
    const bridges = old.map(([resource, of]) => bridgeOf(resource, of, this.target));
    // With the bridge open, quota counts claims of the class under the old name as well.
    const counted = new Set(bridges.flatMap(bridge => ('why' in bridge ? [] : [bridge.deviceClassName])));
    const claims = [...poolsByClass(pools)].filter(([name]) => !counted.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      old: old.map(([resource, of]) => ({ keys: [`requests.${resource}`], units: unitsOf(resource, of) })),
      claims: claims.map(([name, of]) => ({ door: classDoor(name, of), way: { keys: claimKeys(name, this.target), units: 1 } })),
    };
  }
}

/** Ways to devices in one state of the pools. */
interface SetState {
  readonly old: readonly Way[];
  readonly claims: ReadonlyArray<{ readonly door: DoorState; readonly way: Way }>;
}

/** By class; those put together whose pools meet. */
function deviceSets(migrations: readonly PlannedMigration[], target: Target): ReadonlyMap<string, DeviceSet> {
  const [byClass, byResource] = [poolsByClass(migrations), poolsByResource(migrations)];
  const sets = new Map<string, DeviceSet>();
  for (const start of migrations) {
    if (sets.has(start.spec.deviceClassNames[0])) continue;
    const pools = new Set<PlannedMigration>();
    const open = [start];
    const names = new Set<string>();
    for (let pool = open.pop(); pool !== undefined; pool = open.pop()) {
      if (pools.has(pool)) continue;
      pools.add(pool);
      const resources = pool.spec.legacy?.resources.map(({ name }) => name) ?? [];
      for (const [by, of] of [[byClass, pool.spec.deviceClassNames], [byResource, resources]] as const) {
        for (const name of of) {
          if (names.has(name)) continue;
          names.add(name);
          open.push(...by.get(name) ?? []);
        }
      }
    }
    const set = new DeviceSet(pools, target);
    for (const name of set.classes) sets.set(name, set);
  }
  return sets;
}

function problemOfSet(tenant: PlannedTenant, set: DeviceSet, byNamespace: LimitsByNamespace): readonly OwnershipProblem[] {
  const { source, devices = [] } = tenant.spec.quota ?? {};
  if (source !== 'ResourceQuota') return twoCounters(tenant, set, byNamespace);
  const total = devices.filter(({ deviceClassName }) => set.classes.includes(deviceClassName)).reduce((sum, { count }) => sum + count, 0);
  for (const [index, phase] of PHASES.entries()) {
    // Behind the present phase lies the way back, which opens nothing that is not open now.
    if (index < set.now) continue;
    const when = index === set.now ? undefined : phase;
    const held = mostHeld(tenant, set.state(when), byNamespace);
    if (held.count > total) return [tooWide(tenant, { set, total, when }, held)];
  }
  return [];
}

/** What a tenant may come to hold, and of what that is made. */
interface Held {
  readonly count: number;
  readonly parts: readonly string[];
  readonly free: readonly string[];
}

function mostHeld({ spec }: PlannedTenant, state: SetState, byNamespace: LimitsByNamespace): Held {
  const parts: string[] = [];
  const free: string[] = [];
  let count = 0;
  for (const namespace of [...spec.namespaces].sort()) {
    for (const { keys, units } of waysOf(namespace, state)) {
      const most = limitOf(byNamespace.get(namespace) ?? [], keys);
      if (most === undefined) {
        free.push(`${keys[0]} in ${namespace}`);
        count = Infinity;
      } else if (most > 0) {
        count += most / units;
        parts.push(`${most}${units === 1 ? '' : ` / ${units}`} by ${keys[0]} in ${namespace}`);
      }
    }
  }
  return { count, parts, free };
}

/** One way to devices, with the keys of a quota that count it, each by itself a limit. */
interface Way {
  readonly keys: readonly string[];
  /** Of the key for one device. */
  readonly units: number;
}

function waysOf(namespace: string, { old, claims }: SetState): readonly Way[] {
  // Whoever may be let in with some label counts.
  const isOpen = (door: DoorState) => INTERRUPTIONS.some(interruption => isLetIn(door, { namespace, interruption }));
  return [...old, ...claims.filter(({ door }) => isOpen(door)).map(({ way }) => way)];
}

function claimKeys(name: string, target: Target): readonly string[] {
  const implicit = target.enabled('DRAExtendedResource') ? [`requests.${IMPLICIT_PREFIX}${name}`] : [];
  return [`${name}.deviceclass.resource.k8s.io/devices`, ...implicit];
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

interface Allowance {
  readonly set: DeviceSet;
  readonly total: number;
  /** Absent: now. */
  readonly when: Phase | undefined;
}

function tooWide(tenant: PlannedTenant, { set: { pools }, total, when: phase }: Allowance, { parts, free, count }: Held): OwnershipProblem {
  const when = phase === undefined ? `in the present phase (${pools.map(({ name, spec }) => `${name} in ${spec.phase}`).join(', ')})` : `from ${phase} on`;
  return {
    code: 'DRA418',
    severity: phase === undefined ? 'error' : 'warning',
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

function twoCounters({ name, spec }: PlannedTenant, { classes, resources }: DeviceSet, byNamespace: LimitsByNamespace): readonly OwnershipProblem[] {
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

import { bridges } from './bridge';
import { countedName, deviceClassMappings, flavorNames, KUEUE_API, KUEUE_LIMITS, type KueueJson } from './kueue';
import { canBeServed } from './path-choice';
import type { PlannedMigration } from './plan';
import { mostDraNodes } from '../phases/node-count';
import { describeProblem, type Problem } from '../problem';
import type { Target } from '../target';

/** Devices of pools, and what each of Kueue's queues may hold of them. */
export interface QueuePlan {
  readonly pools: readonly CountedPool[];
  readonly queues: readonly CountedQueue[];
}

/** How many devices a pool has, which no manifest says. */
export interface CountedPool {
  /** Name of its migration. */
  readonly pool: string;
  readonly nodes: number;
  readonly devicesPerNode: number;
  /** Nodes that are DRA's by now, in the phase in which the pool stands; absent: as many as the phase allows. */
  readonly draNodes?: number;
}

/** A ClusterQueue. */
export interface CountedQueue {
  readonly name: string;
  /** Whole devices by pool, on both ways together. */
  readonly devices: { readonly [pool: string]: number };
  /** Fields of its spec beside the groups of devices; groups of what is no device among them. */
  readonly spec: KueueJson;
}

/** What one queue may hold of a pool, on both ways together, in whole devices. */
export interface QueueShare {
  readonly queue: string;
  readonly devices: number;
}

/** The same, by way. */
export interface SplitShare extends QueueShare {
  readonly legacy: number;
  readonly dra: number;
}

/**
 * Divides the shares of a pool between its two ways, when so many of its devices belong to DRA.
 *
 * The sum of a queue never changes, and the sums of the ways are what the pool has. Largest remainders first, then by name, so that
 * two queues of one size differ by one device at most and moving one node moves quota of few queues.
 */
export function splitQuota(shares: readonly QueueShare[], draDevices: number): readonly SplitShare[] {
  const total = shares.reduce((sum, { devices }) => sum + devices, 0);
  const wanted = Math.min(Math.max(Math.floor(draDevices), 0), total);
  const exact = shares.map(({ devices }) => (total === 0 ? 0 : (devices * wanted) / total));
  const dra = exact.map(Math.floor);
  const left = wanted - dra.reduce((sum, part) => sum + part, 0);
  const order = shares.map((share, index) => ({ index, name: share.queue, rest: (exact[index] ?? 0) - (dra[index] ?? 0) }))
    .sort((a, b) => b.rest - a.rest || (a.name < b.name ? -1 : 1));
  for (const { index } of order.slice(0, left)) dra[index] = (dra[index] ?? 0) + 1;
  return shares.map((share, index) => ({ ...share, legacy: share.devices - (dra[index] ?? 0), dra: dra[index] ?? 0 }));
}

/** Shares of the queues in a pool, by way, sorted by queue; queues without a share are left out. */
export function poolShares(
  plan: QueuePlan, pool: PlannedMigration, migrations: readonly PlannedMigration[], target: Target,
): readonly SplitShare[] {
  const counted = plan.pools.find(each => each.pool === pool.name);
  if (counted === undefined) return [];
  const shares = plan.queues.flatMap(({ name, devices }) => (devices[pool.name] === undefined ? [] : [{ queue: name, devices: devices[pool.name] }]));
  return splitQuota(shares.sort((a, b) => (a.queue < b.queue ? -1 : 1)), devicesOfDra(counted, pool, migrations, target));
}

/**
 * Devices of a pool that are counted as DRA's: those on its nodes, or all where a class serves the old names.
 *
 * From then on Kueue counts a request for an old name as one for the class, wherever the pod will run.
 */
function devicesOfDra(counted: CountedPool, pool: PlannedMigration, migrations: readonly PlannedMigration[], target: Target): number {
  const { nodes, devicesPerNode, draNodes } = counted;
  const resources = pool.spec.legacy?.resources.map(({ name }) => name) ?? [];
  const served = new Set(bridges(migrations, target).open.map(({ resource }) => resource));
  if (resources.length > 0 && resources.every(name => served.has(name))) return nodes * devicesPerNode;
  return (draNodes ?? mostDraNodes(pool.spec, nodes)) * devicesPerNode;
}

/** The ClusterQueues of a plan in the phases that its pools stand in, sorted by name. */
export function clusterQueues(plan: QueuePlan, migrations: readonly PlannedMigration[], target: Target): readonly KueueJson[] {
  const pools = migrations.filter(({ name }) => plan.pools.some(({ pool }) => pool === name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const shares = new Map(pools.map(pool => [pool.name, poolShares(plan, pool, migrations, target)]));
  return [...plan.queues].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, spec: { resourceGroups = [], ...spec } }) => {
    const own = pools.flatMap(pool => (shares.get(pool.name) ?? []).filter(({ queue }) => queue === name).map(share => ({ pool, share })));
    return {
      apiVersion: KUEUE_API,
      kind: 'ClusterQueue',
      metadata: { name },
      spec: { ...spec, resourceGroups: [...resourceGroups as readonly unknown[], ...resourceGroupsOf(own)] },
    };
  });
}

/** What a queue has of one pool. */
export interface PoolShare {
  readonly pool: PlannedMigration;
  readonly share: SplitShare;
}

/**
 * `spec.resourceGroups` of a queue; a group for each way, as one request never takes both.
 *
 * Kueue takes a resource in one group only, where each flavor lists every resource of the group: pools with an old name in common share theirs.
 */
export function resourceGroupsOf(shares: readonly PoolShare[]): readonly KueueJson[] {
  const legacy = together(shares).flatMap((of) => {
    const covered = namesOf(of);
    return covered.length === 0 ? [] : [{
      coveredResources: covered,
      flavors: of.map(({ pool: { name, spec }, share }) => ({
        name: flavorNames(name).legacy,
        resources: covered.map((resource) => {
          const own = spec.legacy?.resources.find(each => each.name === resource);
          return { name: resource, nominalQuota: own === undefined ? 0 : share.legacy * (own.unitsPerDevice ?? 1) };
        }),
      })),
    }];
  });
  const dra = shares.map(({ pool: { name }, share }) => ({
    coveredResources: [countedName(name)],
    flavors: [{ name: flavorNames(name).dra, resources: [{ name: countedName(name), nominalQuota: share.dra }] }],
  }));
  return [...legacy, ...dra];
}

/** Pools put together whose old names meet. */
function together(shares: readonly PoolShare[]): ReadonlyArray<readonly PoolShare[]> {
  let groups: PoolShare[][] = [];
  for (const share of shares) {
    const meets = groups.filter(group => namesOf(group).some(name => namesOf([share]).includes(name)));
    groups = [...groups.filter(group => !meets.includes(group)), [...meets.flat(), share]];
  }
  return groups;
}

function namesOf(shares: readonly PoolShare[]): readonly string[] {
  return [...new Set(shares.flatMap(({ pool: { spec } }) => spec.legacy?.resources.map(({ name }) => name) ?? []))].sort();
}

/** Fields of Kueue's configuration that count devices of these pools; the same in every phase. */
export function kueueConfiguration(migrations: readonly PlannedMigration[], target: Target): KueueJson {
  const served = migrations.some(({ spec }) => spec.legacy?.resources.some(({ name }) => canBeServed(name, migrations, target)) === true);
  return {
    // Off by default in Kueue; the second counts an old name that a class serves as the class.
    featureGates: { DynamicResourceAllocation: true, ...(served ? { DRAExtendedResources: true } : {}) },
    resources: { deviceClassMappings: deviceClassMappings(migrations) },
  };
}

/** Why the numbers of a plan cannot be, a sentence each. */
export function queuePlanMistakes(plan: QueuePlan, migrations: readonly PlannedMigration[]): readonly string[] {
  const mistakes = plan.pools.flatMap(counted => poolMistakes(counted, migrations.find(({ name }) => name === counted.pool)));
  for (const name of repeated(plan.pools.map(({ pool }) => pool))) mistakes.push(`Pool ${name} is given twice. Keep one of them.`);
  for (const name of repeated(plan.queues.map(queue => queue.name))) mistakes.push(`ClusterQueue ${name} is given twice. Put its shares into one.`);
  for (const { name, devices, spec } of plan.queues) {
    for (const [pool, share] of Object.entries(devices)) {
      if (!isWhole(share)) mistakes.push(describeProblem(`devices of ${pool} in queue ${name}`, share, WHOLE));
      if (!plan.pools.some(counted => counted.pool === pool)) {
        mistakes.push(`Queue ${name} has a share of pool ${pool}, whose number of devices is not given. Add it to 'pools'.`);
      }
    }
    const legacy = migrations.filter(migration => devices[migration.name] !== undefined).map(pool => ({ pool, share: NOTHING }));
    const groups = resourceGroupsOf(legacy).length + (Array.isArray(spec.resourceGroups) ? spec.resourceGroups.length : 0);
    if (groups > KUEUE_LIMITS.resourceGroups) {
      mistakes.push(`Queue ${name} needs ${groups} resource groups, and a ClusterQueue has at most ${KUEUE_LIMITS.resourceGroups}. Give it shares of fewer pools.`);
    }
  }
  for (const { pool, nodes, devicesPerNode } of plan.pools) {
    const shared = plan.queues.reduce((sum, { devices }) => sum + (devices[pool] ?? 0), 0);
    if (shared > nodes * devicesPerNode) {
      mistakes.push(`The queues may hold ${shared} devices of pool ${pool}, which has ${nodes * devicesPerNode} (${nodes} nodes with ${devicesPerNode} each). `
        + 'Lower their shares; queues of one cohort lend each other what they do not use.');
    }
  }
  return mistakes;
}

function poolMistakes({ pool, nodes, devicesPerNode, draNodes }: CountedPool, migration: PlannedMigration | undefined): string[] {
  const numbers = { nodes, devicesPerNode, ...(draNodes === undefined ? {} : { draNodes }) };
  const mistakes = Object.entries(numbers).filter(([, value]) => !isWhole(value)).map(([name, value]) => describeProblem(`${name} of pool ${pool}`, value, WHOLE));
  if (mistakes.length > 0 || migration === undefined || draNodes === undefined) return mistakes;
  const most = mostDraNodes(migration.spec, nodes);
  return draNodes <= most ? [] : [
    `draNodes of pool ${pool} must be at most ${most}, got ${draNodes}: in ${migration.spec.phase} no more of its ${nodes} nodes may be DRA's. Move the phase first, or leave it out.`,
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}

function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

const WHOLE: Problem = { rule: 'must be a whole number from 0', help: 'Write how many there are.' };
const NOTHING: SplitShare = { queue: '', devices: 0, legacy: 0, dra: 0 };

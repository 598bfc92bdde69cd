import type { NodeReach, OwnershipPlan, Wish, Workload } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import type { DoorState } from '../api';
import { conditionsOf, labelsMeeting } from '../label-selector';
import type { LabelCondition } from '../label-selector';
import { bridgeOf, poolsByResource } from '../migration/bridge';
import type { PlannedMigration } from '../migration/plan';
import { classDoor } from '../migration/routing';
import { ownerLabel } from '../node-contract';
import { isAtLeast, mostDraNodes, PHASES } from '../phases';
import { PHASE_TABLE } from '../phases/phase-table';
import type { Target } from '../target';

/**
 * Proof 4: what a workload asks for has a door that lets it in and nodes that offer it, now and after the next promotion of any one pool.
 *
 * Later phases are each the next one once; going back opens old doors only.
 */
export function pathProblems(plan: Pick<OwnershipPlan, 'migrations' | 'workloads' | 'target'>): readonly OwnershipProblem[] {
  const byClass = poolsByClass(plan.migrations);
  const byResource = new Map([...poolsByResource(plan.migrations)].map(([name, pools]) => [name, new OldResource(plan.target, name, pools)]));
  return plan.workloads.flatMap(workload => [
    ...workload.classes.flatMap(wish => classProblem(workload, wish, byClass.get(wish.name))),
    ...workload.classes.flatMap(wish => ownerProblem(workload, wish, byClass.get(wish.name), 'dra')),
    ...workload.resources.flatMap(wish => resourceProblem(workload, wish, byResource.get(wish.name))),
    ...workload.resources.flatMap(wish => {
      const resource = byResource.get(wish.name);
      return resource?.isBridged === true ? [] : ownerProblem(workload, wish, resource?.pools, 'device-plugin');
    }),
    ...workload.resources.flatMap(wish => bothWaysProblem(workload, wish, byResource.get(wish.name), byClass)),
  ]);
}

/** The migrations whose pools have devices of each class. */
export function poolsByClass(migrations: readonly PlannedMigration[]): ReadonlyMap<string, readonly PlannedMigration[]> {
  const pools = new Map<string, PlannedMigration[]>();
  for (const migration of migrations) {
    for (const name of new Set(migration.spec.deviceClassNames)) {
      const of = pools.get(name);
      if (of === undefined) pools.set(name, [migration]);
      else of.push(migration);
    }
  }
  return pools;
}

/** Whether a door lets a workload in; a namespace that is left open by the manifest is let in. */
export function isLetIn(door: DoorState, { namespace, interruption }: Pick<Workload, 'namespace' | 'interruption'>): boolean {
  if (door.door === 'Closed') return false;
  const isAllowed = door.namespaces === undefined || namespace === '' || door.namespaces.includes(namespace);
  return isAllowed && (door.interruptions === undefined || door.interruptions.includes(interruption));
}

function classProblem(workload: Workload, wish: Wish, pools: readonly PlannedMigration[] | undefined): readonly OwnershipProblem[] {
  if (pools === undefined) return [];
  const door = classDoor(wish.name, pools);
  if (isLetIn(door, workload)) return [];
  return [{
    code: 'DRA416',
    severity: 'error',
    at: { kind: 'DeviceMigration', name: pools[0].name },
    path: wish.path,
    site: { object: workload.site.object, path: wish.path },
    message: `${nameOf(workload)} asks for class ${wish.name}, whose door does not let it in: the API server refuses it.`,
    story: [door.message],
    help: `Ask for what is open today, change the workload${door.namespaces === undefined ? '' : ' or canary.namespaces'}, or move the pool on first.`,
  }];
}

/**
 * A pod that asks for devices on one way, and whose node selector or affinity lets it run on nodes of the other way only.
 *
 * The owner label says it for certain. Of other labels it is not known which nodes outside of the migrations have them, and devices.
 */
function ownerProblem(
  workload: Workload, { name, path, isAlternative }: Wish, pools: readonly PlannedMigration[] | undefined, owner: 'dra' | 'device-plugin',
): readonly OwnershipProblem[] {
  const families = new Set(pools?.map(({ spec }) => spec.family));
  const [family] = families;
  if (pools === undefined || family === undefined || families.size > 1 || isAlternative === true) return [];
  const key = ownerLabel(family);
  const right: readonly LabelCondition[] = [{ key, operator: 'In', values: [owner] }];
  const none: readonly LabelCondition[] = [{ key, operator: 'DoesNotExist' }];
  // A term that no node meets says nothing about owners.
  const terms = workload.reach.filter(term => labelsMeeting(term) !== undefined);
  if (terms.length === 0 || terms.some(term => [right, none].some(label => labelsMeeting([...term, ...label]) !== undefined))) return [];
  const what = owner === 'dra' ? `class ${name}` : name;
  return [{
    code: 'DRA416',
    severity: 'warning',
    at: { kind: 'DeviceMigration', name: pools[0].name },
    path,
    site: { object: workload.site.object, path },
    message: `${nameOf(workload)} asks for ${what}, and its node selector or affinity leaves no node with ${key}=${owner}, where alone that is to be had: its pod waits for ever.`,
    story: [],
    help: `Take ${key} out of its node selector and affinity, or ask ${owner === 'dra' ? 'for the resource of the device plugin' : 'by claim'}.`,
  }];
}

/** A pod that asks for devices of one family by claim and by a resource that no class serves: a node has the plugin or the driver, never both. */
function bothWaysProblem(
  workload: Workload, wish: Wish, resource: OldResource | undefined, byClass: ReadonlyMap<string, readonly PlannedMigration[]>,
): readonly OwnershipProblem[] {
  if (resource === undefined || resource.isBridged) return [];
  const { family } = resource.pools[0].spec;
  const isOfFamily = (pools: readonly PlannedMigration[]) => pools.length > 0 && pools.every(({ spec }) => spec.family === family);
  const claimed = workload.classes.filter(({ name }) => isOfFamily(byClass.get(name) ?? []));
  if (claimed.length === 0 || !isOfFamily(resource.pools)) return [];
  return [{
    code: 'DRA416',
    // Another class may be an alternative that leaves this one unused, also one of no migration.
    severity: claimed.length === workload.classes.length && claimed.some(({ isAlternative }) => isAlternative !== true) ? 'error' : 'warning',
    at: { kind: 'DeviceMigration', name: resource.pools[0].name },
    path: wish.path,
    site: { object: workload.site.object, path: wish.path },
    message: `${nameOf(workload)} asks for ${wish.name} and, by claim, for class ${claimed[0].name}: no node offers both, so its pod waits for ever.`,
    story: [`A node has the device plugin or the DRA driver of family ${family}, never both.`],
    help: `Take ${wish.name} out of its containers, or the claim.`,
  }];
}

/** How a resource is served to a workload in a state of the pools. */
type ResourcePath = 'ok' | 'door' | 'nodes' | 'floor';

/** An old resource, with what the next promotion of each of its pools would change; worked out once for all workloads. */
class OldResource {
  private readonly now: SharedState;
  private readonly next = new Map<PlannedMigration, SharedState>();

  public constructor(public readonly target: Target, public readonly name: string, public readonly pools: readonly PlannedMigration[]) {
    this.now = this.stateOf(pools);
  }

  /** Whether a class serves the resource, so that nodes of DRA have it too. */
  public get isBridged(): boolean {
    return this.now.isBridged;
  }

  /** What a workload that may run on these pools of the resource finds. */
  public path(within: readonly PlannedMigration[]): ResourcePath {
    return pathIn(this.now, within);
  }

  /** The first pool whose promotion takes the path away, with the pools as they are then. */
  public lostByPromotion(within: readonly PlannedMigration[]): { readonly promoted: PlannedMigration; readonly pools: readonly PlannedMigration[]; readonly path: Exclude<ResourcePath, 'ok'> } | undefined {
    const keepers = within.filter(keepsPlugin);
    for (const promoted of within) {
      let state = this.next.get(promoted);
      if (state === undefined) this.next.set(promoted, state = this.stateOf(promote(this.pools, promoted)));
      // While another pool keeps nodes with the plugin, only the door can close.
      const keeper = keepers.find(one => !movesWith(one, promoted));
      const path = pathIn(state, keeper === undefined ? promote(within, promoted) : [keeper]);
      if (path !== 'ok') return { promoted, pools: promote(this.pools, promoted), path };
    }
    return undefined;
  }

  private stateOf(pools: readonly PlannedMigration[]): SharedState {
    return {
      isBridged: !('why' in bridgeOf(this.name, pools, this.target)),
      isClosed: pools.every(({ spec }) => PHASE_TABLE[spec.phase].legacyDoor === 'Closed'),
    };
  }
}

/** What all workloads that ask for a resource share. */
interface SharedState {
  readonly isBridged: boolean;
  readonly isClosed: boolean;
}

function pathIn({ isBridged, isClosed }: SharedState, within: readonly PlannedMigration[]): ResourcePath {
  if (isBridged) return 'ok';
  if (isClosed) return 'door';
  if (within.every(({ spec }) => PHASE_TABLE[spec.phase].nodes === 'all')) return 'nodes';
  return within.some(keepsPlugin) ? 'ok' : 'floor';
}

/** A group moves at once. */
function movesWith({ name, spec }: PlannedMigration, promoted: PlannedMigration): boolean {
  return name === promoted.name || (spec.group !== undefined && spec.group === promoted.spec.group);
}

function promote(pools: readonly PlannedMigration[], promoted: PlannedMigration): readonly PlannedMigration[] {
  const phase = PHASES[PHASES.indexOf(promoted.spec.phase) + 1] ?? promoted.spec.phase;
  return pools.map(pool => (movesWith(pool, promoted) ? { name: pool.name, spec: { ...pool.spec, phase } } : pool));
}

function resourceProblem(workload: Workload, wish: Wish, resource: OldResource | undefined): readonly OwnershipProblem[] {
  if (resource === undefined) return [];
  const isAnywhere = workload.reach.some(term => term.length === 0);
  const within = isAnywhere ? resource.pools : resource.pools.filter(({ spec }) => canRunOn(workload.reach, spec.nodes));
  // It asks for nodes that no migration has.
  if (within.length === 0) return [];
  const now = resource.path(within);
  if (now !== 'ok') return [resourceText(resource.target, workload, wish, resource.pools, now)];
  const lost = resource.lostByPromotion(within);
  return lost === undefined ? [] : [resourceText(resource.target, workload, wish, lost.pools, lost.path, lost.promoted)];
}

/** Whether some node of a large enough pool stays with the device plugin. */
function keepsPlugin({ spec }: PlannedMigration): boolean {
  return mostDraNodes(spec, LARGE_POOL) < LARGE_POOL;
}

/** More nodes than any number in a spec. */
const LARGE_POOL = 100_000_000;

function canRunOn(reach: NodeReach, nodes: PlannedMigration['spec']['nodes']): boolean {
  const conditions = conditionsOf(nodes);
  return reach.some(term => labelsMeeting([...term, ...conditions]) !== undefined);
}

function resourceText(
  target: Target, workload: Workload, wish: Wish, pools: readonly PlannedMigration[], path: Exclude<ResourcePath, 'ok'>, promoted?: PlannedMigration,
): OwnershipProblem {
  const bridge = bridgeOf(wish.name, pools, target);
  const where = pools.map(({ name, spec }) => `${name} in ${spec.phase}`).join(', ');
  const when = promoted === undefined ? '' : ` once pool ${promoted.name} is promoted`;
  const what = {
    door: `finds a closed door${when}: all pools of the resource are past Expand (${where})`,
    nodes: `finds no node${when}: those that it may run on are all DRA's (${where})`,
    floor: `may find no node${when}: nothing keeps a node with the device plugin (${where})`,
  }[path];
  const classes = [...new Set(pools.flatMap(({ spec }) => spec.deviceClassNames))].sort().join(' or ');
  return {
    code: path === 'floor' ? 'DRA417' : 'DRA416',
    severity: promoted === undefined && path !== 'floor' ? 'error' : 'warning',
    at: { kind: 'DeviceMigration', name: (promoted ?? pools[0]).name },
    path: wish.path,
    site: { object: workload.site.object, path: wish.path },
    message: `${nameOf(workload)} asks for ${wish.name} and ${what}.`,
    story: 'why' in bridge ? [`No class serves ${wish.name}: ${bridge.why}.`] : [],
    help: path === 'floor' && pools.some(({ spec }) => !isAtLeast(spec.phase, 'AllWorkloads'))
      ? `Set expand.legacyFloor to the nodes that such work needs, or change the workload to a claim for class ${classes}.`
      : `Change the workload to a claim for class ${classes} first.`,
  };
}

function nameOf({ site: { object }, namespace }: Workload): string {
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${object.name}`;
}

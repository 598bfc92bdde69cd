import { isExpired } from './hold-plan';
import type { PlannedMigration, StandingHold } from './plan';
import type { DeviceUse, NodeUse } from './pool-use';
import type { ReadPlan } from './read-plan';
import { routePlan } from './route-plan';
import { waitingFor, waitingWork } from './waiting-work';
import type { DeviceMigrationStatus } from '../api';
import { formatPath } from '../manifests/manifest';
import { fieldThatMovesNone, nodeCountProblem, nodesOf } from '../phases/node-count';
import { isAtLeast, PHASES } from '../phases/phase';
import type { Phase } from '../phases/phase';
import { PHASE_TABLE } from '../phases/phase-table';
import type { Target } from '../target';
import type { ClusterView } from '../view';
import { field } from '../view/json-field';

/** Units or devices; what is not known to be free counts as used. */
export interface InUse {
  readonly used: number;
  readonly total: number;
}

/** Where a pool stands, from the objects of the cluster, with a controller or without. */
export interface PoolStatus {
  readonly pool: string;
  readonly family: string;
  readonly target: Phase;
  /** Undefined where neither a controller nor a node tells. */
  readonly actual?: Phase;
  /** Whether no controller says so, and it was read off the nodes. */
  readonly isDerived: boolean;
  readonly nodes: { readonly total: number; readonly devicePlugin: number; readonly handover: number; readonly dra: number };
  readonly legacy: InUse;
  readonly dra: InUse;
  readonly holds: readonly string[];
  readonly waitingOn: readonly string[];
  /** RFC 3339; '' when unknown. */
  readonly since: string;
  readonly next: string;
  /** Why devices may be given twice, a sentence each. */
  readonly twoOwners: readonly string[];
  /** Nodes whose devices all count as held, with the reason. */
  readonly unknown: readonly string[];
  /** Nodes, sorted; for machines. */
  readonly byNode: readonly NodeUse[];
}

/** What is wrong beside single pools, a sentence each. */
export interface StatusReport {
  readonly pools: readonly PoolStatus[];
  readonly problems: readonly string[];
  /** Whether DeviceRouting and the names on classes are as the migrations say. */
  readonly doors: string;
}

/** `now` in milliseconds since 1970. */
export function poolStatuses(view: ClusterView, plan: ReadPlan, use: DeviceUse, target: Target, now: number): StatusReport {
  const { migrations, holds, mistakes } = plan;
  const waiting = waitingWork(view);
  const blind = (['Pod', 'ResourceClaim', 'ResourceSlice', 'Node'] as const).filter(kind => !view.isKnown(kind) && view.collection !== undefined);
  const pools = migrations.map(migration => {
    const status = (field(view.find('DeviceMigration', '', migration.name)?.value, 'status') ?? {}) as DeviceMigrationStatus;
    const ofPool = holds.filter(({ spec }) => spec.migration === migration.name);
    return poolStatus(migration, status, ofPool, use.ofPool(migration), waitingFor(waiting, migration), blind, now);
  });
  return {
    pools,
    doors: doorsText(view, plan, target),
    problems: [
      ...mistakes,
      ...overlaps(pools),
      ...holds.filter(({ spec }) => !migrations.some(({ name }) => name === spec.migration)).map(({ name, spec }) => `Hold ${name} names pool ${spec.migration}, which is gone, and still stops ${[
        ...spec.classes ?? [], ...spec.resources ?? [], ...spec.fence?.map(({ driver }) => `driver ${driver}`) ?? [],
      ].join(', ') || 'nothing'}. End it: kubectl-dra release ${spec.migration}`),
      ...holds.filter(hold => isExpired(hold, now)).map(({ name, spec }) => `Hold ${name} of pool ${spec.migration} expired at ${spec.expiresAt} and still holds, since admission has no clock. End it: kubectl-dra release ${spec.migration} --name ${name}`),
    ],
  };
}

function poolStatus(
  migration: PlannedMigration, status: DeviceMigrationStatus, holds: readonly StandingHold[], nodes: readonly NodeUse[], waiting: readonly string[],
  blind: readonly string[], now: number,
): PoolStatus {
  const { name, spec } = migration;
  const count = (owner: NodeUse['owner']) => nodes.filter(node => node.owner === owner).length;
  const counts = { total: nodes.length, devicePlugin: count('device-plugin'), handover: count('handover'), dra: count('dra') };
  const isDerived = status.phase === undefined || !PHASES.includes(status.phase);
  const actual = isDerived ? phaseOf(migration, counts) : status.phase;
  const twoOwners = nodes.flatMap(node => node.twoOwners);
  const still = fieldThatMovesNone(spec, nodes.length);
  const movesNone = still === undefined ? undefined : formatPath(still);
  const unknown = nodes.flatMap(node => (node.unknown === undefined ? [] : [`${node.name}: ${node.unknown}`]));
  const amount = (way: 'legacy' | 'dra') => nodes.reduce<InUse>((sum, node) => ({
    used: sum.used + (node.unknown !== undefined || blind.length > 0 ? node[way].total : node[way].used),
    total: sum.total + node[way].total,
  }), { used: 0, total: 0 });
  return {
    pool: name,
    family: spec.family,
    target: spec.phase,
    ...(actual === undefined ? {} : { actual }),
    isDerived,
    nodes: counts,
    legacy: amount('legacy'),
    dra: amount('dra'),
    holds: holds.map(hold => hold.name),
    waitingOn: [
      ...holds.map(({ name: hold, spec: { by, reason, level } }) => `${hold} (${level}) by ${by ?? 'somebody'}: ${reason}`),
      ...(status.waitingOn ?? []),
      ...(movesNone === undefined ? [] : [`${movesNone} leaves DRA no node`]),
      ...(counts.handover > 0 ? [`${counts.handover} of ${counts.total} nodes change owner`] : []),
      ...(waiting.length > 0 ? [`${waiting.length} ${waiting.length === 1 ? 'pod waits' : 'pods wait'} for devices`] : []),
      ...(unknown.length > 0 ? [`${unknown.length} nodes that cannot be read count as held`] : []),
      ...blind.map(kind => `${kind}: may not be read, so all devices count as held`),
    ],
    since: status.since ?? holds.map(({ since }) => since).sort()[0] ?? '',
    next: nextOf(migration, actual, holds, twoOwners, movesNone, status, now),
    twoOwners,
    unknown,
    byNode: nodes,
  };
}

/** The phase that the owners of the nodes show; never further than the target, unless the pool is on its way back. */
function phaseOf({ spec }: PlannedMigration, { total, handover, dra }: PoolStatus['nodes']): Phase | undefined {
  if (total === 0) return undefined;
  if (dra + handover === 0) return isAtLeast(spec.phase, 'Observe') ? 'Observe' : 'Legacy';
  if (dra === total && isAtLeast(spec.phase, 'Canary')) return spec.phase;
  const canary = spec.canary === undefined || nodeCountProblem(spec.canary.nodes) !== undefined ? 0 : nodesOf(spec.canary.nodes, total);
  return dra + handover <= canary && !isAtLeast(spec.phase, 'Expand') || spec.phase === 'Canary' ? 'Canary' : 'Expand';
}

/** The one command or step that a person would take now. */
function nextOf(
  { name, spec }: PlannedMigration, actual: Phase | undefined, holds: readonly StandingHold[], twoOwners: readonly string[],
  movesNone: string | undefined, status: DeviceMigrationStatus, now: number,
): string {
  if (twoOwners.length > 0 && !holds.some(hold => hold.spec.level !== 'Door')) return `kubectl-dra hold ${name} --level Allocation --reason '…'`;
  if (twoOwners.length > 0) return 'end one way on the nodes named above';
  const over = holds.find(hold => isExpired(hold, now));
  if (over) return `kubectl-dra release ${name} --name ${over.name}`;
  if (holds.some(hold => hold.spec.level === 'Rollback')) return 'give its nodes back as they empty';
  if (holds.length > 0) return `kubectl-dra release ${name}, when it is over`;
  if (status.next !== undefined && status.next !== '') return status.next;
  if (actual === undefined) return 'look at spec.nodes: no node is known that it selects';
  if (PHASES.indexOf(actual) > PHASES.indexOf(spec.phase)) return 'give nodes back as they empty';
  if (movesNone !== undefined) return `change ${movesNone}, so that nodes move`;
  if (actual !== spec.phase) return PHASE_TABLE[spec.phase].nodes === 'none' ? 'nothing' : 'hand over nodes';
  const following = PHASES[PHASES.indexOf(spec.phase) + 1];
  return following === undefined ? 'nothing: it is done' : `phase ${following} in Git, when the gates hold`;
}

/** Without a controller nobody else notices that a promotion or a new template has not reached the doors. */
function doorsText(view: ClusterView, { migrations, holds, mistakes }: ReadPlan, target: Target): string {
  const unread = (['DeviceRouting', 'DeviceClass', 'ResourceClaimTemplate', 'Node', 'ResourceSlice'] as const).filter(kind => !view.isKnown(kind));
  if (unread.length > 0 || mistakes.length > 0) return `Whether they are as the migrations say is not known${unread.length === 0 ? '' : ` without ${unread.join(', ')}`}.`;
  const { changes, steps } = routePlan(view, migrations, holds, target);
  if (steps.length === 0) return 'As the migrations say.';
  const closing = changes.filter(({ effect }) => effect === 'closes').length;
  return `${changes.length} ${changes.length === 1 ? 'differs' : 'differ'} from what the migrations say, ${closing} of them to close: kubectl-dra route`;
}

/** A node of two pools of a family has two plans for its devices. */
function overlaps(pools: readonly PoolStatus[]): readonly string[] {
  const owners = new Map<string, string[]>();
  for (const { pool, family, byNode } of pools) {
    for (const { name } of byNode) {
      const known = owners.get(`${family} ${name}`);
      if (known) known.push(pool);
      else owners.set(`${family} ${name}`, [pool]);
    }
  }
  return [...owners].filter(([, names]) => names.length > 1).map(([key, names]) => `Node ${key.slice(key.indexOf(' ') + 1)} is in pools ${names.join(' and ')} of family ${key.slice(0, key.indexOf(' '))}: two plans for its devices. Make their selectors disjoint.`).sort();
}

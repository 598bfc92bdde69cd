import type { OwnershipProblem } from './ownership-problem';
import { conditionsOf, meets, type Labels } from '../label-selector';
import type { PlannedMigration } from '../migration/plan';
import { ownerLabel } from '../node-contract';
import { mostDraNodes, nodesOf } from '../phases/node-count';
import type { ClusterView } from '../view/cluster-view';
import { objectsAt, quantitiesAt, textAt, textMapAt } from '../view/json-field';

/**
 * What a real cluster says against a plan: assumptions that do not hold, pools without nodes, numbers that a pool cannot meet, owners that no phase
 * allows, and devices that are offered twice. Nothing where the view knows of no nodes.
 */
export function snapshotProblems(migrations: readonly PlannedMigration[], view: ClusterView): readonly OwnershipProblem[] {
  const nodes = view.all('Node').map(({ name, value }): PoolNode => ({ name, labels: textMapAt(value, 'metadata', 'labels'), allocatable: quantitiesAt(value, 'status', 'allocatable') }));
  if (nodes.length === 0) return [];
  const pools = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1)).map((migration): PoolWithNodes => {
    const conditions = conditionsOf(migration.spec.nodes);
    return { migration, nodes: nodes.filter(({ labels }) => meets(labels, conditions)) };
  });
  const offered = offeredDevices(view);
  return [...overlaps(pools), ...pools.flatMap(pool => [...empty(pool), ...counts(pool), ...owners(pool), ...offeredTwice(pool, offered)])];
}

interface PoolNode {
  readonly name: string;
  readonly labels: Labels;
  readonly allocatable: ReturnType<typeof quantitiesAt>;
}

interface PoolWithNodes {
  readonly migration: PlannedMigration;
  readonly nodes: readonly PoolNode[];
}

/** Devices in slices, by `driver node`. */
function offeredDevices(view: ClusterView): ReadonlyMap<string, number> {
  const devices = new Map<string, number>();
  for (const { value } of view.all('ResourceSlice')) {
    const key = `${textAt(value, 'spec', 'driver')} ${textAt(value, 'spec', 'nodeName')}`;
    devices.set(key, (devices.get(key) ?? 0) + objectsAt(value, 'spec', 'devices').length);
  }
  return devices;
}

function overlaps(pools: readonly PoolWithNodes[]): readonly OwnershipProblem[] {
  const problems: OwnershipProblem[] = [];
  const owner = new Map<string, PoolWithNodes>();
  const told = new Set<string>();
  for (const pool of pools) {
    for (const { name } of pool.nodes) {
      const key = `${pool.migration.spec.family} ${name}`;
      const other = owner.get(key);
      if (other === undefined) {
        owner.set(key, pool);
        continue;
      }
      const pair = `${other.migration.name} ${pool.migration.name}`;
      if (told.has(pair)) continue;
      told.add(pair);
      const isAssumed = assumes(pool, other) || assumes(other, pool);
      problems.push(problem(pool, 'DRA433', 'error', ['spec', isAssumed ? 'assumesDisjoint' : 'nodes'],
        `Node ${name} belongs to migrations ${other.migration.name} and ${pool.migration.name} of family ${pool.migration.spec.family}${isAssumed ? ', which are assumed to share none' : ''}.`,
        'Correct the labels of the node, or make the selectors disjoint.'));
    }
  }
  return problems;
}

function assumes({ migration }: PoolWithNodes, other: PoolWithNodes): boolean {
  return migration.spec.assumesDisjoint?.includes(other.migration.name) === true;
}

function empty(pool: PoolWithNodes): readonly OwnershipProblem[] {
  const { name, spec } = pool.migration;
  if (pool.nodes.length === 0) {
    return [problem(pool, 'DRA431', 'warning', ['spec', 'nodes'], `Migration ${name} selects no node of this cluster.`, 'Correct the selector, or go on if its nodes come later.')];
  }
  const canary = conditionsOf(spec.canary?.selector ?? {});
  if (pool.nodes.some(({ labels }) => meets(labels, canary))) return [];
  return [problem(pool, 'DRA431', 'warning', ['spec', 'canary', 'selector'], `The canary of migration ${name} selects none of its ${pool.nodes.length} nodes.`, 'Correct the selector of the canary, or label the nodes meant.')];
}

function counts(pool: PoolWithNodes): readonly OwnershipProblem[] {
  const { name, spec } = pool.migration;
  const total = pool.nodes.length;
  if (total === 0) return [];
  const problems: OwnershipProblem[] = [];
  const floor = nodesOf(spec.expand?.legacyFloor ?? 0, total);
  const given = spec.expand?.legacyFloor;
  if (given !== undefined && (floor === total || (typeof given === 'number' && given > total))) {
    problems.push(problem(pool, 'DRA432', 'warning', ['spec', 'expand', 'legacyFloor'],
      `The floor of migration ${name}, ${given}, is all of its ${total} nodes: nothing can move before AllWorkloads.`, 'Lower legacyFloor.'));
  }
  const canary = spec.canary?.nodes;
  if (canary !== undefined) {
    const chosen = pool.nodes.filter(({ labels }) => meets(labels, conditionsOf(spec.canary?.selector ?? {}))).length;
    const wanted = typeof canary === 'number' ? canary : nodesOf(canary, total);
    if (wanted > chosen && chosen > 0) {
      problems.push(problem(pool, 'DRA432', 'warning', ['spec', 'canary', 'nodes'],
        `The canary of migration ${name} asks for ${canary} nodes, and ${chosen} can be chosen: the canary would be ${chosen === total ? 'the whole pool' : 'all of them'}.`, 'Lower canary.nodes, or widen its selector.'));
    } else if (wanted > total - floor && floor < total) {
      problems.push(problem(pool, 'DRA432', 'warning', ['spec', 'canary', 'nodes'],
        `The canary of migration ${name} asks for ${wanted} of ${total} nodes, and legacyFloor leaves ${total - floor}: no more than those are taken.`, 'Lower canary.nodes or legacyFloor.'));
    }
  }
  return problems;
}

const OWNERS = ['device-plugin', 'handover', 'dra'];

function owners(pool: PoolWithNodes): readonly OwnershipProblem[] {
  const { name, spec } = pool.migration;
  const key = ownerLabel(spec.family);
  const unknown = pool.nodes.find(({ labels }) => labels[key] !== undefined && !OWNERS.includes(labels[key]));
  const problems = unknown === undefined ? [] : [problem(pool, 'DRA434', 'error', ['spec', 'nodes'],
    `Node ${unknown.name} of migration ${name} has ${key}=${unknown.labels[key]}, which is no owner: a device plugin runs there, since it keeps off handover and dra only.`,
    `Set the label to one of ${OWNERS.join(', ')}, or remove it.`)];
  const moved = pool.nodes.filter(({ labels }) => labels[key] === 'dra');
  const most = mostDraNodes(spec, pool.nodes.length);
  if (moved.length <= most) return problems;
  return [...problems, problem(pool, 'DRA434', 'warning', ['spec', 'phase'],
    `${moved.length} of ${pool.nodes.length} nodes of migration ${name} are owned by DRA, e.g. ${moved[0].name}, and ${spec.phase} allows ${most}: applying this begins a rollback of the others.`,
    'Go on if a rollback is meant. Else name the phase that the pool is in.')];
}

/** C-011: a plugin and a driver on one node each offer all of its devices. */
function offeredTwice(pool: PoolWithNodes, offered: ReadonlyMap<string, number>): readonly OwnershipProblem[] {
  const { name, spec } = pool.migration;
  for (const node of pool.nodes) {
    const devices = offered.get(`${spec.driver} ${node.name}`) ?? 0;
    const resource = spec.legacy?.resources.find(one => (node.allocatable.get(one.name)?.sign() ?? 0) > 0);
    if (devices === 0 || resource === undefined) continue;
    return [{
      ...problem(pool, 'DRA430', 'error', ['spec', 'nodes'], `Node ${node.name} of migration ${name} offers its devices twice: ${String(node.allocatable.get(resource.name))} of ${resource.name}, and ${devices} as ${spec.driver}.`,
        'Hold the migration, and take the plugin or the driver off the node: which one, its label of the owner says. Then look for pods of both that hold one device.'),
      story: [
        'The device plugin gives a device to a pod that asks for the resource.',
        'The scheduler allocates the same device to a claim, since neither sees what the other gave.',
      ],
    }];
  }
  return [];
}

function problem({ migration }: PoolWithNodes, code: string, severity: OwnershipProblem['severity'], path: OwnershipProblem['path'], message: string, help: string): OwnershipProblem {
  return { code, severity, at: { kind: 'DeviceMigration', name: migration.name }, path, message, story: [], help };
}

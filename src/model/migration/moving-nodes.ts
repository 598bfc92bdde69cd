import { gangsOf } from './gangs';
import type { PlannedMigration } from './plan';
import { selectedNodes } from './pool-nodes';
import type { DeviceUse, NodeUse } from './pool-use';
import { mostDraNodes, nodeCountProblem } from '../phases/node-count';
import { migrationDefaults } from '../phases/optimize-for';
import { PHASE_TABLE } from '../phases/phase-table';
import type { ClusterView } from '../view';

/** What a change of one migration may do to nodes and to what runs there. */
export interface MovingNodes {
  /** In words where no nodes are known, e.g. `2 nodes of the canary`. */
  readonly text: string;
  /** How many may change owner; undefined without nodes. */
  readonly count?: number;
  readonly toward?: 'dra' | 'device-plugin';
  /** Nodes that may be chosen, sorted; at least as many as move. */
  readonly candidates: readonly string[];
  /** Running pods on them, `namespace/name`, and what happens to them. */
  readonly pods: readonly string[];
  readonly podsText: string;
  /** Devices free together on each way: as it is, and after the move with the idlest nodes gone first. */
  readonly largestGang?: { readonly legacy: BeforeAfter; readonly dra: BeforeAfter };
  /** Running work that could not start again on the way it is on, a sentence each. */
  readonly tooLarge: readonly string[];
}

export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/** What the phase of a migration lets DRA have, in words. */
export function shareText({ spec }: PlannedMigration): string {
  switch (PHASE_TABLE[spec.phase].nodes) {
    case 'none': return 'no node';
    case 'canary': return spec.canary === undefined ? 'no node, as canary is missing' : `${spec.canary.nodes} ${spec.canary.nodes === 1 ? 'node' : String(spec.canary.nodes).endsWith('%') ? 'of the nodes' : 'nodes'}`;
    case 'steps': {
      const floor = spec.expand?.legacyFloor;
      return `up to ${migrationDefaults(spec).steps.at(-1) ?? '100%'} of the nodes${floor === undefined ? '' : `, but for ${floor} that stay with the device plugin`}`;
    }
    case 'all': return 'all nodes';
  }
}

/** The cluster that a commit would be applied to. */
export interface Snapshot {
  readonly view: ClusterView;
  readonly use: DeviceUse;
}

export function movingNodes(before: PlannedMigration | undefined, after: PlannedMigration, snapshot: Snapshot | undefined): MovingNodes {
  const change = before === undefined ? shareText(after) : shareText(before) === shareText(after) ? `${shareText(after)}, as before` : `${shareText(after)}; before: ${shareText(before)}`;
  if (snapshot === undefined || !isReadable(after)) {
    return { text: `DRA may own ${change}`, candidates: [], pods: [], podsText: 'Running pods: not known without --from.', tooLarge: [] };
  }
  const nodes = snapshot.use.ofPool(after);
  if (nodes.length === 0) {
    const all = snapshot.view.all('Node').length;
    const why = all === 0 ? 'the snapshot has no nodes' : `spec.nodes selects none of the ${all} ${all === 1 ? 'node' : 'nodes'} of the snapshot`;
    // Not "none": a snapshot without the pool, or a label that is wrong, would read like a change without effect.
    return { text: `DRA may own ${change}; which nodes is not known, as ${why}`, candidates: [], pods: [], podsText: `Running pods: not known, as ${why}.`, tooLarge: [] };
  }
  const most = mostDraNodes(after.spec, nodes.length);
  const owned = nodes.filter(({ owner }) => owner !== 'device-plugin').length;
  const count = Math.abs(most - owned);
  const toward = most >= owned ? 'dra' : 'device-plugin';
  const leaving = nodes.filter(({ owner }) => (toward === 'dra' ? owner === 'device-plugin' : owner !== 'device-plugin'));
  const candidates = toward === 'dra' && after.spec.phase === 'Canary' && after.spec.canary?.selector !== undefined
    ? narrowed(snapshot.view, after, leaving)
    : leaving;
  const moving = Math.min(count, candidates.length);
  const way = toward === 'dra' ? 'legacy' : 'dra';
  const pods = moving === 0 ? [] : [...new Set(candidates.flatMap(node => node[way].pods))].sort();
  return {
    text: moving === 0
      ? `no node moves: DRA owns ${owned} of ${nodes.length} and may own ${most}`
      : `${moving === candidates.length ? moving : `${moving} of ${candidates.length}`} ${candidates.length === 1 ? 'node' : 'nodes'} ${toward === 'dra' ? 'may move to DRA' : `${moving === 1 ? 'goes' : 'go'} back to the device plugin`} (DRA owns ${owned} of ${nodes.length}, may own ${most})`,
    count: moving,
    toward,
    candidates: moving === 0 ? [] : candidates.map(({ name }) => name),
    pods,
    podsText: podsText(after, pods.length, toward, moving),
    largestGang: gangs(nodes, candidates, moving, toward),
    tooLarge: tooLarge(snapshot.view, nodes, candidates, moving, toward),
  };
}

function isReadable({ spec }: PlannedMigration): boolean {
  return [spec.canary?.nodes ?? 0, spec.expand?.legacyFloor ?? 0, ...spec.expand?.steps ?? []].every(one => nodeCountProblem(one) === undefined);
}

function narrowed(view: ClusterView, { spec }: PlannedMigration, nodes: readonly NodeUse[]): readonly NodeUse[] {
  const selected = new Set(selectedNodes(view, spec.canary?.selector ?? {}).map(({ name }) => name));
  return nodes.filter(({ name }) => selected.has(name));
}

function podsText({ spec }: PlannedMigration, pods: number, toward: MovingNodes['toward'], moving: number): string {
  if (moving === 0 || pods === 0) return 'Running pods: none is touched.';
  const some = `${pods} ${pods === 1 ? 'pod runs' : 'pods run'} on nodes that may be chosen`;
  if (toward === 'device-plugin') return `Running pods: none is stopped; ${some}, each node waits for their end.`;
  const { strategy, deadline, onDeadline } = migrationDefaults(spec).handover;
  if (strategy === 'Evict') return `Running pods: ${some} and may be EVICTED (handover.strategy Evict).`;
  if (strategy === 'Replace') return `Running pods: ${some}; their nodes are drained when new ones have come (handover.strategy Replace).`;
  if (onDeadline === 'Evict' && deadline !== undefined) return `Running pods: ${some}; a node waits ${deadline} for their end, and EVICTS what is left then.`;
  return `Running pods: none is stopped; ${some}, each node waits for their end${deadline === undefined ? '' : `, at most ${deadline}`}.`;
}

function free(node: NodeUse, way: 'legacy' | 'dra'): number {
  return node.unknown === undefined ? Math.max(0, node[way].total - node[way].used) : 0;
}

/** The idlest nodes go first, which is what is left of the old way at worst. */
function gangs(nodes: readonly NodeUse[], candidates: readonly NodeUse[], moving: number, toward: MovingNodes['toward']): MovingNodes['largestGang'] {
  const sum = (way: 'legacy' | 'dra') => nodes.reduce((all, node) => all + free(node, way), 0);
  const [legacy, dra] = [sum('legacy'), sum('dra')];
  const [from, to] = toward === 'dra' ? ['legacy', 'dra'] as const : ['dra', 'legacy'] as const;
  const gone = [...candidates].sort((a, b) => free(b, from) - free(a, from)).slice(0, moving);
  const lost = gone.reduce((all, node) => all + free(node, from), 0);
  const before = { legacy, dra };
  return {
    [from]: { before: before[from], after: before[from] - lost },
    // A node changes owner when it is empty, so all of it comes.
    [to]: { before: before[to], after: before[to] + gone.reduce((all, node) => all + node[from].total, 0) },
  } as unknown as MovingNodes['largestGang'];
}

/** Work that runs now and would not find enough devices on its way if it were started again. */
function tooLarge(view: ClusterView, nodes: readonly NodeUse[], candidates: readonly NodeUse[], moving: number, toward: MovingNodes['toward']): readonly string[] {
  const way = toward === 'dra' ? 'legacy' : 'dra';
  const total = nodes.reduce((all, node) => all + node[way].total, 0);
  const lost = [...candidates].map(node => node[way].total).sort((a, b) => b - a).slice(0, moving).reduce((all, one) => all + one, 0);
  const amounts = new Map<string, number>();
  for (const node of nodes) for (const [pod, amount] of Object.entries(node[way].amounts)) amounts.set(pod, (amounts.get(pod) ?? 0) + amount);
  return gangsOf(view, amounts).filter(({ units }) => moving > 0 && units > total - lost)
    .map(({ name, pods, units }) => `${name} holds ${units} with ${pods} ${pods === 1 ? 'pod' : 'pods'}, more than the ${total - lost} that are left of ${total}: it could not start again there.`);
}

import { OWNER_CHANGES, OWNER_LABELS, type OwnerLabel } from './owner-changes';
import type { Daemon, NodeReach, OwnershipPlan } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import { AllowedValues, conditionsOf, describeLabels, labelsMeeting, meets, type LabelCondition, type Labels } from '../label-selector';
import type { PlannedMigration } from '../migration/plan';
import { ownerLabel, poolLabel } from '../node-contract';
import { isAtLeast } from '../phases/phase';

/** How two daemons can both serve one node: the labels of the node, and the owner label under which each is started. */
export interface SharedNode {
  readonly labels: Labels;
  readonly first: OwnerLabel;
  readonly second: OwnerLabel;
}

/**
 * Proof 2: whatever the owner label says, and while it changes, no two daemons of a family can both serve a node of a pool.
 *
 * Pods end after the label has changed, and end and start again at any moment; so a daemon that one value of the label lets run must not meet one
 * that the next value lets run. Only the wait for the leaving daemon in `handover`, where neither may run, makes the change from one to the other safe.
 */
export function daemonProblems(plan: Pick<OwnershipPlan, 'migrations' | 'daemons'>): readonly OwnershipProblem[] {
  const byFamily = new Map<string, Candidate[]>();
  for (const daemon of plan.daemons) {
    const candidate = { daemon, terms: daemon.reach.map(term => new AllowedValues(term.filter(({ key }) => key !== ownerLabel(daemon.family)))) };
    const of = byFamily.get(daemon.family);
    if (of === undefined) byFamily.set(daemon.family, [candidate]);
    else of.push(candidate);
  }
  const names = new Map<string, string[]>();
  for (const { name, spec } of plan.migrations) names.set(spec.family, [...names.get(spec.family) ?? [], name]);
  return plan.migrations.flatMap(migration => {
    const { family } = migration.spec;
    return problemsOfPool(migration, byFamily.get(family) ?? [], names.get(family) ?? []);
  });
}

/** A node of a pool that a plugin and a driver, or two drivers, can both serve; undefined where there is none. Nodes carry at most the label of their own pool. */
export function sharedNode(migration: PlannedMigration, first: Daemon, second: Daemon, pools: readonly string[] = []): SharedNode | undefined {
  const conditions = nodeConditions(migration, pools);
  return meeting(at(first, migration), at(second, migration), conditions);
}

function nodeConditions({ name, spec }: PlannedMigration, pools: readonly string[]): readonly LabelCondition[] {
  const others = pools.filter(pool => pool !== name);
  return [...conditionsOf(spec.nodes), ...(others.length === 0 ? [] : [{ key: poolLabel(spec.family), operator: 'NotIn' as const, values: others }])];
}

/** The reach of a daemon for each value of the owner label, without conditions on that label. */
type ReachByOwner = ReadonlyMap<OwnerLabel, NodeReach>;

function at({ reach }: Daemon, { spec }: PlannedMigration): ReachByOwner {
  const key = ownerLabel(spec.family);
  return new Map(OWNER_LABELS.map(owner => {
    const labels: Labels = owner === undefined ? {} : { [key]: owner };
    const possible = reach.filter(term => meets(labels, term.filter(condition => condition.key === key)));
    return [owner, possible.map(term => term.filter(condition => condition.key !== key))];
  }));
}

/** Equal owners first: they make the shorter story. */
const PAIRS: ReadonlyArray<readonly [OwnerLabel, OwnerLabel]> = [
  ...(['dra', 'device-plugin', undefined, 'handover'] as const).map(owner => [owner, owner] as const),
  ...OWNER_CHANGES,
];

/** Of a plugin and a driver, the plugin where only the driver belongs: a hand-over waits for the one that should leave, not for the one that does. */
const CROSSED: ReadonlyArray<readonly [OwnerLabel, OwnerLabel]> = [['dra', undefined], ['dra', 'device-plugin']];

const ORDERED_PAIRS: ReadonlyArray<readonly [OwnerLabel, OwnerLabel]> = [
  ...PAIRS.flatMap(([from, to]) => (from === to ? [[from, to] as const] : [[from, to] as const, [to, from] as const])),
  ...CROSSED,
];

function meeting(first: ReachByOwner, second: ReachByOwner, conditions: readonly LabelCondition[]): SharedNode | undefined {
  for (const [a, b] of ORDERED_PAIRS) {
    for (const one of first.get(a) ?? []) {
      for (const other of second.get(b) ?? []) {
        const labels = labelsMeeting([...conditions, ...one, ...other]);
        if (labels !== undefined) return { labels, first: a, second: b };
      }
    }
  }
  return undefined;
}

/** A daemon of a family, of which hundreds may reach few pools each. */
interface Candidate {
  readonly daemon: Daemon;
  readonly terms: readonly AllowedValues[];
}

function problemsOfPool(migration: PlannedMigration, candidates: readonly Candidate[], pools: readonly string[]): readonly OwnershipProblem[] {
  const conditions = nodeConditions(migration, pools);
  const values = new AllowedValues(conditions);
  const reaching = candidates.filter(({ terms }) => terms.some(term => !values.excludes(term))).map(({ daemon }) => daemon);
  // A plugin comes first in each pair.
  reaching.sort((a, b) => Number(a.kind === 'driver') - Number(b.kind === 'driver'));
  const reaches = new Map(reaching.map(daemon => [daemon, at(daemon, migration)]));
  const problems: OwnershipProblem[] = [];
  reaching.forEach((a, index) => {
    for (const b of reaching.slice(index + 1)) {
      if (!excludeEachOther(a, b)) continue;
      const shared = meeting(reaches.get(a) ?? new Map(), reaches.get(b) ?? new Map(), conditions);
      if (shared !== undefined) problems.push(problemOf(migration, a, b, shared));
    }
  });
  return problems;
}

/** A plugin and a driver, or two drivers; two DaemonSets of one driver are its own matter, as are two of plugins. */
function excludeEachOther(a: Daemon, b: Daemon): boolean {
  if (a.site === undefined && b.site === undefined) return false;
  return a.kind !== b.kind || (a.kind === 'driver' && a.driver !== b.driver);
}

function problemOf(migration: PlannedMigration, a: Daemon, b: Daemon, { labels, first, second }: SharedNode): OwnershipProblem {
  const told = [a, b].find(({ site }) => site !== undefined) ?? a;
  const key = ownerLabel(migration.spec.family);
  const isReady = isAtLeast(migration.spec.phase, 'Observe');
  return {
    code: 'DRA412',
    severity: isReady ? 'error' : 'warning',
    at: { kind: 'DeviceMigration', name: migration.name },
    path: [],
    site: wrong(a, b, key)?.site ?? told.site,
    message: `${a.name} and ${b.name} can both serve one node of migration ${migration.name}, e.g. one with ${describeLabels(labels)}${isReady ? '' : ', from Observe on'}.`,
    story: first === second ? together(key, a, b, first) : inTurn(key, a, b, first, second),
    help: `Give ${[a, b].map(daemon => `${daemon.name} the required node affinity ${affinityOf(daemon, key)}`).join(', and ')}.`,
  };
}

/** The one whose selection is not that of the contract, if only one is. */
function wrong(a: Daemon, b: Daemon, ownerKey: string): Daemon | undefined {
  const isRight = ({ kind, reach }: Daemon) => reach.every(term => term.some(({ key, operator, values = [] }) => key === ownerKey && (
    kind === 'plugin' ? operator === 'NotIn' && values.includes('dra') && values.includes('handover') : operator === 'In' && values.length === 1 && values[0] === 'dra'
  )));
  const found = [a, b].filter(daemon => daemon.site !== undefined && !isRight(daemon));
  return found.length === 1 ? found[0] : undefined;
}

function affinityOf({ kind }: Daemon, key: string): string {
  return kind === 'plugin' ? `${key} NotIn (handover, dra)` : `${key} In (dra)`;
}

function together(key: string, a: Daemon, b: Daemon, owner: OwnerLabel): readonly string[] {
  return [
    `The node has ${show(key, owner)}.`,
    `${a.name} selects it and ${offers(a)}.`,
    `${b.name} selects it too and ${offers(b)}.`,
    'Each gives the same device to another pod.',
  ];
}

function inTurn(key: string, a: Daemon, b: Daemon, first: OwnerLabel, second: OwnerLabel): readonly string[] {
  const [earlier, later, from, to] = comesFirst(first, second) ? [a, b, first, second] : [b, a, second, first];
  return [
    `The node has ${show(key, from)}, and ${earlier.name} selects it and ${offers(earlier)}.`,
    `The label becomes ${show(key, to)}, which ${later.name} selects.`,
    `The pod of ${later.name} starts before that of ${earlier.name} has ended, or after it was restarted unseen.`,
    'Each gives the same device to another pod.',
  ];
}

function comesFirst(first: OwnerLabel, second: OwnerLabel): boolean {
  return OWNER_CHANGES.some(([from, to]) => from === first && to === second);
}

function show(key: string, owner: OwnerLabel): string {
  return owner === undefined ? `no label ${key}` : `${key}=${owner}`;
}

function offers({ kind, driver }: Daemon): string {
  return kind === 'plugin' ? 'offers its devices as an extended resource' : `publishes its devices as ${driver ?? 'a DRA driver'}`;
}

import { bridges } from './bridge';
import type { Bridge } from './bridge';
import { doorText } from './door-order';
import { movingNodes } from './moving-nodes';
import type { MovingNodes, Snapshot } from './moving-nodes';
import { objectDifference } from './object-difference';
import type { ObjectDifference } from './object-difference';
import type { PlannedMigration } from './plan';
import { quotaDifference } from './quota-difference';
import type { QuotaDifference } from './quota-difference';
import { readPlan } from './read-plan';
import { routing } from './routing';
import type { DoorState } from '../api';
import type { Manifest } from '../manifests/manifest';
import { ManifestSet } from '../manifests/manifest-set';
import { moveProblems } from '../phases/moves';
import type { MoveProblem } from '../phases/moves';
import type { Phase } from '../phases/phase';
import { PHASES } from '../phases/phase';
import type { Target } from '../target';
import { ClusterView } from '../view';
import { objectsAt, textAt } from '../view/json-field';

/** What a commit means for one pool whose migration it changes. */
export interface PoolDifference {
  readonly pool: string;
  /** Undefined where the migration is not there. */
  readonly before?: Phase;
  readonly after?: Phase;
  /** Undefined where the migration is gone. */
  readonly nodes?: MovingNodes;
  readonly problems: readonly MoveProblem[];
}

/** Who may start new work on a way, in two commits. */
export interface DoorChange {
  /** `class gpu-large` or `resource nvidia.com/gpu`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Namespaces whose DeviceAccess lists a class, where that changes. */
  readonly access?: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/** What a commit means. */
export interface PlanDifference {
  readonly kubernetes: string;
  readonly pools: readonly PoolDifference[];
  readonly unchangedPools: number;
  readonly doors: readonly DoorChange[];
  /** Names that go on classes and off them, a sentence each. */
  readonly bridges: readonly string[];
  readonly quota: QuotaDifference;
  readonly objects: ObjectDifference;
  readonly isReversible: boolean;
  /** What could not be read, a sentence each. */
  readonly mistakes: readonly string[];
}

export interface DifferenceInput {
  readonly base: readonly Manifest[];
  readonly head: readonly Manifest[];
  readonly target: Target;
  /** The cluster that it would be applied to. */
  readonly snapshot?: Snapshot;
}

export function planDifference({ base, head, target, snapshot }: DifferenceInput): PlanDifference {
  const [baseSet, headSet] = [new ManifestSet(base), new ManifestSet(head)];
  const [before, after] = [readPlan(ClusterView.of(base)), readPlan(ClusterView.of(head))];
  const names = [...new Set([...before.migrations, ...after.migrations].map(({ name }) => name))].sort();
  const [old, next] = [byName(before.migrations), byName(after.migrations)];
  const changed = names.filter(name => JSON.stringify(old.get(name)) !== JSON.stringify(next.get(name)));
  const pools = changed.map(name => poolDifference(name, old.get(name), next.get(name), snapshot));
  const objects = objectDifference(baseSet, headSet);
  return {
    kubernetes: target.minor,
    pools,
    unchangedPools: names.length - changed.length,
    doors: doorChanges(baseSet, headSet, before.migrations, after.migrations, target),
    bridges: bridgeSentences(before.migrations, after.migrations, target),
    quota: quotaDifference(baseSet, headSet, after.migrations, target),
    objects,
    isReversible: objects.irreversible.length === 0,
    mistakes: [...before.mistakes.map(mistake => `base: ${mistake}`), ...after.mistakes.map(mistake => `head: ${mistake}`)],
  };
}

function poolDifference(
  pool: string, before: PlannedMigration | undefined, after: PlannedMigration | undefined, snapshot: Snapshot | undefined,
): PoolDifference {
  return {
    pool,
    ...(before === undefined ? {} : { before: before.spec.phase }),
    ...(after === undefined ? {} : { after: after.spec.phase, nodes: movingNodes(before, after, snapshot) }),
    problems: moveProblems(before, after),
  };
}

/** Whether a phase is before another. */
export function isBack({ before, after }: PoolDifference): boolean {
  return before !== undefined && after !== undefined && PHASES.indexOf(after) < PHASES.indexOf(before);
}

function byName(migrations: readonly PlannedMigration[]): ReadonlyMap<string, PlannedMigration> {
  return new Map(migrations.map(migration => [migration.name, migration]));
}

function doorChanges(
  base: ManifestSet, head: ManifestSet, before: readonly PlannedMigration[], after: readonly PlannedMigration[], target: Target,
): readonly DoorChange[] {
  const [old, next] = [routing(before, target), routing(after, target)];
  const [oldAccess, nextAccess] = [accessByClass(base), accessByClass(head)];
  const ours = new Set([...Object.keys(old.classes ?? {}), ...Object.keys(next.classes ?? {})]);
  const classes = [...new Set([...ours, ...oldAccess.keys(), ...nextAccess.keys()])].sort().flatMap((name): DoorChange[] => {
    const [from, to] = [stateText(old.classes?.[name], base, name), stateText(next.classes?.[name], head, name)];
    const [had, has] = [oldAccess.get(name) ?? [], nextAccess.get(name) ?? []];
    const added = has.filter(namespace => !had.includes(namespace));
    const removed = had.filter(namespace => !has.includes(namespace));
    if (from === to && added.length === 0 && removed.length === 0) return [];
    return [{ what: `class ${name}`, before: from, after: to, ...(added.length + removed.length === 0 ? {} : { access: { added, removed } }) }];
  });
  const resources = [...new Set([...Object.keys(old.resources ?? {}), ...Object.keys(next.resources ?? {})])].sort().flatMap((name): DoorChange[] => {
    const [from, to] = [doorText(old.resources?.[name]), doorText(next.resources?.[name])];
    return from === to ? [] : [{ what: `resource ${name}`, before: from, after: to }];
  });
  return [...classes, ...resources];
}

/** A class without a door is open if it is there at all. */
function stateText(state: DoorState | undefined, set: ManifestSet, name: string): string {
  if (state !== undefined) return doorText(state);
  return set.find('resource.k8s.io', 'DeviceClass', '', name) === undefined ? 'no such class' : 'Open, in no migration';
}

/** Namespaces that a DeviceAccess lets use a class. */
function accessByClass(set: ManifestSet): ReadonlyMap<string, readonly string[]> {
  const access = new Map<string, string[]>();
  for (const { namespace, value } of set.ofKind('cdk8s-dra.dev', 'DeviceAccess')) {
    for (const entry of objectsAt(value, 'spec', 'classes')) {
      const name = textAt(entry, 'name');
      const known = access.get(name);
      if (known) known.push(namespace);
      else access.set(name, [namespace]);
    }
  }
  for (const namespaces of access.values()) namespaces.sort();
  return access;
}

function bridgeSentences(before: readonly PlannedMigration[], after: readonly PlannedMigration[], target: Target): readonly string[] {
  const [old, next] = [bridges(before, target), bridges(after, target)];
  const has = (list: readonly Bridge[], { deviceClassName, resource }: Bridge) => {
    return list.some(one => one.deviceClassName === deviceClassName && one.resource === resource);
  };
  return [
    ...old.open.filter(one => !has(next.open, one)).map(({ deviceClassName, resource }) => {
      const why = next.closed.find(one => one.resource === resource)?.why;
      return `${resource} comes off class ${deviceClassName}${why === undefined ? '' : `: ${why}`}. Pods that ask for it go to nodes of the device plugin only.`;
    }),
    ...next.open.filter(one => !has(old.open, one)).map(({ deviceClassName, resource }) => `${resource} goes on class ${deviceClassName}: pods that ask for it are served by DRA too, as they are.`),
  ];
}

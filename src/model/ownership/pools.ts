import type { OwnershipProblem } from './ownership-problem';
import type { LabelSelector } from '../api';
import { AllowedValues, conditionsOf, describeLabels, labelsMeeting, type LabelCondition, type Labels } from '../label-selector';
import type { PlannedMigration } from '../migration/plan';
import { ownerLabel } from '../node-contract';

/** Proof 1: no node belongs to two pools of a family, each pool can have nodes, and no move changes who belongs to a pool. */
export function poolProblems(migrations: readonly PlannedMigration[]): readonly OwnershipProblem[] {
  const pools = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1)).map(migration => new Pool(migration));
  const families = new Map<string, Pool[]>();
  for (const pool of pools) families.set(pool.family, [...families.get(pool.family) ?? [], pool]);
  return [...pools.flatMap(ownProblems), ...[...families.values()].flatMap(overlaps)];
}

/** Labels of a node that belongs to both pools of one family; undefined where no node can. */
export function commonLabels(a: LabelSelector, b: LabelSelector): Labels | undefined {
  return labelsMeeting([...conditionsOf(a), ...conditionsOf(b)]);
}

/** A pool with its conditions read out. */
class Pool {
  public readonly name: string;
  public readonly family: string;
  public readonly conditions: readonly LabelCondition[];
  public readonly labels: Labels | undefined;
  private readonly values: AllowedValues;

  public constructor(public readonly migration: PlannedMigration) {
    this.name = migration.name;
    this.family = migration.spec.family;
    this.conditions = conditionsOf(migration.spec.nodes);
    this.labels = labelsMeeting(this.conditions);
    this.values = new AllowedValues(this.conditions);
  }

  public isApart(other: Pool): boolean {
    return this.values.excludes(other.values);
  }

  public assumesApart(other: Pool): boolean {
    return this.migration.spec.assumesDisjoint?.includes(other.name) === true;
  }
}

function ownProblems({ migration, conditions, labels }: Pool): readonly OwnershipProblem[] {
  const { name, spec } = migration;
  const at = { kind: 'DeviceMigration', name } as const;
  const base = { code: 'DRA411', severity: 'error', at, story: [] } as const;
  const owner = ownerLabel(spec.family);
  const canary = conditionsOf(spec.canary?.selector ?? {});
  if ([...conditions, ...canary].some(({ key }) => key === owner)) {
    const isPool = conditions.some(({ key }) => key === owner);
    return [{
      ...base,
      path: isPool ? ['spec', 'nodes'] : ['spec', 'canary', 'selector'],
      message: `The nodes of migration ${name} are chosen by the label ${owner}, which the move itself changes: a node would leave in the middle of its hand-over.`,
      help: 'Select by what a node is, e.g. its instance type, never by who owns its devices.',
    }];
  }
  if (labels === undefined) {
    return [{ ...base, path: ['spec', 'nodes'], message: `No node can belong to migration ${name}: its conditions contradict each other.`, help: 'Correct the selector; all of its conditions must hold together.' }];
  }
  if (labelsMeeting([...conditions, ...canary]) === undefined) {
    return [{
      ...base,
      path: ['spec', 'canary', 'selector'],
      message: `No node of migration ${name} can be in its canary: the selector of the canary contradicts that of the pool.`,
      help: 'The canary narrows the pool; choose by labels that nodes of the pool have.',
    }];
  }
  return [];
}

function overlaps(pools: readonly Pool[]): readonly OwnershipProblem[] {
  const problems: OwnershipProblem[] = [];
  pools.forEach((a, index) => {
    for (const b of pools.slice(index + 1)) {
      if (a.labels === undefined || b.labels === undefined || a.isApart(b) || a.assumesApart(b) || b.assumesApart(a)) continue;
      const labels = labelsMeeting([...a.conditions, ...b.conditions]);
      if (labels !== undefined) problems.push(overlap(a, b, labels));
    }
  });
  return problems;
}

function overlap(a: Pool, b: Pool, labels: Labels): OwnershipProblem {
  return {
    code: 'DRA410',
    severity: 'error',
    at: { kind: 'DeviceMigration', name: b.name },
    path: ['spec', 'nodes'],
    message: `Migrations ${a.name} and ${b.name} of family ${a.family} may select one node, e.g. one with ${describeLabels(labels)}.`,
    story: [
      `${a.name} hands the node over to DRA.`,
      `${b.name}, for which it is not due yet, gives it back to the device plugin while claims of ${a.name} hold its devices.`,
      'Its devices have two owners.',
    ],
    help: `Make the selectors disjoint, e.g. by a label that both name with different values. If other labels see to it, say so: assumesDisjoint: [${a.name}].`,
  };
}

import type { OwnershipProblem } from './ownership-problem';
import { conditionsOf, describeLabels, labelsMissing } from '../label-selector';
import type { PlannedMigration } from '../migration/plan';

/** Proof 6: migrations of one group drain the same nodes together, so they select the same ones, for different families, in one phase and one canary. */
export function groupProblems(migrations: readonly PlannedMigration[]): readonly OwnershipProblem[] {
  const groups = new Map<string, PlannedMigration[]>();
  for (const migration of [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { group } = migration.spec;
    if (group !== undefined) groups.set(group, [...groups.get(group) ?? [], migration]);
  }
  return [...groups].flatMap(([group, members]) => members.slice(1).flatMap((member, index) => [
    ...sameFamily(group, members.slice(0, index + 1), member),
    ...otherNodes(group, members[0], member),
    ...otherPlan(group, members[0], member),
  ]));
}

function sameFamily(group: string, before: readonly PlannedMigration[], member: PlannedMigration): readonly OwnershipProblem[] {
  const other = before.find(({ spec }) => spec.family === member.spec.family);
  if (other === undefined) return [];
  return [problem(member, ['spec', 'group'], `Migrations ${other.name} and ${member.name} of group ${group} are both of family ${member.spec.family}: two pools of a family share no node, so they cannot move in one drain.`,
    'Give each pool a group of its own; a group is for different families on the same nodes.')];
}

function otherNodes(group: string, first: PlannedMigration, member: PlannedMigration): readonly OwnershipProblem[] {
  const [a, b] = [conditionsOf(first.spec.nodes), conditionsOf(member.spec.nodes)];
  const only = labelsMissing(a, b);
  const labels = only ?? labelsMissing(b, a);
  if (labels === undefined) return [];
  const [within, without] = only === undefined ? [member, first] : [first, member];
  return [problem(member, ['spec', 'nodes'],
    `Migrations ${first.name} and ${member.name} of group ${group} select different nodes: one with ${describeLabels(labels)} is in ${within.name} only, so a drain for ${within.name} would not move its ${without.spec.family} devices.`,
    'Write the same selector in both, or take them out of the group.')];
}

function otherPlan(group: string, first: PlannedMigration, member: PlannedMigration): readonly OwnershipProblem[] {
  if (first.spec.phase !== member.spec.phase) {
    return [problem(member, ['spec', 'phase'],
      `Migrations ${first.name} (${first.spec.phase}) and ${member.name} (${member.spec.phase}) of group ${group} stand in different phases: one drain cannot move both.`,
      'Change the phase of all members in one commit.')];
  }
  const field = (['canary', 'expand'] as const).find(name => shape(first, name) !== shape(member, name));
  return field === undefined ? [] : [problem(member, ['spec', field],
    `Migrations ${first.name} and ${member.name} of group ${group} choose different nodes: ${field} is ${shape(first, field)} in one and ${shape(member, field)} in the other.`,
    `Write the same ${field === 'canary' ? 'number of canary nodes and selector' : 'steps, unit and floor'} in both.`)];
}

/** What chooses nodes, with the parts in one order. */
function shape({ spec }: PlannedMigration, field: 'canary' | 'expand'): string {
  const { canary, expand } = spec;
  return field === 'canary'
    ? JSON.stringify({ nodes: canary?.nodes, selector: canary?.selector })
    : JSON.stringify({ steps: expand?.steps, unit: expand?.unit, legacyFloor: expand?.legacyFloor });
}

function problem({ name }: PlannedMigration, path: OwnershipProblem['path'], message: string, help: string): OwnershipProblem {
  return { code: 'DRA419', severity: 'error', at: { kind: 'DeviceMigration', name }, path, message, story: [], help };
}

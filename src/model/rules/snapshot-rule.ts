import { reportOwnership } from './migrations-rule';
import { migrationsIn } from './ownership-plan';
import type { Rule } from './rule';
import { snapshotProblems } from '../ownership';

/** What the nodes of a real cluster say against the plan; silent without a snapshot. */
export const SNAPSHOT_RULE: Rule = {
  codes: ['DRA430', 'DRA431', 'DRA432', 'DRA433', 'DRA434'],
  run(context) {
    const { manifests, snapshot, target } = context;
    if (snapshot === undefined) return;
    const migrations = migrationsIn(manifests, target).map(({ migration }) => migration);
    for (const problem of snapshotProblems(migrations, snapshot)) reportOwnership(context, problem);
  },
};

import { daemonProblems } from './daemons';
import { groupProblems } from './groups';
import type { OwnershipPlan } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import { pathProblems } from './paths';
import { poolProblems } from './pools';
import { quotaProblems } from './quotas';
import { resourceNameProblems } from './resource-names';

/** All six proofs of docs/migration.md; nothing wrong means that in no phase, hand-over, hold or rollback a device gets two owners. */
export function proveOwnership(plan: OwnershipPlan): readonly OwnershipProblem[] {
  return [
    ...poolProblems(plan.migrations),
    ...daemonProblems(plan),
    ...resourceNameProblems(plan),
    ...pathProblems(plan),
    ...quotaProblems(plan),
    ...groupProblems(plan.migrations),
  ];
}

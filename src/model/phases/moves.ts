import { isFewer } from './node-count';
import { isAtLeast, PHASES } from './phase';
import { PHASE_TABLE } from './phase-table';
import { conditionsOf, describeLabels, labelsMissing } from '../label-selector';
import type { FieldPath } from '../manifests/manifest';
import type { PlannedMigration } from '../migration/plan';

/** Why a migration must not change in the way that two versions of it show; a code of the catalogue. */
export interface MoveProblem {
  readonly code: 'DRA401' | 'DRA402' | 'DRA403' | 'DRA404' | 'DRA405' | 'DRA406';
  readonly severity: 'error' | 'warning';
  readonly migration: string;
  /** In the new version; empty where there is none. */
  readonly path: FieldPath;
  /** What was and is given, and the rule. */
  readonly message: string;
  /** The way out, full sentences. */
  readonly help: string;
}

/**
 * What is wrong with a change of one migration between two commits; undefined stands for a migration that is not there.
 *
 * Going back is no problem: it is carried out as a rollback, whatever it skips.
 */
export function moveProblems(before: PlannedMigration | undefined, after: PlannedMigration | undefined): readonly MoveProblem[] {
  if (before === undefined) return after === undefined ? [] : bornProblems(after);
  if (after === undefined) return removalProblems(before);
  if (before.spec.family !== after.spec.family || before.spec.driver !== after.spec.driver) return reuseProblems(before, after);
  return [...skipProblems(before, after), ...canaryProblems(before, after), ...nodesProblems(before, after), ...pathProblems(before, after)];
}

/** A pool that is new in Git may be old in the cluster; where a device plugin serves it, everything would move at once. */
function bornProblems({ name, spec }: PlannedMigration): readonly MoveProblem[] {
  if (spec.legacy === undefined || !isAtLeast(spec.phase, 'Canary')) return [];
  return [{
    code: 'DRA401',
    severity: 'warning',
    migration: name,
    path: ['spec', 'phase'],
    message: `Migration ${name} is new and starts in ${spec.phase}, although a device plugin serves its nodes today: no phase before it is passed.`,
    help: 'Start in Observe and move on phase by phase. Leave legacy out if all its nodes are new and no plugin ever ran there.',
  }];
}

function removalProblems({ name, spec }: PlannedMigration): readonly MoveProblem[] {
  if (!isAtLeast(spec.phase, 'Canary')) return [];
  const isDone = spec.phase === 'PluginRemoved';
  return [{
    code: 'DRA404',
    severity: isDone ? 'warning' : 'error',
    migration: name,
    path: [],
    message: isDone
      ? `Migration ${name} is gone from Git in ${spec.phase}: this retires it for good. Nothing can hold, fence or roll back the pool any more.`
      : `Migration ${name} is gone from Git in the middle of the move, in ${spec.phase}: its nodes keep their owners, its classes open for everyone, and nothing can hold or roll back the pool.`,
    help: isDone
      ? 'Go on if that is meant, with a commit that does nothing else. To keep the way back, keep the object.'
      : 'Set phase to Legacy first, wait until no node of the pool is owned by DRA, then remove it; or go on to PluginRemoved.',
  }];
}

function reuseProblems(before: PlannedMigration, after: PlannedMigration): readonly MoveProblem[] {
  const field = before.spec.family === after.spec.family ? 'driver' : 'family';
  return [{
    code: 'DRA403',
    severity: 'error',
    migration: after.name,
    path: ['spec', field],
    message: `The name ${after.name} is used again for another ${field}: '${before.spec[field]}' became '${after.spec[field]}'. `
      + 'Node labels, holds and history of the old one would be taken for those of the new one.',
    help: `Keep ${field} '${before.spec[field]}', or make the new migration under another name and retire this one.`,
  }];
}

function skipProblems(before: PlannedMigration, after: PlannedMigration): readonly MoveProblem[] {
  const [from, to] = [PHASES.indexOf(before.spec.phase), PHASES.indexOf(after.spec.phase)];
  if (to <= from + 1) return [];
  const next = PHASES[from + 1];
  return [{
    code: 'DRA401',
    severity: 'error',
    migration: after.name,
    path: ['spec', 'phase'],
    message: `Migration ${after.name} goes from ${before.spec.phase} to ${after.spec.phase} and skips ${PHASES.slice(from + 1, to).join(' and ')}: a pool moves on one phase at a time, so that gates can look at each.`,
    help: `Set phase to ${next}, and move on in later commits. The API server refuses the skip as well. Going back may skip phases.`,
  }];
}

/** In Canary the chosen nodes stay chosen; further on the figure says nothing about nodes. */
function canaryProblems(before: PlannedMigration, after: PlannedMigration): readonly MoveProblem[] {
  if (before.spec.phase !== 'Canary' || after.spec.phase !== 'Canary') return [];
  const [was, is] = [before.spec.canary?.nodes, after.spec.canary?.nodes];
  if (was === undefined || is === undefined) return [];
  const fewer = isFewer(is, was);
  if (fewer === 'no') return [];
  return [{
    code: 'DRA402',
    severity: fewer === 'yes' ? 'error' : 'warning',
    migration: after.name,
    path: ['spec', 'canary', 'nodes'],
    message: `The canary of migration ${after.name} shrinks${fewer === 'yes' ? '' : ', if the pool is not small,'} from ${was} to ${is} nodes while it is in use: chosen nodes stay chosen, since devices on them may be held.`,
    help: 'Set phase to Observe: the nodes are given back as they empty. Then start a smaller canary.',
  }];
}

function nodesProblems(before: PlannedMigration, after: PlannedMigration): readonly MoveProblem[] {
  if (!isAtLeast(before.spec.phase, 'Canary')) return [];
  const labels = labelsMissing(conditionsOf(before.spec.nodes), conditionsOf(after.spec.nodes));
  if (labels === undefined) return [];
  return [{
    code: 'DRA405',
    severity: 'warning',
    migration: after.name,
    path: ['spec', 'nodes'],
    message: `Nodes may leave migration ${after.name} in ${before.spec.phase}, e.g. one with ${describeLabels(labels)}: such a node keeps its owner, and no hold, gate or rollback reaches it any more.`,
    help: 'Go on if no such node is left. Else keep the selector until they are gone, or go back to Observe first.',
  }];
}

/** What a migration no longer lists is open for everyone. */
function pathProblems(before: PlannedMigration, after: PlannedMigration): readonly MoveProblem[] {
  const { door, legacyDoor } = PHASE_TABLE[after.spec.phase];
  const classes = before.spec.deviceClassNames.filter(name => !after.spec.deviceClassNames.includes(name));
  const listed = new Set(after.spec.legacy?.resources.map(resource => resource.name));
  const resources = (before.spec.legacy?.resources ?? []).map(resource => resource.name).filter(name => !listed.has(name));
  return [
    ...(door === 'Open' ? [] : classes).map((name): MoveProblem => ({
      code: 'DRA406',
      severity: 'error',
      migration: after.name,
      path: ['spec', 'deviceClassNames'],
      message: `Class ${name} leaves migration ${after.name} in ${after.spec.phase}: a class of no migration is open, so everyone could use it at once.`,
      help: `Keep ${name} listed until AllWorkloads, or delete the class in the same commit.`,
    })),
    ...(legacyDoor === 'Open' ? [] : resources).map((name): MoveProblem => ({
      code: 'DRA406',
      severity: 'warning',
      migration: after.name,
      path: ['spec', 'legacy', 'resources'],
      message: `Resource ${name} leaves migration ${after.name} in ${after.spec.phase}: new work may ask for it again, and no node of the pool offers it.`,
      help: `Keep ${name} listed as long as somebody may ask for it.`,
    })),
  ];
}

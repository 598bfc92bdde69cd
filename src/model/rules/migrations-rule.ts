import { deviceClass } from './device-classes';
import { classOwner } from './known-drivers';
import { nearestName } from './near-names';
import { migrationsIn, ownershipPlan, type MigrationInManifests } from './ownership-plan';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { API_GROUP } from '../api';
import { DRIVER_PROFILES } from '../drivers';
import { formatPath } from '../manifests/manifest';
import { nearest } from '../near-miss';
import { proveOwnership, tellProblem } from '../ownership';
import type { OwnershipProblem } from '../ownership';
import { fieldThatMovesNone, isFewer } from '../phases';
import { RESOURCE_GROUP } from '../target';

/** The plan of all migrations: what they name is there, and no device ever gets two owners. */
export const MIGRATIONS_RULE: Rule = {
  codes: ['DRA125', 'DRA410', 'DRA411', 'DRA412', 'DRA413', 'DRA414', 'DRA415', 'DRA416', 'DRA417', 'DRA418', 'DRA419', 'DRA420', 'DRA421', 'DRA422'],
  run(context) {
    checkRunTimeObjects(context);
    const migrations = migrationsIn(context.manifests, context.target);
    for (const one of migrations) {
      checkClasses(context, one);
      checkPlugin(context, one);
      checkAssumption(context, one);
      checkSteps(context, one);
      checkNodesMove(context, one);
    }
    if (migrations.length === 0) return;
    for (const problem of proveOwnership(ownershipPlan(context.manifests, context.target))) reportOwnership(context, problem);
  },
};

/** Tells a problem where it stands: at a workload or daemon, else at the migration or tenant. */
export function reportOwnership(context: RuleContext, problem: OwnershipProblem): void {
  const { code, severity, at, site, path, help } = problem;
  const object = site?.object ?? (at === undefined ? undefined : context.manifests.find(API_GROUP, at.kind, '', at.name));
  if (object === undefined) {
    context.report({ code, severity, path: [], message: tellProblem(problem), help });
    return;
  }
  const place = Place.root(object).at(...site?.path ?? path);
  report(context, code, place, { severity, message: tellProblem(problem), help });
}

function checkClasses(context: RuleContext, { object, migration }: MigrationInManifests): void {
  for (const place of Place.root(object).at('spec', 'deviceClassNames').items()) {
    const name = place.text ?? '';
    if (deviceClass(context.manifests, name) !== undefined || classOwner(name) !== undefined) continue;
    const meant = nearestName(context.manifests, RESOURCE_GROUP, 'DeviceClass', name);
    report(context, 'DRA420', place, {
      severity: meant === undefined ? 'warning' : 'error',
      message: `Migration ${migration.name} names the DeviceClass '${name}', which is not among the manifests checked.`,
      help: meant === undefined ? 'Add the class, or make sure that the driver or the platform installs it.' : `Did you mean '${meant}'?`,
    });
  }
}

const PLUGINS = [...new Set(DRIVER_PROFILES.flatMap(({ legacy }) => legacy.map(({ project }) => project)))].sort();

function checkPlugin(context: RuleContext, { object, migration }: MigrationInManifests): void {
  const place = Place.root(object).at('spec', 'legacy', 'plugin');
  const name = place.text;
  if (name === undefined || PLUGINS.includes(name)) return;
  const daemons = context.manifests.ofKind('apps', 'DaemonSet').flatMap(daemon => (daemon.namespace === '' ? [daemon.name] : [daemon.name, `${daemon.namespace}/${daemon.name}`]));
  if (daemons.includes(name)) return;
  const meant = nearest(name, [...PLUGINS, ...daemons]);
  report(context, 'DRA421', place, {
    message: `Migration ${migration.name} names the device plugin '${name}', which has no profile and is no DaemonSet of the manifests checked.`,
    help: `${meant === undefined ? '' : `Did you mean '${meant}'? `}Name one of ${PLUGINS.join(', ')}, or check the DaemonSet of the plugin together with the migration and name it as namespace/name, or leave plugin out.`,
  });
}

/** The last step is what Expand may reach, and a step back would give nodes back in the middle of it. */
function checkSteps(context: RuleContext, { object, migration: { name, spec } }: MigrationInManifests): void {
  const steps = spec.expand?.steps ?? [];
  const places = Place.root(object).at('spec', 'expand', 'steps').items();
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before === undefined || places[index] === undefined || isFewer(step, before) !== 'yes') continue;
    report(context, 'DRA125', places[index], {
      message: `Migration ${name} expands to ${before} and then to ${step}, which is fewer: a step must not take nodes back.`,
      help: 'Write the steps in rising order; the last one is what Expand reaches.',
    });
  }
}

/** Whoever is let in waits for devices that never come. */
function checkNodesMove(context: RuleContext, { object, migration: { name, spec } }: MigrationInManifests): void {
  const path = fieldThatMovesNone(spec);
  if (path === undefined) return;
  const place = Place.root(object).at(...path);
  const who = spec.phase === 'Canary' ? `namespaces ${spec.canary?.namespaces.join(', ') ?? ''}` : 'all tenants';
  const field = formatPath(path.slice(1));
  report(context, 'DRA413', place, {
    message: `Migration ${name} opens its classes to ${who} in ${spec.phase} and moves no node: ${field} is ${String(place.value)}. A claim gets no device of this pool.`,
    help: `${path.includes('legacyFloor') ? 'Lower legacyFloor' : `Raise ${field}`}, or stay in ${spec.phase === 'Canary' ? 'Observe' : 'Canary'} until nodes are to move.`,
  });
}

/** An assumption about a pool that is not there assumes nothing. */
function checkAssumption(context: RuleContext, { object, migration }: MigrationInManifests): void {
  for (const place of Place.root(object).at('spec', 'assumesDisjoint').items()) {
    const name = place.text ?? '';
    if (context.manifests.find(API_GROUP, 'DeviceMigration', '', name) !== undefined) continue;
    const meant = nearestName(context.manifests, API_GROUP, 'DeviceMigration', name);
    report(context, 'DRA410', place, {
      severity: 'warning',
      message: `Migration ${migration.name} assumes that it shares no node with '${name}', which is not among the manifests checked.`,
      help: meant === undefined ? 'Remove the name, or add the other migration.' : `Did you mean '${meant}'?`,
    });
  }
}

/** Kinds that a controller, a person or the agent of a node writes while the cluster runs. */
const WRITERS: Readonly<Record<string, string>> = {
  DeviceHold: 'people and the controller; self-heal would put it back after release',
  DeviceRouting: 'the controller, or kubectl-dra route --write; self-heal would undo what they write',
  DeviceNodeReport: 'the agent of each node',
};

function checkRunTimeObjects(context: RuleContext): void {
  for (const [kind, writer] of Object.entries(WRITERS)) {
    for (const object of context.manifests.ofKind(API_GROUP, kind)) {
      // Read back from a cluster, it is no declaration.
      if (Place.root(object).at('metadata', 'uid').isSet) continue;
      report(context, 'DRA422', Place.root(object).at('kind'), {
        message: `A ${kind} is written by ${writer}: it does not belong in Git.`,
        help: kind === 'DeviceHold' ? 'Keep it beside the plan for kubectl create -f, outside of what is synced.' : 'Remove it from what is synced.',
      });
    }
  }
}

import type { OwnershipPlan, PlannedClass } from './ownership-plan';
import type { OwnershipProblem } from './ownership-problem';
import { bridgeOf, poolsByResource } from '../migration/bridge';
import type { PlannedMigration } from '../migration/plan';

/** Each class answers for this name without being told to, from 1.35 on. */
export const IMPLICIT_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Proof 3: no resource name is, or will be through the bridge, on two classes; and nobody but the controller writes it on a class of a migration. */
export function resourceNameProblems(plan: Pick<OwnershipPlan, 'migrations' | 'classes' | 'target'>): readonly OwnershipProblem[] {
  const listed = new Map<string, PlannedMigration>();
  for (const migration of plan.migrations) for (const name of migration.spec.deviceClassNames) if (!listed.has(name)) listed.set(name, migration);
  return [
    ...plan.classes.flatMap(planned => writtenByTwo(planned, listed)),
    ...[...poolsByResource(plan.migrations)].flatMap(([resource, pools]) => twiceThroughBridge(plan, resource, pools)),
    ...twiceInManifests(plan),
  ];
}

function writtenByTwo(
  { name, extendedResourceName, object }: PlannedClass, listed: ReadonlyMap<string, PlannedMigration>,
): readonly OwnershipProblem[] {
  const migration = listed.get(name);
  if (migration === undefined || extendedResourceName === undefined || object === undefined) return [];
  return [{
    code: 'DRA415',
    severity: 'error',
    at: { kind: 'DeviceMigration', name: migration.name },
    path: ['spec', 'extendedResourceName'],
    site: { object, path: ['spec', 'extendedResourceName'] },
    message: `Class ${name} of migration ${migration.name} carries ${extendedResourceName} in Git, but the bridge belongs to the move: it opens late, and closes first when something is held.`,
    story: [],
    help: 'Remove extendedResourceName from the class. It is written when every pool of the resource is in Expand.',
  }];
}

function twiceThroughBridge(
  plan: Pick<OwnershipPlan, 'classes' | 'target'>, resource: string, pools: readonly PlannedMigration[],
): readonly OwnershipProblem[] {
  // As it will be at the end: every phase before opens the same bridge or none.
  const bridge = bridgeOf(resource, pools.map(({ name, spec }) => ({ name, spec: { ...spec, phase: 'AllWorkloads' } })), plan.target);
  const [{ name }] = pools;
  const at = { kind: 'DeviceMigration', name } as const;
  const path = ['spec', 'legacy', 'resources'];
  if (resource.startsWith(IMPLICIT_PREFIX)) {
    const implied = resource.slice(IMPLICIT_PREFIX.length);
    if ('why' in bridge || bridge.deviceClassName === implied) return [];
    return [{
      code: 'DRA414',
      severity: 'error',
      at,
      path,
      message: `Class ${implied} answers for ${resource} by its name, and the bridge would put it on class ${bridge.deviceClassName}.`,
      story: [],
      help: `Name the resource of the device plugin in legacy, not one of a class; or list ${implied} first in deviceClassNames.`,
    }];
  }
  if ('why' in bridge) return [];
  const isOwn = new Set(pools.flatMap(({ spec }) => spec.deviceClassNames));
  return plan.classes
    .filter(other => other.extendedResourceName === resource && other.name !== bridge.deviceClassName)
    .filter(other => other.object === undefined || !isOwn.has(other.name))
    .map((other): OwnershipProblem => ({
      code: 'DRA414',
      severity: other.object === undefined ? 'warning' : 'error',
      at,
      path,
      ...(other.object === undefined ? {} : { site: { object: other.object, path: ['spec', 'extendedResourceName'] } }),
      message: `${resource} would be on two classes: ${other.name} carries it${other.object === undefined ? ' as its driver installs it' : ''}, and migration ${name} puts it on ${bridge.deviceClassName}.`,
      story: [
        `${bridge.deviceClassName} gets the name when the pools are in Expand.`,
        'The scheduler takes the class that was made last, so which devices a pod gets changes with the next class that somebody creates.',
      ],
      help: other.object === undefined
        ? `Switch the name off where the driver is installed, or list ${other.name} first in deviceClassNames.`
        : `Remove extendedResourceName from ${other.name}, or list it first in deviceClassNames.`,
    }));
}

function twiceInManifests({ classes, migrations }: Pick<OwnershipPlan, 'classes' | 'migrations'>): readonly OwnershipProblem[] {
  const pools = poolsByResource(migrations);
  const carriers = new Map<string, PlannedClass[]>();
  for (const planned of classes) {
    if (planned.extendedResourceName === undefined || planned.object === undefined || !pools.has(planned.extendedResourceName)) continue;
    carriers.set(planned.extendedResourceName, [...carriers.get(planned.extendedResourceName) ?? [], planned]);
  }
  return [...carriers].filter(([, of]) => of.length > 1).map(([resource, of]): OwnershipProblem => {
    const [first, second] = [...of].sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      code: 'DRA414',
      severity: 'error',
      at: { kind: 'DeviceMigration', name: pools.get(resource)?.[0]?.name ?? '' },
      path: ['spec', 'legacy', 'resources'],
      ...(second.object === undefined ? {} : { site: { object: second.object, path: ['spec', 'extendedResourceName'] } }),
      message: `${resource}, which is on the move, is on two classes: ${first.name} and ${second.name}.`,
      story: ['The scheduler takes the class that was made last, so which devices a pod gets changes with the next class that somebody creates.'],
      help: 'Leave it on none of them: the bridge puts it on the first class of the migration.',
    };
  });
}

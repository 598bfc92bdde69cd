import { bridges, poolsByResource } from './bridge';
import type { HeldPool, PlannedMigration } from './plan';
import { phasesOf, shownNames } from './pool-phases';
import { type ClassesByTemplate, type DeviceRoutingSpec, DOORS, type Door, type DoorState, type FencedPools, templateTexts, type TemplateTexts } from '../api';
import type { Phase } from '../phases/phase';
import { PHASE_TABLE } from '../phases/phase-table';
import type { Target } from '../target';

/** What a routing needs to know of a cluster beside the migrations. */
export interface RoutingInput {
  /** Classes that requests of claim templates name, alternatives included. */
  readonly templates?: ClassesByTemplate;
  /** Pools of nodes in hand-over. */
  readonly fencedPools?: readonly FencedPools[];
  /** A pool that is rolled back gives its nodes back: its legacy resource is open again. */
  readonly holds?: readonly HeldPool[];
}

/** The door of the classes of a pool in a phase. */
export function doorOf(phase: Phase): Door {
  return PHASE_TABLE[phase].door;
}

/** Who may start work on which way; the same for controller, CLI and previews. */
export function routing(migrations: readonly PlannedMigration[], target: Target, input: RoutingInput = {}): DeviceRoutingSpec {
  const classes = classDoors(migrations);
  const resources = resourceDoors(migrations, target, input.holds ?? []);
  const watched = watchedTemplates(classes, input.templates ?? {});
  const fenced = [...input.fencedPools ?? []]
    .map(({ driver, pools }) => ({ driver, pools: [...pools].sort() }))
    .sort((a, b) => (a.driver < b.driver ? -1 : 1));
  return {
    classes,
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    ...(Object.keys(watched).length === 0 ? {} : { templates: watched }),
    ...(fenced.length === 0 ? {} : { fencedPools: fenced }),
  };
}

/** Of templates those that ask for a class whose door is not open. */
export function watchedTemplates(classes: Readonly<Record<string, DoorState>>, templates: ClassesByTemplate): TemplateTexts {
  const isWatched = (name: string) => classes[name] !== undefined && classes[name]?.door !== 'Open';
  return templateTexts(Object.fromEntries(Object.entries(templates).map(([template, names]) => [template, names.filter(isWatched)])));
}

function classDoors(migrations: readonly PlannedMigration[]): Readonly<Record<string, DoorState>> {
  const pools = new Map<string, PlannedMigration[]>();
  for (const migration of migrations) {
    for (const name of migration.spec.deviceClassNames) pools.set(name, [...pools.get(name) ?? [], migration]);
  }
  return sorted([...pools].map(([name, of]) => [name, classDoor(name, of)]));
}

/** The most open door of the pools of a class; of several canaries, all their namespaces. */
export function classDoor(deviceClass: string, pools: readonly PlannedMigration[]): DoorState {
  const door = pools.map(({ spec }) => doorOf(spec.phase)).reduce((a, b) => (DOORS.indexOf(a) >= DOORS.indexOf(b) ? a : b));
  const where = phasesOf(pools);
  const legacy = [...new Set(pools.flatMap(({ spec }) => spec.legacy?.resources.map(({ name }) => name) ?? []))].sort();
  const instead = legacy.length === 0 ? '' : ` Until then ask for ${shownNames(legacy, ' or ')}.`;
  switch (door) {
    case 'Closed':
      return { door, message: `Class ${deviceClass} is not open yet: pool ${where}.${instead}` };
    case 'Canary': {
      const namespaces = [...new Set(pools.filter(({ spec }) => spec.phase === 'Canary').flatMap(({ spec }) => spec.canary?.namespaces ?? []))].sort();
      return {
        door,
        namespaces,
        interruptions: ['safe'],
        message: `Class ${deviceClass} is open for a canary only, for namespaces ${shownNames(namespaces)} and workloads labelled cdk8s-dra.dev/interruption=safe: pool ${where}.${instead}`,
      };
    }
    case 'Tenants':
      return {
        door,
        interruptions: ['safe', 'costly'],
        message: `Class ${deviceClass} is open for workloads that may be interrupted, not for those labelled cdk8s-dra.dev/interruption=forbidden: pool ${where}.${instead}`,
      };
    case 'Open':
      return { door, message: `Class ${deviceClass} is open.` };
  }
}

function resourceDoors(
  migrations: readonly PlannedMigration[], target: Target, holds: readonly HeldPool[],
): Readonly<Record<string, DoorState>> {
  const goBack = new Set(holds.filter(({ spec }) => spec.level === 'Rollback').map(({ spec }) => spec.migration));
  const served = new Map(bridges(migrations, target).open.map(({ resource, deviceClassName }) => [resource, deviceClassName]));
  return sorted([...poolsByResource(migrations)]
    .filter(([resource, pools]) => !served.has(resource)
      && pools.every(({ name, spec }) => PHASE_TABLE[spec.phase].legacyDoor === 'Closed' && !goBack.has(name)))
    .map(([resource, pools]) => {
      const classes = [...new Set(pools.flatMap(({ spec }) => spec.deviceClassNames))].sort();
      return [resource, { door: 'Closed', message: `${resource} takes no new work: its nodes have moved to DRA. Ask for class ${shownNames(classes, ' or ')} with a claim template.` }];
    }));
}

function sorted<T>(entries: ReadonlyArray<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

import type { PlannedMigration, StandingHold } from './plan';
import { driverPools, poolNodes } from './pool-nodes';
import { templateClasses } from './template-classes';
import { HOLD_LIMITS, ROUTING_NAME, templatesOfTexts, templateTextMistakes, templateTexts } from '../api';
import type { ClassesByTemplate, DeviceHoldSpec, FencedDriver, HoldLevel, TemplateTexts } from '../api';
import type { ClusterView } from '../view';
import { objectAt, textAt } from '../view/json-field';

/** What a person says about a hold. */
export interface HoldRequest {
  readonly level: HoldLevel;
  readonly reason: string;
  readonly message?: string;
  readonly ticket?: string;
  readonly by?: string;
  /** RFC 3339. */
  readonly expiresAt?: string;
}

/** A name of a device plugin that a class carries. */
export interface CarriedName {
  readonly deviceClassName: string;
  readonly resource: string;
}

export interface HoldPlan {
  readonly spec: DeviceHoldSpec;
  /** Names to take off classes first; where one stays, `withCarriedNames` closes the door of the name instead. */
  readonly namesOff: readonly CarriedName[];
  /** What the person should know, a sentence each. */
  readonly warnings: readonly string[];
  /** Why the hold would not stop what it should, a sentence each; with one of them it should not be made. */
  readonly mistakes: readonly string[];
}

/** The hold that stops new work on a pool, with all that the policies need to know filled in from the cluster. */
export function holdPlan(view: ClusterView, migrations: readonly PlannedMigration[], migration: PlannedMigration, request: HoldRequest): HoldPlan {
  const warnings: string[] = [];
  const isFencing = request.level !== 'Door';
  const shared = sharedClasses(migrations, migration);
  const classes = migration.spec.deviceClassNames.filter(name => !isFencing || !shared.has(name));
  for (const [name, pools] of shared) {
    warnings.push(isFencing
      ? `Class ${name} is also offered by ${pools.join(', ')}: its door stays open, and the fence keeps new work off ${migration.name} alone.`
      : `Class ${name} is also offered by ${pools.join(', ')}: new work on it is stopped there too. With --level Allocation only ${migration.name} is stopped.`);
  }
  const { group } = migration.spec;
  const isBeside = (other: PlannedMigration) => group !== undefined && other.name !== migration.name && other.spec.group === group;
  const together = migrations.filter(isBeside).map(other => other.name);
  if (together.length > 0) {
    const [has, is] = together.length === 1 ? ['has', 'is'] : ['have', 'are'];
    warnings.push(`${together.join(', ')} of group ${group} ${has} the same nodes and ${is} not held.`);
  }
  const carried = carriedNames(view, migration);
  const resources = isFencing ? [] : [...new Set(carried.map(({ resource }) => resource))].sort();
  for (const resource of resources) {
    warnings.push(`${resource} is refused for new work wherever it would run, also on nodes of the device plugin: class ${carried[0]?.deviceClassName} carries the name. `
      + 'With --level Allocation the name is taken off the class instead, and the device plugin goes on.');
  }
  const fence = isFencing ? [fenceOf(view, migrations, migration, warnings)] : [];
  const { templates, mistakes } = heldTemplates(view, new Set(classes), isFencing, warnings);
  if (classes.length > 0) {
    warnings.push(`New claim templates that ask for class ${[...classes].sort().join(' or ')} are refused too, also those of a GitOps engine, which tries again; `
      + 'templates that are there can be applied again. Only what a controller makes for an object that it keeps passes.');
  }
  const { message, ticket, by, expiresAt } = request;
  return {
    spec: {
      migration: migration.name,
      level: request.level,
      ...(classes.length === 0 ? {} : { classes: [...classes].sort() }),
      ...(resources.length === 0 ? {} : { resources }),
      ...(Object.keys(templates).length === 0 ? {} : { templates }),
      ...(fence.length === 0 ? {} : { fence }),
      ...(message === undefined ? {} : { message }),
      reason: request.reason,
      ...(ticket === undefined ? {} : { ticket }),
      ...(by === undefined ? {} : { by }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
    namesOff: isFencing ? carried : [],
    warnings,
    mistakes,
  };
}

/** The hold with the door of names closed that could not be taken off their classes. */
export function withCarriedNames(spec: DeviceHoldSpec, left: readonly CarriedName[]): DeviceHoldSpec {
  if (left.length === 0) return spec;
  return { ...spec, resources: [...new Set([...spec.resources ?? [], ...left.map(({ resource }) => resource)])].sort() };
}

/** `<migration>-<n>`, the first that is free. */
export function holdName(migration: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = `${migration}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Whether the time of a hold is over; `now` in milliseconds since 1970. It holds all the same. */
export function isExpired({ spec }: Pick<StandingHold, 'spec'>, now: number): boolean {
  return spec.expiresAt !== undefined && Date.parse(spec.expiresAt) <= now;
}

/** Classes of a pool that other pools offer too. */
function sharedClasses(migrations: readonly PlannedMigration[], { name, spec }: PlannedMigration): ReadonlyMap<string, readonly string[]> {
  const shared = new Map<string, readonly string[]>();
  for (const className of spec.deviceClassNames) {
    const pools = migrations.filter(other => other.name !== name && other.spec.deviceClassNames.includes(className)).map(other => other.name);
    if (pools.length > 0) shared.set(className, pools);
  }
  return shared;
}

function carriedNames(view: ClusterView, { spec }: PlannedMigration): readonly CarriedName[] {
  return [...spec.deviceClassNames].sort().flatMap(deviceClassName => {
    const resource = textAt(view.find('DeviceClass', '', deviceClassName)?.value, 'spec', 'extendedResourceName');
    return resource === '' ? [] : [{ deviceClassName, resource }];
  });
}

function fenceOf(view: ClusterView, migrations: readonly PlannedMigration[], { name, spec }: PlannedMigration, warnings: string[]): FencedDriver {
  const { driver } = spec;
  const others = migrations.filter(other => other.name !== name && other.spec.driver === driver).map(other => other.name);
  if (!view.isKnown('Node') || !view.isKnown('ResourceSlice')) {
    warnings.push(`Nodes or slices may not be read, so all of driver ${driver} is fenced${others.length === 0 ? '' : `, pools ${others.join(', ')} too`}.`);
    return { driver };
  }
  const { pools, elsewhere, silent } = driverPools(view, driver, poolNodes(view, spec));
  // Nodes that come later are fenced as well.
  if (others.length === 0 && elsewhere.every(pool => pools.includes(pool))) return { driver };
  const both = elsewhere.filter(pool => pools.includes(pool));
  if (both.length > 0) warnings.push(`Device pool ${both.join(', ')} reaches nodes outside of ${name} too: nothing new is allocated from it there either.`);
  const fenced = [...new Set([...pools, ...silent])].sort();
  if (fenced.length > HOLD_LIMITS.pools || fenced.length === 0) {
    warnings.push(fenced.length === 0
      ? `No node matches the pool, so all of driver ${driver} is fenced.`
      : `${fenced.length} device pools are more than a hold can name, so all of driver ${driver} is fenced, pools ${others.join(', ')} too.`);
    return { driver };
  }
  warnings.push(`Nodes that join ${name} after this are not fenced: other pools use driver ${driver} too, so the fence names its ${fenced.length} device pools.`);
  return { driver, pools: fenced };
}

/** The templates that ask for one of these classes; what is more than a hold can name is a mistake, unless a fence stops it too. */
function heldTemplates(
  view: ClusterView, classes: ReadonlySet<string>, isFencing: boolean, warnings: string[],
): { readonly templates: TemplateTexts; readonly mistakes: readonly string[] } {
  if (classes.size === 0) return { templates: {}, mistakes: [] };
  let known: ClassesByTemplate = templateClasses(view);
  if (!view.isKnown('ResourceClaimTemplate')) {
    const routed = objectAt(view.find('DeviceRouting', '', ROUTING_NAME)?.value, 'spec', 'templates');
    known = templatesOfTexts(Object.fromEntries(Object.keys(routed).map(namespace => [namespace, textAt(routed, namespace)])));
    warnings.push('Claim templates may not be read: only those that DeviceRouting names are held. A workload with another template is let in, and waits for devices only where a fence stands.');
  }
  const held = Object.entries(known).map(([template, names]) => [template, names.filter(name => classes.has(name))] as const);
  const templates = templateTexts(Object.fromEntries(held));
  const tooMuch = templateTextMistakes('a hold', templates);
  if (tooMuch.length === 0) return { templates, mistakes: [] };
  if (!isFencing) {
    return { templates, mistakes: tooMuch.map(mistake => `${mistake} Use --level Allocation, whose fence needs no names, or delete templates that nobody uses.`) };
  }
  warnings.push(`${tooMuch.join(' ')} It names none: new work by template is let in, and waits at the fence.`);
  return { templates: {}, mistakes: [] };
}

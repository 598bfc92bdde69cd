import { bridges } from './bridge';
import type { Bridge, Bridges } from './bridge';
import { doorText, meetDoors, openness } from './door-order';
import { handoverPools } from './handover-pools';
import type { PlannedMigration, StandingHold } from './plan';
import { routing, watchedTemplates } from './routing';
import { templateClasses } from './template-classes';
import { ROUTING_LIMITS, ROUTING_NAME, templatesOfTexts, templateTextMistakes } from '../api';
import type { ClassesByTemplate, DeviceRoutingSpec, DoorState, FencedPools } from '../api';
import type { Target } from '../target';
import type { ClusterView } from '../view';
import { objectAt, textAt } from '../view/json-field';

/** One difference between what is and what follows from the migrations. */
export interface RouteChange {
  readonly effect: 'closes' | 'opens' | 'words';
  /** E.g. `class gpu-large`, `resource nvidia.com/gpu`, `bridge gpu-large`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** One write; all of them in their order never open anything before everything that closes is closed. */
export type RouteStep =
  | { readonly kind: 'routing'; readonly spec: DeviceRoutingSpec; readonly text: string }
  | { readonly kind: 'bridge'; readonly deviceClassName: string; readonly resource?: string; readonly text: string };

export interface RoutePlan {
  readonly routing: DeviceRoutingSpec;
  readonly bridges: Bridges;
  readonly changes: readonly RouteChange[];
  readonly steps: readonly RouteStep[];
  /** What cannot be as the migrations want it, a sentence each; with one of them nothing should be written. */
  readonly mistakes: readonly string[];
  /** What is worth knowing and no mistake. */
  readonly notes: readonly string[];
}

/** What the objects of a cluster need to be as its migrations say. */
export function routePlan(view: ClusterView, migrations: readonly PlannedMigration[], holds: readonly StandingHold[], target: Target): RoutePlan {
  const templates = templateClasses(view);
  const wanted = routing(migrations, target, { templates, fencedPools: handoverPools(view, migrations), holds });
  const current = currentRouting(view);
  const served = bridges(migrations, target, holds);
  const names = bridgeChanges(view, migrations, served);
  const closed = closedPart(current ?? {}, wanted, templates);
  const steps: RouteStep[] = [];
  let written = current;
  const write = (spec: DeviceRoutingSpec, what: string) => {
    steps.push({ kind: 'routing', spec, text: `write ${what}` });
    written = spec;
  };
  // A routing that is missing closes nothing.
  if (words(closed) !== words(current ?? {})) write(closed, words(closed) === words(wanted) ? 'DeviceRouting' : 'of DeviceRouting what closes');
  const before = written;
  steps.push(...names.off, ...names.on);
  if (before === undefined || words(before) !== words(wanted)) write(wanted, before === current ? 'DeviceRouting' : 'the rest of DeviceRouting');
  return {
    routing: wanted,
    bridges: served,
    changes: [...doorChanges(current ?? {}, wanted), ...names.changes],
    steps,
    mistakes: [...names.mistakes, ...new Set([closed, wanted].flatMap(limitMistakes))],
    notes: names.notes,
  };
}

function currentRouting(view: ClusterView): DeviceRoutingSpec | undefined {
  const routes = view.find('DeviceRouting', '', ROUTING_NAME);
  return routes && objectAt(routes.value, 'spec') as DeviceRoutingSpec;
}

/** The stricter of both states, door by door. */
function closedPart(before: DeviceRoutingSpec, after: DeviceRoutingSpec, all: ClassesByTemplate): DeviceRoutingSpec {
  const classes = meetAll(before.classes, after.classes);
  const resources = meetAll(before.resources, after.resources);
  const templates = watchedTemplates(classes, all);
  const fences = unionOf(fenceMap(before.fencedPools), fenceMap(after.fencedPools));
  return {
    ...(after.classes === undefined && Object.keys(classes).length === 0 ? {} : { classes }),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    ...(Object.keys(templates).length === 0 ? {} : { templates }),
    ...(Object.keys(fences).length === 0 ? {} : { fencedPools: Object.entries(fences).map(([driver, pools]) => ({ driver, pools })) }),
  };
}

type Doors = DeviceRoutingSpec['classes'];

function meetAll(before: Doors = {}, after: Doors = {}): Readonly<Record<string, DoorState>> {
  const result: Record<string, DoorState> = {};
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const met = meetDoors(before[name], after[name]);
    // Open by itself; an entry that says so is kept only if it stays.
    if (met !== undefined && (after[name] !== undefined || met.door !== 'Open')) result[name] = met;
  }
  return result;
}

function unionOf(a: Lists, b: Lists): Record<string, readonly string[]> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(names.map(name => [name, [...new Set([...a[name] ?? [], ...b[name] ?? []])].sort()]));
}

type Lists = Readonly<Record<string, readonly string[]>>;

function fenceMap(fences: readonly FencedPools[] = []): Lists {
  return Object.fromEntries(fences.map(({ driver, pools }) => [driver, pools]));
}

function doorChanges(before: DeviceRoutingSpec, after: DeviceRoutingSpec): readonly RouteChange[] {
  return [
    ...stateChanges('class', before.classes, after.classes),
    ...stateChanges('resource', before.resources, after.resources),
    ...listChanges('template', templatesOfTexts(before.templates ?? {}), templatesOfTexts(after.templates ?? {}), 'watched for', 'not watched'),
    ...listChanges('driver', fenceMap(before.fencedPools), fenceMap(after.fencedPools), 'fenced on', 'not fenced'),
  ];
}

function stateChanges(kind: string, before: Doors = {}, after: Doors = {}): readonly RouteChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): RouteChange[] => {
    const [old, next] = [before[name], after[name]];
    if (words(old) === words(next)) return [];
    const [from, to] = [doorText(old), doorText(next)];
    if (from === to) return [{ effect: 'words', what: `${kind} ${name}`, before: old?.message ?? '', after: next?.message ?? '' }];
    const met = meetDoors(old, next);
    const effect = doorText(met) === to && openness(next) <= openness(old) ? 'closes' : 'opens';
    return [{ effect, what: `${kind} ${name}`, before: from, after: to }];
  });
}

function listChanges(kind: string, before: Lists, after: Lists, some: string, none: string): readonly RouteChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): RouteChange[] => {
    const [old, next] = [before[name] ?? [], after[name] ?? []];
    if (words([...old].sort()) === words([...next].sort())) return [];
    const said = (list: readonly string[]) => (list.length === 0 ? none : `${some} ${list.join(', ')}`);
    return [{ effect: next.every(one => old.includes(one)) ? 'opens' : 'closes', what: `${kind} ${name}`, before: said(old), after: said(next) }];
  });
}

interface BridgeChanges {
  readonly off: readonly RouteStep[];
  readonly on: readonly RouteStep[];
  readonly changes: readonly RouteChange[];
  readonly mistakes: readonly string[];
  readonly notes: readonly string[];
}

/** Classes of migrations only: the name of any other class is somebody else's. */
function bridgeChanges(view: ClusterView, migrations: readonly PlannedMigration[], { open, closed }: Bridges): BridgeChanges {
  const ours = [...new Set(migrations.flatMap(({ spec }) => spec.deviceClassNames))].sort();
  const wanted = new Map(open.map(({ deviceClassName, resource }: Bridge) => [deviceClassName, resource]));
  const off: RouteStep[] = [];
  const on: RouteStep[] = [];
  const changes: RouteChange[] = [];
  const mistakes: string[] = [];
  const notes = closed.map(({ resource, why }) => `${resource} is not served by a class: ${why}.`);
  for (const name of ours) {
    const deviceClass = view.find('DeviceClass', '', name);
    if (deviceClass === undefined) {
      if (view.isKnown('DeviceClass')) notes.push(`Class ${name} of a migration does not exist; its door is decided all the same.`);
      continue;
    }
    const current = textAt(deviceClass.value, 'spec', 'extendedResourceName');
    const next = wanted.get(name) ?? '';
    if (current === next) continue;
    if (current !== '') off.push({ kind: 'bridge', deviceClassName: name, text: `take ${current} off class ${name}` });
    if (next !== '') {
      const other = view.all('DeviceClass').find(one => !ours.includes(one.name) && textAt(one.value, 'spec', 'extendedResourceName') === next);
      if (other) mistakes.push(`${next} cannot go on class ${name}: class ${other.name}, which is in no migration, carries it, and the scheduler would take the newest of two. Take it off there.`);
      else on.push({ kind: 'bridge', deviceClassName: name, resource: next, text: `put ${next} on class ${name}` });
    }
    const said = (resource: string) => (resource === '' ? 'no name' : resource);
    changes.push({ effect: next === '' ? 'closes' : 'opens', what: `bridge ${name}`, before: said(current), after: said(next) });
  }
  return { off, on, changes, mistakes, notes };
}

function limitMistakes({ classes = {}, resources = {}, templates = {}, fencedPools = [] }: DeviceRoutingSpec): readonly string[] {
  const over = (count: number, limit: number, what: string, help: string) => (count <= limit ? [] : [`DeviceRouting takes at most ${limit} ${what}, there are ${count}. ${help}`]);
  return [
    ...over(Object.keys(classes).length, ROUTING_LIMITS.classes, 'classes', 'Let pools share classes.'),
    ...over(Object.keys(resources).length, ROUTING_LIMITS.resources, 'resources', 'Retire migrations that are finished.'),
    ...templateTextMistakes('DeviceRouting', templates).map(mistake => `${mistake} Only templates of classes that are not open count: delete those that nobody uses, or open the classes.`),
    ...fencedPools.flatMap(({ driver, pools }) => over(pools.length, ROUTING_LIMITS.pools, `fenced pools of driver ${driver}`, 'Hand over fewer nodes at once.')),
  ];
}

/** The same words for the same value, whatever the order of keys and of lists that are sets. */
function words(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (Array.isArray(one)) return one.every(item => typeof item === 'string') ? [...one as string[]].sort() : one;
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).filter(([, inner]) => !isEmpty(inner)).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) ?? '';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

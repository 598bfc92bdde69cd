import type { HeldPool, PlannedMigration } from './plan';
import { phasesOf } from './pool-phases';
import type { LegacyResourceSpec } from '../api';
import { PHASE_TABLE } from '../phases/phase-table';
import type { Target } from '../target';

/** What a class gets so that pods may ask for its devices by the name of the device plugin. */
export interface Bridge {
  readonly deviceClassName: string;
  readonly resource: string;
}

/** A legacy resource that no class serves, and why. */
export interface ClosedBridge {
  readonly resource: string;
  readonly why: string;
}

/** Which resources are served by a class, and which are not. */
export interface Bridges {
  readonly open: readonly Bridge[];
  readonly closed: readonly ClosedBridge[];
}

/**
 * Which class serves each legacy resource.
 *
 * One class a resource, since the scheduler takes the newest of two: the first class of the migration that comes first by name.
 * The name is on the class only while every pool of the resource is in Expand or further, and only for whole devices:
 * the bridge counts devices, never parts of one. A hold from level Allocation on takes the name away: else the scheduler goes on choosing
 * fenced nodes and is refused.
 */
export function bridges(migrations: readonly PlannedMigration[], target: Target, holds: readonly HeldPool[] = []): Bridges {
  const open: Bridge[] = [];
  const closed: ClosedBridge[] = [];
  for (const [resource, pools] of [...poolsByResource(migrations)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bridge = bridgeOf(resource, pools, target, holds);
    const taken = 'why' in bridge ? undefined : open.find(({ deviceClassName }) => deviceClassName === bridge.deviceClassName);
    if ('why' in bridge) closed.push(bridge);
    else if (taken === undefined) open.push(bridge);
    else closed.push({ resource, why: `class ${bridge.deviceClassName} serves ${taken.resource} already, and a class carries one name` });
  }
  return { open, closed };
}

/** The class that serves one resource of these pools, or why none does; whether the class is taken by another resource is not looked at. */
export function bridgeOf(
  resource: string, pools: readonly PlannedMigration[], target: Target, holds: readonly HeldPool[] = [],
): Bridge | ClosedBridge {
  const why = whyClosed(resource, pools, target) ?? whyHeld(pools, holds);
  return why === undefined ? { deviceClassName: pools[0].spec.deviceClassNames[0], resource } : { resource, why };
}

/** The migrations that take over each legacy resource, in order of their names. */
export function poolsByResource(migrations: readonly PlannedMigration[]): ReadonlyMap<string, readonly PlannedMigration[]> {
  const pools = new Map<string, PlannedMigration[]>();
  for (const migration of [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const { name } of migration.spec.legacy?.resources ?? []) pools.set(name, [...pools.get(name) ?? [], migration]);
  }
  return pools;
}

function whyHeld(pools: readonly PlannedMigration[], holds: readonly HeldPool[]): string | undefined {
  const hold = holds.find(({ spec }) => spec.level !== 'Door' && pools.some(({ name }) => name === spec.migration));
  return hold && `pool ${hold.spec.migration} is held by ${hold.name} at level ${hold.spec.level}`;
}

function whyClosed(resource: string, pools: readonly PlannedMigration[], target: Target): string | undefined {
  if (!target.atLeast('1.36') || !target.fieldSupport('DeviceClassSpec', 'extendedResourceName').supported) {
    return `Kubernetes ${target.minor} does not serve an extended resource by a class unless DRAExtendedResource is on; the bridge is used from 1.36`;
  }
  const behind = pools.filter(({ spec }) => !PHASE_TABLE[spec.phase].bridge);
  if (behind.length > 0) return `pool ${phasesOf(behind)}; all pools of the resource must be in Expand`;
  const isPart = ({ name, unitsPerDevice = 1, partition }: LegacyResourceSpec) => {
    return name === resource && (unitsPerDevice > 1 || partition !== undefined);
  };
  const shared = pools.find(({ spec }) => spec.legacy?.resources.some(isPart));
  if (shared) return `a unit of it is a part of a device in pool ${shared.name}, and the bridge counts whole devices`;
  const classes = new Set(pools.map(({ spec }) => spec.deviceClassNames[0]));
  if (classes.size > 1) return `its pools have different first classes (${[...classes].sort().join(', ')}), and one class alone may carry the name`;
  return undefined;
}

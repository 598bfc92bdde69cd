import { bridgeOf } from './bridge';
import type { PlannedMigration } from './plan';
import { classDoor } from './routing';
import type { DoorState, Interruption } from '../api';
import type { Target } from '../target';

/** Which way a workload takes: the extended resource, or claims. */
export type ChosenPath = 'resource' | 'claim';

/** What decides about the way of one workload. */
export interface PathWish {
  readonly namespace?: string;
  readonly interruption: Interruption;
  /** Extended resource that it may ask for. */
  readonly resource: string;
  /** Whether claims are taken as soon as they may be, also where a class can serve the resource. */
  readonly claimsWhenOpen: boolean;
  /** What it does while claims are not open to it and no class can serve the resource. */
  readonly fallback: 'ExtendedResource' | 'Wait';
}

/**
 * The way of a workload through the phases of its pools.
 *
 * Where a class can serve the resource, the resource is right in every phase: nobody has to change when a pool moves, or goes back. Elsewhere
 * claims are taken as soon as the doors let this workload in.
 */
export function pathChoice(pools: readonly PlannedMigration[], target: Target, wish: PathWish): ChosenPath {
  if (!wish.claimsWhenOpen && canBeServed(wish.resource, pools, target)) return 'resource';
  const doors = [...new Set(pools.flatMap(({ spec }) => spec.deviceClassNames))]
    .map(name => classDoor(name, pools.filter(({ spec }) => spec.deviceClassNames.includes(name))));
  if (doors.some(door => letsIn(door, wish))) return 'claim';
  return wish.fallback === 'Wait' ? 'claim' : 'resource';
}

/** Whether a class of the pools can serve a resource on this cluster once they all have come far enough. */
export function canBeServed(resource: string, pools: readonly PlannedMigration[], target: Target): boolean {
  const own = pools.filter(({ spec }) => spec.legacy?.resources.some(({ name }) => name === resource) === true);
  return own.length > 0 && !('why' in bridgeOf(resource, own.map(({ name, spec }) => ({ name, spec: { ...spec, phase: 'PluginRemoved' as const } })), target));
}

/** As the door policy decides. */
function letsIn({ door, namespaces = [], interruptions }: DoorState, { namespace, interruption }: PathWish): boolean {
  if (door === 'Closed' || (interruptions !== undefined && !interruptions.includes(interruption))) return false;
  return door !== 'Canary' || (namespace !== undefined && namespaces.includes(namespace));
}

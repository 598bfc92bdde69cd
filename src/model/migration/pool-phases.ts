import type { PlannedMigration } from './plan';

/** `a100 is in Canary, h100 is in Expand`; of many the first, as a message of a door has a bound. */
export function phasesOf(pools: readonly PlannedMigration[]): string {
  return shownNames(pools.map(({ name, spec }) => `${name} is in ${spec.phase}`).sort());
}

/** Some names of a sorted list, and how many there are more. */
export function shownNames(names: readonly string[], separator: string = ', '): string {
  const left = names.length - MOST_NAMES;
  return left <= 1 ? names.join(separator) : `${names.slice(0, MOST_NAMES).join(', ')} and ${left} more`;
}

const MOST_NAMES = 5;

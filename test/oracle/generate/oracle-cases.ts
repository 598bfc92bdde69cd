import { allocationCases } from './allocation-cases';
import type { Kind, Minor, OracleCase } from './question';
import { selectorCases } from './selector-cases';

/** The cases of a seed; a longer list begins with the shorter one. */
export function oracleCases(kind: Kind, seed: number, count: number, minor: Minor): OracleCase[] {
  return kind === 'eval' ? selectorCases(seed, count, minor) : allocationCases(seed, count, minor);
}

export { MINORS } from './question';

import { allocationCases } from './allocation-cases';
import { policyCases } from './policy-cases';
import type { Kind, Minor, OracleCase } from './question';
import { selectorCases } from './selector-cases';

/** The cases of a seed; a longer list begins with the shorter one. */
export function oracleCases(kind: Kind, seed: number, count: number, minor: Minor): OracleCase[] {
  switch (kind) {
    case 'eval': return selectorCases(seed, count, minor);
    case 'allocate': return allocationCases(seed, count, minor);
    case 'admit': return policyCases(seed, count, minor);
  }
}

export { MINORS } from './question';

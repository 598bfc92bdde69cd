import { equal } from './equality';
import { requireHashable } from './map';
import { losslessInt } from './number';
import { charge } from './state';
import type { Run } from './state';
import { CelError, CelOptional, CelUint, noSuchOverload } from './value';
import type { CelList, Value } from './value';
import type { CallCost } from '../cost/call-cost';
import type { CelGo } from '../environment';

/** `&&` and `||`: the deciding value wins over errors on either side. */
export function logic(deciding: boolean, [left, right]: readonly Run[]): Run {
  return (state) => {
    const a = left(state);
    if (a === deciding) return deciding;
    const b = right(state);
    if (b === deciding) return deciding;
    if (typeof a !== 'boolean') return noSuchOverload(a);
    return typeof b === 'boolean' ? !deciding : noSuchOverload(b);
  };
}

export function comparison(cost: CallCost, left: Run, right: Run, outcome: (result: Value) => Value): Run {
  return (state) => {
    const a = left(state);
    const b = right(state);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : outcome(equal(a, b));
    charge(state, typeof cost === 'number' ? cost : cost(result, a, b));
    return result;
  };
}

export function notStrictlyFalse(operand: Run): Run {
  return (state) => {
    const value = operand(state);
    charge(state, 1);
    return typeof value === 'boolean' ? value : true;
  };
}

/** `or` and `orValue`, which look at their second operand only if they need it, and cost nothing themselves. */
export function either(left: Run, right: Run, celGo: CelGo, unwrap: (optional: CelOptional) => Value): Run {
  return (state) => {
    const value = left(state);
    // Before cel-go 0.29, a value that is no optional was taken as it is.
    if (!(value instanceof CelOptional)) return celGo === '0.26' ? value : noSuchOverload(value);
    return value.value === undefined ? right(state) : unwrap(value);
  };
}

/** `x in [constants]` as a lookup, which costs nothing; undefined if the constants cannot be looked up. */
export function membership(run: Run, list: CelList): Run | undefined {
  const simple = new Set<Value>();
  const uints = new Set<bigint>();
  for (const value of list) {
    if (typeof value === 'string' || typeof value === 'boolean') simple.add(value);
    else if (typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint) addNumber(value, simple, uints);
    else return undefined;
  }
  return (state) => {
    const value = run(state);
    if (value instanceof CelError) return value;
    requireHashable(value);
    return value instanceof CelUint ? uints.has(value.value) : simple.has(value);
  };
}

/** A number with its equals of the other numeric types. */
function addNumber(value: bigint | number | CelUint, simple: Set<Value>, uints: Set<bigint>): void {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return;
    simple.add(value);
    const integer = losslessInt(value);
    if (integer !== undefined) simple.add(integer);
    if (integer !== undefined && integer >= 0n) uints.add(integer);
    return;
  }
  const integer = typeof value === 'bigint' ? value : value.value;
  if (typeof value === 'bigint' || integer < 2n ** 63n) simple.add(integer);
  if (integer >= 0n) uints.add(integer);
  simple.add(Number(integer));
}

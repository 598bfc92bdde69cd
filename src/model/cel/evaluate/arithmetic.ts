import { int, INT_OVERFLOW, MIN_INT, uint } from './number';
import { INTERRUPTED } from './state';
import { duration, timestamp } from './time';
import { CelDuration, CelError, CelTimestamp, CelUint, GrowingList, isList, JoinedList, noSuchOverload } from './value';
import type { CelList, Value } from './value';

export const DIVISION_BY_ZERO = new CelError('division by zero');
export const MODULUS_BY_ZERO = new CelError('modulus by zero');

export function add(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a + b) : noSuchOverload(b);
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a + b : noSuchOverload(b);
  if (isList(a)) return isList(b) ? concatenate(a, b) : noSuchOverload(b);
  if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value + b.value) : noSuchOverload(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? joinBytes(a, b) : noSuchOverload(b);
  if (a instanceof CelDuration) {
    if (b instanceof CelDuration) return duration(a.nanoseconds + b.nanoseconds);
    return b instanceof CelTimestamp ? timestamp(b.nanoseconds + a.nanoseconds, b.offsetMinutes) : noSuchOverload(b);
  }
  if (a instanceof CelTimestamp && b instanceof CelDuration) return timestamp(a.nanoseconds + b.nanoseconds, a.offsetMinutes);
  return noSuchOverload(b);
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a - b) : noSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a - b : noSuchOverload(b);
  if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value - b.value) : noSuchOverload(b);
  if (a instanceof CelDuration) return b instanceof CelDuration ? duration(a.nanoseconds - b.nanoseconds) : noSuchOverload(b);
  if (a instanceof CelTimestamp) {
    if (b instanceof CelTimestamp) return duration(a.nanoseconds - b.nanoseconds);
    // Upstream adds the negative of the duration, and the longest one has none.
    if (b instanceof CelDuration) return b.nanoseconds === MIN_INT ? INT_OVERFLOW : timestamp(a.nanoseconds - b.nanoseconds, a.offsetMinutes);
  }
  return noSuchOverload(b);
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a * b) : noSuchOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a * b : noSuchOverload(b);
  return a instanceof CelUint && b instanceof CelUint ? uint(a.value * b.value) : noSuchOverload(b);
}

export function divide(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b !== 'bigint' ? noSuchOverload(b) : b === 0n ? DIVISION_BY_ZERO : int(a / b);
  if (typeof a === 'number') return typeof b === 'number' ? a / b : noSuchOverload(b);
  if (!(a instanceof CelUint) || !(b instanceof CelUint)) return noSuchOverload(b);
  return b.value === 0n ? DIVISION_BY_ZERO : new CelUint(a.value / b.value);
}

export function modulo(a: Value, b: Value): Value {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return noSuchOverload(b);
    if (b === 0n) return MODULUS_BY_ZERO;
    return a === MIN_INT && b === -1n ? int(-a) : a % b;
  }
  if (!(a instanceof CelUint) || !(b instanceof CelUint)) return noSuchOverload(b);
  return b.value === 0n ? MODULUS_BY_ZERO : new CelUint(a.value % b.value);
}

export function negate(a: Value): Value {
  if (typeof a === 'bigint') return int(-a);
  if (typeof a === 'number') return -a;
  return a instanceof CelDuration ? duration(-a.nanoseconds) : noSuchOverload(a);
}

/** Longest list that `+` makes: its price does not depend on the length. */
const MAX_LIST = 5_000_000;

/** Lists that a comprehension fills grow in place; all others are copied. */
function concatenate(a: CelList, b: CelList): Value {
  if (a.length + b.length > MAX_LIST) throw INTERRUPTED;
  if (a instanceof GrowingList) {
    for (const element of [...b]) a.push(element);
    return a;
  }
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const joined = new JoinedList(a.length + b.length);
  for (let index = 0; index < a.length; index++) joined[index] = a[index];
  for (let index = 0; index < b.length; index++) joined[a.length + index] = b[index];
  return joined;
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

import { compareNumbers } from './number';
import type { CelNumber } from './number';
import { timestampOrder } from './time';
import { CelDuration, CelError, CelTimestamp, CelUint, noSuchOverload } from './value';
import type { Value } from './value';

const NOT_A_NUMBER = new CelError('NaN values cannot be ordered');

/** Order of two values, or why they have none. */
export function compare(a: Value, b: Value): -1 | 0 | 1 | CelError {
  if (typeof a === 'bigint' || typeof a === 'number' || a instanceof CelUint) {
    if (typeof b !== 'bigint' && typeof b !== 'number' && !(b instanceof CelUint)) {
      return typeof a === 'number' && Number.isNaN(a) ? NOT_A_NUMBER : noSuchOverload(b);
    }
    return numeric(a, b);
  }
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : noSuchOverload(b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? sign(Number(a) - Number(b)) : noSuchOverload(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : noSuchOverload(b);
  if (a instanceof CelDuration) return b instanceof CelDuration ? compareBigints(a.nanoseconds, b.nanoseconds) : noSuchOverload(b);
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp ? compareBigints(timestampOrder(a), timestampOrder(b)) : noSuchOverload(b);
  return noSuchOverload(a);
}

/** Whether values of this kind have an order. */
export function isOrdered(value: Value): boolean {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    || value instanceof CelUint || value instanceof Uint8Array || value instanceof CelDuration || value instanceof CelTimestamp;
}

function numeric(a: CelNumber, b: CelNumber): -1 | 0 | 1 | CelError {
  const order = compareNumbers(a, b);
  return Number.isNaN(order) ? NOT_A_NUMBER : sign(order);
}

/** By code point, which is Go's order of UTF-8; UTF-16 units would put the planes above the first too low. */
export function compareStrings(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? sign(left - right) : isSurrogate(left) ? 1 : -1;
  }
  return sign(a.length - b.length);
}

/** A surrogate stands for a code point above all that are written as one unit. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return sign(a[index] - b[index]);
  }
  return sign(a.length - b.length);
}

function compareBigints(a: bigint, b: bigint): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sign(order: number): -1 | 0 | 1 {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

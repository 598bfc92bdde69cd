import { CelError, CelUint } from './value';

export const MAX_INT = 2n ** 63n - 1n;
export const MIN_INT = -(2n ** 63n);
export const MAX_UINT = 2n ** 64n - 1n;

export const INT_OVERFLOW = new CelError('integer overflow');
export const UINT_OVERFLOW = new CelError('unsigned integer overflow');

export type CelNumber = bigint | number | CelUint;

export function isInt64(value: bigint): boolean {
  return value >= MIN_INT && value <= MAX_INT;
}

export function int(value: bigint): bigint | CelError {
  return isInt64(value) ? value : INT_OVERFLOW;
}

export function uint(value: bigint): CelUint | CelError {
  return value >= 0n && value <= MAX_UINT ? new CelUint(value) : UINT_OVERFLOW;
}

/** Order of two numbers of any types; NaN for doubles that are none. An int or uint is compared with a double as a double. */
export function compareNumbers(a: CelNumber, b: CelNumber): number {
  if (typeof a === 'number') return compareDouble(a, b);
  if (typeof b === 'number') return -compareDouble(b, a);
  const left = typeof a === 'bigint' ? a : a.value;
  const right = typeof b === 'bigint' ? b : b.value;
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareDouble(a: number, b: CelNumber): number {
  if (typeof b === 'number') return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;
  if (Number.isNaN(a)) return NaN;
  const other = Number(typeof b === 'bigint' ? b : b.value);
  return a < other ? -1 : a > other ? 1 : 0;
}

/** The int that is exactly this double. */
export function losslessInt(value: number): bigint | undefined {
  if (!Number.isInteger(value)) return undefined;
  const integer = BigInt(value);
  return isInt64(integer) && value < 2 ** 63 ? integer : undefined;
}

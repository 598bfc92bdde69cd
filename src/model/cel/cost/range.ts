/** A number of elements or a cost, at least and at most; 2^64-1 stands for no bound, and sums and products stay there. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const UNBOUNDED = 2n ** 64n - 1n;
export const UNKNOWN: Range = { min: 0n, max: UNBOUNDED };
export const ZERO: Range = { min: 0n, max: 0n };
export const ONE: Range = { min: 1n, max: 1n };

export function exactly(value: bigint): Range {
  return { min: value, max: value };
}

export function plus(a: Range, b: Range): Range {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) };
}

export function times(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** As cel-go, by way of doubles, rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: scaledUp(min, factor), max: scaledUp(max, factor) };
}

export function union(a: Range, b: Range): Range {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

function capped(value: bigint): bigint {
  return value > UNBOUNDED ? UNBOUNDED : value;
}

function scaledUp(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? UNBOUNDED : BigInt(product);
}

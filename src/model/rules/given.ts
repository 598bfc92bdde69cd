import { show as showJson } from '../problem';

/** A value as messages quote it, also where it is no JSON: readers may yield big integers, constructs anything. */
export function show(value: unknown): string {
  return showJson(printable(value, 0));
}

const MAX_DEPTH = 20;

function printable(value: unknown, depth: number): unknown {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol' || depth > MAX_DEPTH) return null;
  if (typeof value === 'bigint') return depth === 0 ? value : String(value);
  if (Array.isArray(value)) return value.map((item) => printable(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, printable(inner, depth + 1)]));
  }
  return value;
}

import { MAX_DEPTH } from './yaml-events.js';

/**
 * The value of a text that is one JSON value and nothing else, read by the engine, several times faster than `parseJsonValue`; undefined
 * wherever that would have more to say: about a mistake, a key that stands twice, nesting, or a number that only a bigint holds.
 */
export function wholeJson(text: string): { readonly value: unknown } | undefined {
  if (HARD_NUMBER.test(text) || SPACED_COLON.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // The engine keeps the last of equal keys, and then the value has fewer than the text.
  return keysOf(value, 0) === keysIn(text) ? { value } : undefined;
}

/** A whole number of more digits than a double holds, or one with an exponent. */
const HARD_NUMBER = /(?:^|[:[,])\s*-?(?:\d{16}|\d+(?:\.\d+)?[eE])/;
/** Between a key and its colon hardly anybody writes white space; keys are counted without it. */
const SPACED_COLON = /"\s+:/;

/** Keys of objects at any depth; NaN, which equals nothing, when it is too deep. */
function keysOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_DEPTH) return NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const one of value) count += keysOf(one, depth + 1);
    return count;
  }
  for (const key in value) count += 1 + keysOf((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  return count;
}

/** At least the keys that a text has: a string that begins with a colon counts too. */
function keysIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) count++;
  }
  return count;
}

const BACKSLASH = 0x5c;

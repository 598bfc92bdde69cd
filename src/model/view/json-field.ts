import { asObject } from '../manifests/manifest-set';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';

/*
 * Reads objects that nobody has checked: what is missing or of another type has the zero value.
 */

/** The value behind field names; undefined where a step is missing. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    const object = asObject(found);
    if (object === undefined || !Object.hasOwn(object, step)) return undefined;
    found = object[step];
  }
  return found ?? undefined;
}

export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  return asObject(field(value, ...path)) ?? EMPTY;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = field(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The objects of a list. */
export function objectsAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found.filter(one => asObject(one) !== undefined) as readonly JsonObject[] : NONE;
}

/** The texts of a list. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : NO_TEXTS;
}

/** The texts of a map, such as labels. */
export function textMapAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, ...path)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

export function wholeAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = field(value, ...path);
  if (typeof found === 'bigint') return Number(found);
  return typeof found === 'number' && Number.isInteger(found) ? found : undefined;
}

/** The quantities of a map, such as requests; what is no quantity is left out. */
export function quantitiesAt(value: unknown, ...path: readonly string[]): ReadonlyMap<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, amount] of Object.entries(objectAt(value, ...path))) {
    const quantity = typeof amount === 'string' ? knownQuantity(amount) : Quantity.fromJson(amount);
    if (quantity instanceof Quantity) found.set(name, quantity);
  }
  return found;
}

/** Thousands of nodes and pods repeat the same amounts. */
function knownQuantity(text: string): ReturnType<typeof Quantity.fromJson> {
  let quantity = QUANTITIES.get(text);
  if (quantity === undefined) {
    if (QUANTITIES.size >= MOST_QUANTITIES) QUANTITIES.clear();
    QUANTITIES.set(text, quantity = Quantity.fromJson(text));
  }
  return quantity;
}

const QUANTITIES = new Map<string, ReturnType<typeof Quantity.fromJson>>();
const MOST_QUANTITIES = 1000;

const EMPTY: JsonObject = Object.freeze({});
const NONE: readonly JsonObject[] = Object.freeze([]);
const NO_TEXTS: readonly string[] = Object.freeze([]);

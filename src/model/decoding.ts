import { Quantity } from './quantity';

export type JsonObject = Readonly<Record<string, unknown>>;

/*
 * Reads API objects as Go's decoder does: what is absent or null has the zero value, unknown fields are ignored, and a value of
 * another type is refused with its place.
 */

export function readObject(value: unknown, path: string): JsonObject {
  if (value === undefined || value === null) return EMPTY;
  if (typeof value !== 'object' || Array.isArray(value)) return refuse(path, 'an object', value);
  return value as JsonObject;
}

/** As `readObject`, for an object of its own, which cannot be absent. */
export function readManifest(value: unknown, path: string): JsonObject {
  return value === undefined || value === null ? refuse(path, 'an object', value) : readObject(value, path);
}

export function readList(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return NONE;
  return Array.isArray(value) ? value : refuse(path, 'a list', value);
}

export function readText(value: unknown, path: string): string {
  return readOptionalText(value, path) ?? '';
}

export function readOptionalText(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : refuse(path, 'a text', value);
}

export function readTexts(value: unknown, path: string): readonly string[] {
  const list = readList(value, path);
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== 'string') return list.map((one, at) => readText(one, `${path}[${at}]`));
  }
  return list as readonly string[];
}

export function readFlag(value: unknown, path: string): boolean {
  return readOptionalFlag(value, path) ?? false;
}

export function readOptionalFlag(value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'boolean' ? value : refuse(path, 'true or false', value);
}

/** A whole number of 64 bits; one beyond 2^53 has lost its last digits in JSON unless it comes as a bigint. */
export function readWhole(value: unknown, path: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 ? value : refuse(path, 'a whole number of 64 bits', value);
}

export function readQuantity(value: unknown, path: string): Quantity {
  if (value === undefined || value === null) return ZERO;
  const quantity = Quantity.fromJson(value);
  return quantity instanceof Quantity ? quantity : refuse(path, 'a quantity', value);
}

export function readOptionalQuantity(value: unknown, path: string): Quantity | undefined {
  return value === undefined || value === null ? undefined : readQuantity(value, path);
}

function refuse(path: string, wanted: string, given: unknown): never {
  const shown = typeof given === 'bigint' ? String(given) : JSON.stringify(given) ?? String(given);
  throw new Error(`'${path}' must be ${wanted}, got ${shown.length > 100 ? `${shown.slice(0, 100)}…` : shown}.`);
}

const EMPTY: JsonObject = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);
const ZERO = Quantity.of(0n);

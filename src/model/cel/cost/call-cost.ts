import type { CelGo } from '../environment';
import { CelMap } from '../evaluate/map';
import { costSize, utf8Length } from '../evaluate/size';
import { Cancellation } from '../evaluate/state';
import { goTypeName } from '../evaluate/type-name';
import { CelDuration, CelObject, CelTimestamp, CelUint, isList } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { CHECK_COST } from '../library/authorizer';
import { CelFormat } from '../library/formats';
import { SORTABLE } from '../library/list-extensions';

/** What a call costs: always the same, or by its result and first two arguments. */
export type CallCost = number | ((result: Value, a: Value, b: Value) => number | bigint);

/**
 * The cost of calls at run time (cel-go `interpreter/runtimecost.go`, `k8s.io/apiserver/pkg/cel/library/cost.go`).
 *
 * `id` is the overload, or empty if several may apply.
 */
export function callCost(functionName: string, id: string, celGo: CelGo): CallCost {
  return (celGo === '0.29' ? BY_ID_0_29.get(id) : undefined) ?? BY_TRACKED_ID.get(id) ?? BY_FUNCTION.get(functionName)?.(id) ?? BY_ID.get(id) ?? 1;
}

/** Cost of reading a text of this size once. */
function traversal(size: number, factor = 0.1): number {
  return Math.ceil(size * factor);
}

function readsFirst(_result: Value, a: Value): number {
  return traversal(costSize(a));
}

function readsSecond(_result: Value, _a: Value, b: Value): number {
  return traversal(costSize(b));
}

function readsFirstTwice(_result: Value, a: Value): number {
  return traversal(costSize(a) * 2);
}

function comparesBoth(_result: Value, a: Value, b: Value): number {
  if (typeof a !== 'string' && typeof b !== 'string' && !isSized(a) && !isSized(b)) return 1;
  return traversal(Math.min(costSize(a), costSize(b)));
}

function isSized(value: Value): boolean {
  return value !== null && typeof value === 'object';
}

function readsBoth(_result: Value, a: Value, b: Value): number {
  return traversal(costSize(a) + costSize(b));
}

function searches(_result: Value, a: Value, b: Value): number {
  return traversal(costSize(a)) * traversal(costSize(b));
}

function matchesRegex(_result: Value, text: Value, pattern: Value): number {
  return traversal(1 + costSize(text)) * traversal(costSize(pattern), 0.25);
}

/** A list of requirements, each of at least two characters. */
function parsesSelector(_result: Value, _a: Value, b: Value): number {
  const size = costSize(b);
  return 10 + traversal(size) + Math.ceil(size * 0.5) * 50;
}

const BY_ID: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string', 'strings_quote', 'string_format']
    .map((id) => [id, readsFirst] as const),
  ['in_list', (_result, _a, b) => costSize(b)],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [[`${name}_string`, comparesBoth], [`${name}_bytes`, comparesBoth]] as const),
  ['equals', comparesBoth],
  ['not_equals', comparesBoth],
  ['add_string', readsBoth],
  ['add_bytes', readsBoth],
  ['matches_string', matchesRegex],
  ['contains_string', searches],
]);

/** Overloads that cost something else since cel-go 0.29. */
const BY_ID_0_29: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_flatten_int', flattensFrom029],
  ['starts_with_string', readsSecond],
  ['ends_with_string', readsSecond],
  ['matches', matchesRegex],
  ['list_includes_dyn_dyn', (_result, a) => traverse(a)],
]);

/** Functions that Kubernetes prices whatever the overload; undefined leaves the price to the overload. */
const BY_FUNCTION: ReadonlyMap<string, (id: string) => CallCost | undefined> = new Map<string, (id: string) => CallCost | undefined>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, () => (_result: Value, a: Value) => traverse(a)] as const),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver']
    .map((name) => [name, () => readsFirst] as const),
  ...['replace', 'split', 'ip.isCanonical'].map((name) => [name, () => readsFirstTwice] as const),
  ['check', () => CHECK_COST],
  ...['fieldSelector', 'labelSelector'].map((name) => [name, () => parsesSelector] as const),
  ['join', () => (result: Value) => traversal(costSize(result) * 2)],
  ['find', () => matchesRegex],
  ['findAll', () => matchesRegex],
  ['ip', (id) => (id === 'cidr_ip' ? 1 : readsFirst)],
  ['containsIP', (id) => (_result: Value, a: Value, b: Value) =>
    traversal(costSize(a) * 2) + (id === 'cidr_contains_ip_string' ? traversal(costSize(b)) : 0)],
  ['containsCIDR', (id) => (_result: Value, a: Value, b: Value) =>
    traversal(costSize(a) * 2) + traversal(costSize(a)) + 1 + (id === 'cidr_contains_cidr_string' ? traversal(costSize(b)) : 0)],
  ['validate', () => (_result: Value, format: Value, text: Value) => {
    return format instanceof CelFormat ? traversal(1 + costSize(text)) * traversal(format.regexSize, 0.25) : 1;
  }],
  ['_==_', () => (result: Value, a: Value, b: Value) => (a instanceof CelObject ? 1 : comparesBoth(result, a, b))],
]);

/** What reading all of a value costs. */
function traverse(value: Value): number {
  if (typeof value === 'string') return Math.trunc(utf8Length(value) * 0.1);
  if (value instanceof Uint8Array) return Math.trunc(value.length * 0.1);
  let cost = 0;
  if (isList(value)) {
    for (const element of value) cost += traverse(element);
    return cost;
  }
  if (value instanceof CelMap) {
    for (const key of value.keys()) cost += traverse(key) + traverse(value.find(key) ?? null);
    return cost;
  }
  return 1;
}

/** Making a list of this size. */
function allocation(size: number, factor: number): number {
  return Math.trunc(size * factor) + 1 + 10;
}

function makesResult(result: Value): number {
  return allocation(costSize(result), 1);
}

function flattens(_result: Value, list: Value, depth: Value): number | bigint {
  return flattening(costSize(list), depthOf(depth));
}

function flattensFrom029(_result: Value, list: Value, depth: Value): number | bigint {
  const levels = depthOf(depth);
  return flattening(costSize(list), levels < 0 ? 1 : levels);
}

/** Go panics here for everything that is no int. */
function depthOf(depth: Value): number {
  if (typeof depth === 'bigint') return Number(depth);
  throw new Cancellation(`internal error: interface conversion: ref.Val is ${goTypeName(depth)}, not types.Int`);
}

/** By a depth that may be any number, and so beyond what Go's conversion to uint64 can do. */
function flattening(size: number, depth: number): number | bigint {
  const work = size * depth;
  if (Math.abs(work) <= Number.MAX_SAFE_INTEGER - 11) return work < 0 ? BigInt(work) + 11n : allocation(size, depth);
  return (work >= 2 ** 64 || work < -(2 ** 63) ? 2n ** 63n : BigInt(work)) + 11n;
}

function comparesElements(list: Value): number {
  if (!isList(list)) throw new Cancellation(`internal error: interface conversion: ${goTypeName(list)} is not traits.Lister: missing method ${isAdder(list) ? 'Contains' : 'Add'}`);
  const size = list.length;
  if (size === 0) return allocation(0, 2);
  return allocation(size * size, typeof list[0] === 'string' || list[0] instanceof Uint8Array ? 2 + 0.1 : 2);
}

/** Values that can be added are no lists for lack of another method than the others. */
function isAdder(value: Value): boolean {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' || value instanceof CelUint || value instanceof Uint8Array
    || value instanceof CelDuration || value instanceof CelTimestamp;
}

function combines(factor: number): CallCost {
  return (_result, a, b) => 1 + Math.trunc(costSize(a) * costSize(b) * factor);
}

/** Overloads whose library says what they cost; this goes before everything else. */
const BY_TRACKED_ID: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_slice', makesResult],
  ['lists_range', makesResult],
  ['list_reverse', makesResult],
  ['list_flatten', (_result, list) => allocation(costSize(list), 1)],
  ['list_flatten_int', flattens],
  ['list_distinct', (_result, list) => comparesElements(list)],
  ...SORTABLE.flatMap((type) => [
    [`list_${type.name}_sort`, (_result: Value, list: Value) => comparesElements(list)],
    [`list_${type.name}_sortByAssociatedKeys`, (_result: Value, _list: Value, keys: Value) => comparesElements(keys)],
  ] as const),
  ['list_sets_contains_list', combines(1)],
  ['list_sets_intersects_list', combines(1)],
  ['list_sets_equivalent_list', combines(2)],
]);

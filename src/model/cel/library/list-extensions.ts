import { global, member } from './overload';
import type { Library, Overload } from './overload';
import { equal } from '../evaluate/equality';
import { CelMap } from '../evaluate/map';
import { compare, isOrdered } from '../evaluate/order';
import { typeName } from '../evaluate/type-name';
import { CelError, CelOptional, isList } from '../evaluate/value';
import type { CelList, Value } from '../evaluate/value';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listType, STRING, TIMESTAMP, typeParameter, UINT } from '../types/type';

const LIST = listType(typeParameter('T'));

/** Types that lists can be sorted by. */
export const SORTABLE = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES] as const;

/** More functions on lists (cel-go `ext/lists.go`, version 3); `sortBy` is a macro over these. */
export const LIST_EXTENSIONS: Library = {
  overloads: [
    member('slice', 'list_slice', [LIST, INT, INT], LIST, slice),
    ...flattenOverloads('optional_type'),
    ...SORTABLE.map((type) => member('sort', `list_${type.name}_sort`, [listType(type)], listType(type))),
    ...SORTABLE.map((type) => member('@sortByAssociatedKeys', `list_${type.name}_sortByAssociatedKeys`, [LIST, listType(type)], LIST)),
    global('lists.range', 'lists_range', [INT], listType(INT), range),
    member('reverse', 'list_reverse', [LIST], LIST, (list: CelList) => Array.from(list).reverse()),
    member('distinct', 'list_distinct', [LIST], LIST, distinct),
  ],
  singletons: {
    'sort': { trait: 'lister', implementation: (list: CelList) => sortBy(list, list) },
    '@sortByAssociatedKeys': { trait: 'lister', implementation: (list: CelList, keys: Value) => (isList(keys) ? sortBy(list, keys) : NOT_A_LIST) },
  },
};

const NOT_A_LIST = new CelError('no such overload');

/** Upstream has no bound and runs out of memory; every loop over more elements exceeds the cost limit anyway. */
const MAX_LIST = 5_000_000;
const TOO_LONG = new CelError('operation interrupted');

function slice(list: CelList, start: bigint, end: bigint): Value {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(list.length) < end) return new CelError(`${call}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flattenOverloads(optionalType: string): readonly Overload[] {
  const typeOf = (value: Value): string => {
    if (value instanceof CelMap) return 'map(dyn, dyn)';
    return isList(value) ? 'list(dyn)' : value instanceof CelOptional ? optionalType : typeName(value);
  };
  const refuse = (list: Value, depth: string): CelError => new CelError(`no such overload: ${typeOf(list)}.flatten(${depth})`);
  return [
    member('flatten', 'list_flatten', [listType(LIST)], LIST, (list: Value) => (isList(list) ? flatten(list, 1n) : refuse(list, '')), { unguarded: true }),
    member('flatten', 'list_flatten_int', [listType(DYN), INT], listType(DYN),
      (list: Value, depth: Value) => (isList(list) && typeof depth === 'bigint' ? flatten(list, depth) : refuse(list, typeOf(depth))), { unguarded: true }),
  ];
}

function flatten(list: CelList, depth: bigint): Value {
  if (depth < 0n) return new CelError('level must be non-negative');
  const flat: Value[] = [];
  const visit = (elements: CelList, levels: bigint): void => {
    for (const element of elements) {
      if (isList(element) && levels > 0n) visit(element, levels - 1n);
      else flat.push(element);
    }
  };
  visit(list, depth);
  return flat;
}

/** As cel-go 0.29 has them, with bounds for `lists.range`. */
export const LIST_EXTENSIONS_0_29: Library = {
  ...LIST_EXTENSIONS,
  overloads: [
    ...LIST_EXTENSIONS.overloads.filter(({ functionName }) => functionName !== 'flatten')
      .map((overload) => (overload.id === 'lists_range' ? { ...overload, implementation: boundedRange } : overload)),
    ...flattenOverloads('optional_type(dyn)'),
  ],
};

function boundedRange(count: bigint): Value {
  if (count < 0n) return new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) return new CelError(`lists.range: size ${count} exceeds maximum allowed (${MAX_RANGE})`);
  return range(count);
}

const MAX_RANGE = 1_000_000n;

function range(count: bigint): Value {
  if (count > BigInt(MAX_LIST)) return TOO_LONG;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}

function distinct(list: CelList): Value {
  const simple = new Set<Value>();
  const unique: Value[] = [];
  for (const element of list) {
    // Strings and bools equal nothing but themselves, so most lists take linear time.
    if (typeof element === 'string' || typeof element === 'boolean') {
      if (simple.has(element)) continue;
      simple.add(element);
      unique.push(element);
    } else if (!unique.some((other) => equal(element, other) === true)) {
      unique.push(element);
      if (unique.length > MAX_DISTINCT) return TOO_LONG;
    }
  }
  return unique;
}

/** Comparing more elements with each other takes longer than any cost allows. */
const MAX_DISTINCT = 10_000;

function sortBy(list: CelList, keys: CelList): Value {
  if (list.length !== keys.length) {
    return new CelError('@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got '
      + `${list.length} and ${keys.length} elements respectively`);
  }
  if (list.length === 0) return list;
  if (!isOrdered(keys[0])) return new CelError('list elements must be comparable');
  const type = typeName(keys[0]);
  if (keys.some((key) => typeName(key) !== type)) return new CelError('list elements must have the same type');
  const order = Array.from(list.keys()).sort((a, b) => {
    const compared = compare(keys[a], keys[b]);
    return typeof compared === 'number' ? compared : 0;
  });
  return order.map((index) => list[index]);
}

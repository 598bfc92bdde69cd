import { global, member } from './overload';
import type { Library } from './overload';
import { CelMap } from '../evaluate/map';
import { goText } from '../evaluate/text';
import { CelDuration, CelError, CelOptional, CelTimestamp, CelUint } from '../evaluate/value';
import type { CelList, Value } from '../evaluate/value';
import { CelMessage } from '../messages/cel-message';
import { OPERATORS } from '../syntax/ast';
import { BOOL, DYN, INT, listType, mapType, optionalType, STRING, typeParameter } from '../types/type';

const V = typeParameter('V');
const K = typeParameter('K');
const OPTIONAL = optionalType(V);

/** Optional values (cel-go `cel/library.go`, version 2). `or` and `orValue` are the evaluator's. */
export const OPTIONALS: Library = {
  overloads: [
    global('optional.of', 'optional_of', [V], OPTIONAL, (value: Value) => new CelOptional(value)),
    global('optional.ofNonZeroValue', 'optional_ofNonZeroValue', [V], OPTIONAL,
      (value: Value) => (isZero(value) ? CelOptional.NONE : new CelOptional(value))),
    global('optional.none', 'optional_none', [], OPTIONAL, () => CelOptional.NONE),
    member('value', 'optional_value', [OPTIONAL], V,
      ({ value }: CelOptional) => (value === undefined ? new CelError('optional.none() dereference') : value)),
    member('hasValue', 'optional_hasValue', [OPTIONAL], BOOL, ({ value }: CelOptional) => value !== undefined),
    member('or', 'optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL),
    member('orValue', 'optional_orValue_value', [OPTIONAL, V], V),
    global(OPERATORS.optionalSelect, 'select_optional_field', [DYN, STRING], OPTIONAL),
    global(OPERATORS.optionalIndex, 'list_optindex_optional_int', [listType(V), INT], OPTIONAL),
    global(OPERATORS.optionalIndex, 'optional_list_optindex_optional_int', [optionalType(listType(V)), INT], OPTIONAL),
    global(OPERATORS.optionalIndex, 'map_optindex_optional_value', [mapType(K, V), K], OPTIONAL),
    global(OPERATORS.optionalIndex, 'optional_map_optindex_optional_value', [optionalType(mapType(K, V)), K], OPTIONAL),
    global(OPERATORS.index, 'optional_list_index_int', [optionalType(listType(V)), INT], OPTIONAL),
    global(OPERATORS.index, 'optional_map_index_value', [optionalType(mapType(K, V)), K], OPTIONAL),
    member('last', 'list_last', [listType(V)], OPTIONAL, (list: CelList) => at(list, list.length - 1)),
    member('first', 'list_first', [listType(V)], OPTIONAL, (list: CelList) => at(list, 0)),
    global('optional.unwrap', 'optional_unwrap', [listType(OPTIONAL)], listType(V), unwrap),
    member('unwrapOpt', 'optional_unwrapOpt', [listType(OPTIONAL)], listType(V), unwrap),
  ],
};

function at(list: CelList, index: number): Value {
  return index < 0 || index >= list.length ? CelOptional.NONE : new CelOptional(list[index]);
}

function unwrap(list: CelList): Value {
  const values: Value[] = [];
  for (const element of list) {
    if (!(element instanceof CelOptional)) return new CelError(`value ${goText(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelMessage) return value.fields.size === 0;
  return value instanceof CelTimestamp && value.nanoseconds === YEAR_ONE;
}

/** Go's zero time: the first second of year 1. */
const YEAR_ONE = -62_135_596_800_000_000_000n;

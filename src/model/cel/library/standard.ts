import { global, member } from './overload';
import type { Implementation, Library, Overload, Singleton } from './overload';
import { matches } from './regex';
import { add, divide, modulo, multiply, negate, subtract } from '../evaluate/arithmetic';
import { contains } from '../evaluate/container';
import { compare } from '../evaluate/order';
import { sizeOf } from '../evaluate/size';
import { noSuchOverload } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { OPERATORS } from '../syntax/ast';
import {
  BOOL, BYTES, DOUBLE, DURATION, INT, listType, mapType, STRING, TIMESTAMP, typeParameter, UINT,
} from '../types/type';
import type { Type } from '../types/type';

const A = typeParameter('A');
const B = typeParameter('B');
const LIST = listType(A);
const MAP = mapType(A, B);

type Row = readonly [id: string, ...args: Type[]];

function binary(name: string, result: Type | 'first', rows: readonly Row[]): Overload[] {
  return rows.map(([id, ...args]) => global(name, id, args, result === 'first' ? args[0] : result));
}

const ORDERED: readonly (readonly [suffix: string, left: Type, right: Type])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT], ['int64_double', INT, DOUBLE], ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT], ['uint64_double', UINT, DOUBLE], ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE], ['double_int64', DOUBLE, INT], ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING], ['bytes', BYTES, BYTES], ['timestamp', TIMESTAMP, TIMESTAMP], ['duration', DURATION, DURATION],
];

function comparison(name: string, prefix: string): Overload[] {
  return binary(name, BOOL, ORDERED.map(([suffix, left, right]) => [`${prefix}_${suffix}`, left, right]));
}

function ordered(test: (order: number) => boolean): Singleton {
  return {
    trait: 'comparer',
    implementation: (a: Value, b: Value) => {
      const order = compare(a, b);
      return typeof order === 'number' ? test(order) : order;
    },
  };
}

/** Operators of the language and functions without a library of their own (cel-go `common/stdlib`). */
export const STANDARD: Library = {
  overloads: [
    global(OPERATORS.conditional, 'conditional', [BOOL, A, A], A),
    global(OPERATORS.and, 'logical_and', [BOOL, BOOL], BOOL),
    global(OPERATORS.or, 'logical_or', [BOOL, BOOL], BOOL),
    global(OPERATORS.not, 'logical_not', [BOOL], BOOL),
    global(OPERATORS.notStrictlyFalse, 'not_strictly_false', [BOOL], BOOL),
    global(OPERATORS.equals, 'equals', [A, A], BOOL),
    global(OPERATORS.notEquals, 'not_equals', [A, A], BOOL),
    ...binary('_+_', 'first', [
      ['add_bytes', BYTES, BYTES], ['add_double', DOUBLE, DOUBLE], ['add_duration_duration', DURATION, DURATION],
    ]),
    global('_+_', 'add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
    ...binary('_+_', 'first', [
      ['add_timestamp_duration', TIMESTAMP, DURATION], ['add_int64', INT, INT], ['add_list', LIST, LIST], ['add_string', STRING, STRING],
      ['add_uint64', UINT, UINT],
    ]),
    ...binary('_/_', 'first', [['divide_double', DOUBLE, DOUBLE], ['divide_int64', INT, INT], ['divide_uint64', UINT, UINT]]),
    ...binary('_%_', 'first', [['modulo_int64', INT, INT], ['modulo_uint64', UINT, UINT]]),
    ...binary('_*_', 'first', [['multiply_double', DOUBLE, DOUBLE], ['multiply_int64', INT, INT], ['multiply_uint64', UINT, UINT]]),
    ...binary(OPERATORS.negate, 'first', [['negate_double', DOUBLE], ['negate_int64', INT]]),
    ...binary('_-_', 'first', [
      ['subtract_double', DOUBLE, DOUBLE], ['subtract_duration_duration', DURATION, DURATION], ['subtract_int64', INT, INT],
      ['subtract_timestamp_duration', TIMESTAMP, DURATION],
    ]),
    global('_-_', 'subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
    global('_-_', 'subtract_uint64', [UINT, UINT], UINT),
    ...comparison('_<_', 'less'),
    ...comparison('_<=_', 'less_equals'),
    ...comparison('_>_', 'greater'),
    ...comparison('_>=_', 'greater_equals'),
    global(OPERATORS.index, 'index_list', [LIST, INT], A),
    global(OPERATORS.index, 'index_map', [MAP, A], B),
    global(OPERATORS.in, 'in_list', [A, LIST], BOOL),
    global(OPERATORS.in, 'in_map', [A, MAP], BOOL),
    ...([['bytes', BYTES], ['list', LIST], ['map', MAP], ['string', STRING]] as const).flatMap(([name, type]) => [
      global('size', `size_${name}`, [type], INT),
      member('size', `${name}_size`, [type], INT),
    ]),
    global('matches', 'matches', [STRING, STRING], BOOL),
    member('matches', 'matches_string', [STRING, STRING], BOOL),
    ...([
      ['contains', 'contains_string', (text, part) => text.includes(part)],
      ['endsWith', 'ends_with_string', (text, part) => text.endsWith(part)],
      ['startsWith', 'starts_with_string', (text, part) => text.startsWith(part)],
    ] as const satisfies readonly (readonly [string, string, (text: string, part: string) => boolean])[]).map(([name, id, test]) =>
      member(name, id, [STRING, STRING], BOOL, stringTest(test), { unguarded: true })),
  ],
  singletons: {
    [OPERATORS.not]: { implementation: (value: Value) => (typeof value === 'boolean' ? !value : noSuchOverload(value)) },
    '_+_': { trait: 'adder', implementation: add },
    '_-_': { trait: 'subtractor', implementation: subtract },
    '_*_': { trait: 'multiplier', implementation: multiply },
    '_/_': { trait: 'divider', implementation: divide },
    '_%_': { trait: 'modder', implementation: modulo },
    [OPERATORS.negate]: { trait: 'negator', implementation: negate },
    '_<_': ordered((order) => order < 0),
    '_<=_': ordered((order) => order <= 0),
    '_>_': ordered((order) => order > 0),
    '_>=_': ordered((order) => order >= 0),
    [OPERATORS.in]: { implementation: (element: Value, container: Value) => contains(container, element) },
    'matches': { trait: 'matcher', implementation: matches },
    'size': { trait: 'sizer', implementation: (value: Value) => BigInt(sizeOf(value) ?? 0) },
  },
};

function stringTest(test: (text: string, part: string) => boolean): Implementation {
  return (text: Value, part: Value) => {
    if (typeof text !== 'string') return noSuchOverload(text);
    return typeof part === 'string' ? test(text, part) : noSuchOverload(part);
  };
}

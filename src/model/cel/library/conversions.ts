import { global } from './overload';
import type { Library, Overload } from './overload';
import { convert } from '../evaluate/convert';
import type { Value } from '../evaluate/value';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, TYPE, typeParameter, typeType, UINT } from '../types/type';
import type { Type } from '../types/type';

const A = typeParameter('A');

/** The names that ids of overloads use. */
const ID_NAMES: ReadonlyMap<Type, string> = new Map([[INT, 'int64'], [UINT, 'uint64'], [DURATION, 'duration'], [TIMESTAMP, 'timestamp']]);

function idName(type: Type): string {
  return ID_NAMES.get(type) ?? type.name;
}

function conversions(name: string, to: Type, from: readonly Type[]): Overload[] {
  return from.map((type) => global(name, `${idName(type)}_to_${idName(to)}`, [type], to,
    type === to ? (value: Value) => value : (value: Value) => convert(value, to)));
}

/** Functions that are named like the type they make. */
export const CONVERSIONS: Library = {
  overloads: [
    global('type', 'type', [A], typeType(A)),
    ...conversions('bool', BOOL, [BOOL, STRING]),
    ...conversions('bytes', BYTES, [BYTES, STRING]),
    ...conversions('double', DOUBLE, [DOUBLE, INT, STRING, UINT]),
    ...conversions('duration', DURATION, [DURATION, INT, STRING]),
    global('dyn', 'to_dyn', [A], DYN),
    ...conversions('int', INT, [INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT]),
    ...conversions('string', STRING, [STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT]),
    ...conversions('timestamp', TIMESTAMP, [TIMESTAMP, INT, STRING]),
    ...conversions('uint', UINT, [UINT, DOUBLE, INT, STRING]),
  ],
  singletons: {
    type: { implementation: (value: Value) => convert(value, TYPE) },
    dyn: { implementation: (value: Value) => value },
  },
};

/** Functions whose calls with a constant are carried out once, when the expression is compiled. */
export const CONVERSION_NAMES: ReadonlySet<string> = new Set([
  'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint',
]);

import { CelMap } from './map';
import { compareNumbers } from './number';
import { CelDuration, CelError, CelObject, CelOptional, CelTimestamp, CelType, CelUint, JoinedList } from './value';
import type { CelList, Value } from './value';

/** `==` of cel-go: numbers across types, anything else of different types is not equal, Kubernetes' own types may refuse. */
export function equal(a: Value, b: Value): Value {
  switch (typeof a) {
    case 'string': case 'boolean': return a === b;
    case 'bigint': return typeof b === 'bigint' ? a === b : numbersEqual(a, b);
    case 'number': return numbersEqual(a, b);
    default:
  }
  if (a === null || b === null) return a === b;
  if (a instanceof CelObject) return a.equals(b);
  if (Array.isArray(a)) return listsEqual(a, b);
  if (a instanceof CelUint) return numbersEqual(a, b);
  if (a instanceof CelMap) return mapsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index]);
  if (a instanceof CelOptional) return optionalsEqual(a, b);
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelType) return b instanceof CelType && a.type.name === b.type.name;
  return a instanceof CelError ? a : false;
}

function numbersEqual(a: bigint | number | CelUint, b: Value): boolean {
  if (typeof b !== 'bigint' && typeof b !== 'number' && !(b instanceof CelUint)) return false;
  return compareNumbers(a, b) === 0;
}

/** Elements that cannot be compared do not make lists unequal: only a clear "no" does. A list from `+` says why they cannot. */
function listsEqual(a: CelList, b: Value): Value {
  if (!Array.isArray(b) || a.length !== b.length) return false;
  let refusal: CelError | undefined;
  for (let index = 0; index < a.length; index++) {
    const result = equal(a[index], b[index]);
    if (result === false) return false;
    if (result instanceof CelError) refusal ??= result;
  }
  return refusal !== undefined && a instanceof JoinedList ? refusal : true;
}

function mapsEqual(a: CelMap, b: Value): boolean {
  if (!(b instanceof CelMap) || a.size !== b.size) return false;
  return a.keys().every((key) => {
    const other = b.find(key);
    return other !== undefined && equal(a.find(key) ?? null, other) !== false;
  });
}

function optionalsEqual(a: CelOptional, b: Value): Value {
  if (!(b instanceof CelOptional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

import { typeName } from './type-name';
import { CelError } from './value';
import type { Value } from './value';
import type { Trait } from '../library/overload';

const NUMBERS = ['int', 'uint', 'double'];
const DURATION = 'google.protobuf.Duration';
const TIMESTAMP = 'google.protobuf.Timestamp';

/** Types whose values can be the first argument of a function that asks for a trait. */
const TYPES: Readonly<Record<Trait, ReadonlySet<string>>> = {
  adder: new Set([...NUMBERS, 'string', 'bytes', 'list', DURATION, TIMESTAMP]),
  comparer: new Set([...NUMBERS, 'string', 'bytes', 'bool', DURATION, TIMESTAMP]),
  divider: new Set(NUMBERS),
  lister: new Set(['list']),
  matcher: new Set(['string']),
  modder: new Set(['int', 'uint']),
  multiplier: new Set(NUMBERS),
  negator: new Set(['int', 'double', 'bool', DURATION]),
  sizer: new Set(['string', 'bytes', 'list', 'map']),
  subtractor: new Set([...NUMBERS, DURATION, TIMESTAMP]),
};

/** Types that answer calls of any function themselves, with a shorter message. */
const RECEIVERS: ReadonlySet<string> = new Set(['string', DURATION, TIMESTAMP]);

/** Why a value cannot be the first argument; undefined if it can. */
export function traitError(value: Value, trait: Trait, functionName: string): CelError | undefined {
  const type = typeName(value);
  if (TYPES[trait].has(type)) return undefined;
  return new CelError(RECEIVERS.has(type) ? 'no such overload' : `no such overload: ${functionName}`);
}

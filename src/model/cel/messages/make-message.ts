import { unpacked } from './any';
import { CelMessage } from './cel-message';
import { MESSAGES } from './message-type';
import type { MessageField, MessageType } from './message-type';
import { nativeValue } from './native-value';
import { CelMap, LiteralMap } from '../evaluate/map';
import { typeName } from '../evaluate/type-name';
import { CelDuration, CelError, CelTimestamp, CelUint, isList } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** What a literal such as `google.protobuf.Duration{seconds: 1}` is: a plain value for all messages but the empty one. */
export function makeMessage(name: string, given: ReadonlyMap<string, Value>): Value {
  const type = MESSAGES.get(name);
  if (type === undefined) return new CelError(`unknown type '${name}'`);
  const fields = new Map<string, Value>();
  for (const [fieldName, value] of given) {
    const field = type.fields.get(fieldName);
    if (field === undefined) return new CelError(`no such field: ${fieldName}`);
    const native = fieldValue(type, field, value);
    if (native instanceof CelError) return native;
    fields.set(fieldName, native);
  }
  return unwrapped(type, fields);
}

function fieldValue({ name }: MessageType, { name: field, kind, shape }: MessageField, value: Value): Value {
  const refuse = ({ message }: CelError): CelError => new CelError(`field type conversion error for ${name}.${field} value type: ${message}`);
  if (shape === undefined) {
    const native = nativeValue(value, kind);
    return native instanceof CelError ? refuse(native) : native;
  }
  if (shape === 'list' ? !isList(value) : !(value instanceof CelMap)) return new CelError(`unsupported field type for ${name}.${field}: ${typeName(value)}`);
  const native = nativeValue(value, shape === 'list' ? '*structpb.ListValue' : '*structpb.Struct');
  return native instanceof CelError ? refuse(native) : native;
}

/** The value that cel-go has instead of a message, by the fields that are set. */
export function unwrapped({ name, type, fields: known }: MessageType, fields: ReadonlyMap<string, Value>): Value {
  const whole = (field: string): bigint => (fields.get(field) ?? 0n) as bigint;
  switch (type.kind) {
    case 'bool': return fields.get('value') ?? false;
    case 'bytes': return fields.get('value') ?? new Uint8Array();
    case 'double': return fields.get('value') ?? 0;
    case 'int': return fields.get('value') ?? 0n;
    case 'uint': return fields.get('value') ?? new CelUint(0n);
    case 'string': return fields.get('value') ?? '';
    case 'duration': return durationOf(whole('seconds'), whole('nanos'));
    case 'timestamp': return new CelTimestamp(whole('seconds') * SECOND + whole('nanos'));
    case 'map': return fields.get('fields') ?? new LiteralMap();
    case 'list': return fields.get('values') ?? [];
    case 'dyn': return fields.has('null_value') ? null : [...fields.values()].at(-1) ?? null;
    case 'any': return unpacked(fields.get('type_url') as string | undefined ?? '', fields.get('value') as Uint8Array | undefined ?? new Uint8Array());
    default: return new CelMessage(name, new Map([...fields].filter(([, value]) => value !== '')), new Map([...known.keys()].map((field) => [field, field === 'key' ? '' : null])));
  }
}

const SECOND = 1_000_000_000n;

/** The nearest duration, where the seconds are beyond those that nanoseconds can count. */
function durationOf(seconds: bigint, nanoseconds: bigint): CelDuration {
  const exact = seconds * SECOND + nanoseconds;
  const fits = BigInt.asIntN(64, seconds * SECOND) === seconds * SECOND && BigInt.asIntN(64, exact) === exact;
  return new CelDuration(fits ? exact : seconds < 0n ? -(2n ** 63n) : 2n ** 63n - 1n);
}

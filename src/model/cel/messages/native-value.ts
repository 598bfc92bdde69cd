import { CelMessage } from './cel-message';
import type { FieldKind } from './message-type';
import { CelMap, LiteralMap } from '../evaluate/map';
import { INT_OVERFLOW, UINT_OVERFLOW } from '../evaluate/number';
import { durationText, timestampText } from '../evaluate/time';
import { typeName } from '../evaluate/type-name';
import { CelDuration, CelError, CelObject, CelOptional, CelTimestamp, CelUint, isList } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** The value as a field of a message takes it, or Go's words for why not (`ConvertToNative` of cel-go's types). */
export function nativeValue(value: Value, kind: FieldKind): Value {
  if (value instanceof CelOptional) return value.value === undefined ? new CelError('optional.none() dereference') : nativeValue(value.value, kind);
  const native = converted(value, kind);
  return native === undefined ? noNativeValue(value, kind) : native;
}

function converted(value: Value, kind: FieldKind): Value | undefined {
  switch (kind) {
    case 'bool': return typeof value === 'boolean' ? value : undefined;
    case 'float64': return typeof value === 'number' ? value : undefined;
    case 'float32': return typeof value === 'number' ? Math.fround(value) : undefined;
    case 'int64': return typeof value === 'bigint' ? value : undefined;
    case 'int32': case 'protoreflect.EnumNumber':
      return typeof value !== 'bigint' ? undefined : BigInt.asIntN(32, value) === value ? value : INT_OVERFLOW;
    case 'uint64': return value instanceof CelUint ? value : undefined;
    case 'uint32': return !(value instanceof CelUint) ? undefined : BigInt.asUintN(32, value.value) === value.value ? value : UINT_OVERFLOW;
    case 'string': return typeof value === 'string' ? value : printable(value);
    case '[]uint8': return value instanceof Uint8Array ? value : isList(value) ? bytesOf(value) : undefined;
    case '*structpb.Value': return jsonValue(value);
    case '*structpb.Struct': return value instanceof CelMap ? jsonObject(value) : undefined;
    case '*structpb.ListValue': return isList(value) ? jsonList(value) : undefined;
  }
}

/** Go's words for a value that has no form of a type. */
export function noNativeValue(value: Value, goType: string): CelError {
  const type = typeName(value);
  switch (type) {
    case 'string': return new CelError(`unsupported native conversion from string to '${goType}'`);
    case 'int': case 'uint': return new CelError(`unsupported type conversion from '${type}' to ${goType}`);
    case 'bool': case 'list': case 'map': return new CelError(`type conversion error from ${type} to '${goType}'`);
    case 'bytes': return new CelError(`type conversion error from Bytes to '${goType}'`);
    case 'double': return new CelError(`type conversion error from Double to '${goType}'`);
    case 'type': return new CelError('type conversion not supported for \'type\'');
    case 'optional_type': return new CelError('optional.none() dereference');
    case 'null_type': return new CelError(`type conversion error from 'null_type' to '${goType}'`);
    default: {
      if (value instanceof CelMessage) return new CelError(`type conversion error from '*dynamicpb.Message' to '${goType}'`);
      const name = type.slice(type.lastIndexOf('.') + 1);
      return new CelError(`type conversion error from '${name === 'NamedFormat' ? 'Format' : name}' to '${goType}'`);
    }
  }
}

/** Kubernetes' own types become texts where Go wants a text. */
function printable(value: Value): string | undefined {
  const isPrintable = value instanceof CelObject && !(value instanceof CelMessage) && value.typeName !== 'kubernetes.NamedFormat';
  return isPrintable ? value.toText() : undefined;
}

function bytesOf(list: readonly Value[]): Value {
  const bytes = new Uint8Array(list.length);
  for (const [index, element] of list.entries()) {
    if (!(element instanceof CelUint)) return noNativeValue(element, 'uint8');
    if (element.value > 255n) return UINT_OVERFLOW;
    bytes[index] = Number(element.value);
  }
  return bytes;
}

/** Whole numbers that a double holds exactly; larger ones are texts in JSON. */
const MAX_JSON_INT = 2n ** 53n - 1n;

function jsonValue(value: Value): Value | undefined {
  switch (typeof value) {
    case 'boolean': case 'number': case 'string': return value;
    case 'bigint': return value >= -MAX_JSON_INT && value <= MAX_JSON_INT ? Number(value) : String(value);
    default:
  }
  if (value === null) return null;
  if (value instanceof CelUint) return value.value <= MAX_JSON_INT ? Number(value.value) : String(value.value);
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(''));
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (isList(value)) return jsonList(value);
  if (value instanceof CelMap) return jsonObject(value);
  return value instanceof CelMessage ? jsonMessage(value) : undefined;
}

function jsonList(list: readonly Value[]): Value {
  const elements: Value[] = [];
  for (const element of list) {
    const json = nativeValue(element, '*structpb.Value');
    if (json instanceof CelError) return json;
    elements.push(json);
  }
  return elements;
}

/** A message of an unset field leaves the field out. */
function jsonMessage({ fields }: CelMessage): Value {
  const object = new LiteralMap();
  for (const [name, value] of fields) object.set(name, value);
  return object;
}

function jsonObject(map: CelMap): Value {
  const object = new LiteralMap();
  for (const key of map.keys()) {
    const name = nativeValue(key, 'string');
    if (name instanceof CelError) return name;
    const json = nativeValue(map.find(key) ?? null, '*structpb.Value');
    if (json instanceof CelError) return json;
    object.set(name, json);
  }
  return object;
}

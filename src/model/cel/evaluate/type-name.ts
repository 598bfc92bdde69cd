import { CelMap } from './map';
import { CelDuration, CelError, CelObject, CelOptional, CelTimestamp, CelType, CelUint } from './value';
import type { Value } from './value';

/** Name of a value's type at run time. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean': return 'bool';
    case 'bigint': return 'int';
    case 'number': return 'double';
    case 'string': return 'string';
    default:
  }
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelObject) return value.typeName;
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelType) return 'type';
  return value instanceof CelError ? 'error' : 'dyn';
}

/** Name of the Go type behind a value, which a few messages of cel-go print. */
export function goTypeName(value: Value): string {
  const name = typeName(value);
  if (name.startsWith('google.protobuf.') && value instanceof CelObject) return '*types.protoObj';
  return GO_NAMES.get(name) ?? `cel.${name.slice(name.lastIndexOf('.') + 1)}`;
}

const GO_NAMES: ReadonlyMap<string, string> = new Map([
  ['kubernetes.NamedFormat', 'cel.Format'], ['bool', 'types.Bool'], ['int', 'types.Int'], ['double', 'types.Double'], ['string', 'types.String'], ['null_type', 'types.Null'],
  ['list', '*types.baseList'], ['map', '*types.baseMap'], ['uint', 'types.Uint'], ['bytes', 'types.Bytes'],
  ['google.protobuf.Duration', 'types.Duration'], ['google.protobuf.Timestamp', 'types.Timestamp'], ['optional_type', '*types.Optional'],
  ['type', '*types.Type'], ['error', '*types.Err'],
]);

import { ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listType, mapType, nullable, STRING, structType, TIMESTAMP, UINT } from '../types/type';
import type { Type } from '../types/type';

/** What a field holds; the names are Go's, as messages print them. */
export type FieldKind =
  | 'bool' | '[]uint8' | 'float64' | 'float32' | 'int64' | 'int32' | 'uint64' | 'uint32' | 'string' | 'protoreflect.EnumNumber'
  | '*structpb.Value' | '*structpb.Struct' | '*structpb.ListValue';

export interface MessageField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly shape?: 'list' | 'map';
  /** Type for the checker. */
  readonly type: Type;
}

export interface MessageType {
  readonly name: string;
  /** Type that literals of the message have: wrappers and JSON become plain values at once. */
  readonly type: Type;
  readonly fields: ReadonlyMap<string, MessageField>;
}

const DYN_MAP = mapType(STRING, DYN);
const DYN_LIST = listType(DYN);

const FIELD_TYPES: Readonly<Record<FieldKind, Type>> = {
  'bool': BOOL,
  '[]uint8': BYTES,
  'float64': DOUBLE,
  'float32': DOUBLE,
  'int64': INT,
  'int32': INT,
  'uint64': UINT,
  'uint32': UINT,
  'string': STRING,
  'protoreflect.EnumNumber': INT,
  '*structpb.Value': DYN,
  '*structpb.Struct': DYN_MAP,
  '*structpb.ListValue': DYN_LIST,
};

function message(name: string, type: Type | undefined, ...fields: readonly MessageField[]): MessageType {
  const full = `google.protobuf.${name}`;
  return {
    name: full,
    type: type ?? structType(full),
    fields: new Map(fields.map((one) => [one.name, one])),
  };
}

function field(name: string, kind: FieldKind): MessageField {
  return { name, kind, type: FIELD_TYPES[kind] };
}

/** The messages that every environment of cel-go knows (`common/types/pb/pb.go`). */
export const MESSAGES: ReadonlyMap<string, MessageType> = new Map([
  message('BoolValue', nullable(BOOL), field('value', 'bool')),
  message('BytesValue', nullable(BYTES), field('value', '[]uint8')),
  message('DoubleValue', nullable(DOUBLE), field('value', 'float64')),
  message('FloatValue', nullable(DOUBLE), field('value', 'float32')),
  message('Int64Value', nullable(INT), field('value', 'int64')),
  message('Int32Value', nullable(INT), field('value', 'int32')),
  message('UInt64Value', nullable(UINT), field('value', 'uint64')),
  message('UInt32Value', nullable(UINT), field('value', 'uint32')),
  message('StringValue', nullable(STRING), field('value', 'string')),
  message('Duration', DURATION, field('seconds', 'int64'), field('nanos', 'int32')),
  message('Timestamp', TIMESTAMP, field('seconds', 'int64'), field('nanos', 'int32')),
  message('Any', ANY, field('type_url', 'string'), field('value', '[]uint8')),
  message('Value', DYN, field('null_value', 'protoreflect.EnumNumber'), field('number_value', 'float64'), field('string_value', 'string'),
    field('bool_value', 'bool'), field('struct_value', '*structpb.Struct'), field('list_value', '*structpb.ListValue')),
  message('Struct', DYN_MAP, { name: 'fields', kind: '*structpb.Value', shape: 'map', type: DYN_MAP }),
  message('Struct.FieldsEntry', undefined, field('key', 'string'), field('value', '*structpb.Value')),
  message('ListValue', DYN_LIST, { name: 'values', kind: '*structpb.Value', shape: 'list', type: DYN_LIST }),
  message('Empty', undefined),
].map((one) => [one.name, one]));

/** Values of the enums in the same files. */
export const ENUM_VALUES: ReadonlyMap<string, bigint> = new Map([['google.protobuf.NullValue.NULL_VALUE', 0n]]);

/** The message by which cel-go makes values of a type that protobuf knows well; undefined for other types. */
export function wellKnownName(type: Type): string | undefined {
  switch (type.kind) {
    case 'any': case 'timestamp': case 'duration': case 'dyn': case 'null': return WELL_KNOWN[type.kind];
    case 'list': return type.parameters[0] === DYN ? WELL_KNOWN.list : undefined;
    case 'map': return type.parameters[0] === STRING && type.parameters[1] === DYN ? WELL_KNOWN.map : undefined;
    default: return type.nullable === true ? WELL_KNOWN[type.kind] : undefined;
  }
}

const WELL_KNOWN: Readonly<Partial<Record<Type['kind'], string>>> = {
  any: 'google.protobuf.Any',
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  int: 'google.protobuf.Int64Value',
  list: 'google.protobuf.ListValue',
  null: 'google.protobuf.NullValue',
  map: 'google.protobuf.Struct',
  string: 'google.protobuf.StringValue',
  timestamp: 'google.protobuf.Timestamp',
  uint: 'google.protobuf.UInt64Value',
};

import type { Random } from './random';
import { VALUES } from './selector-values';

/** Fields of the messages that every environment of cel-go knows, with the kind of value that each takes. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BoolValue: { value: 'bool' },
  BytesValue: { value: 'bytes' },
  DoubleValue: { value: 'double' },
  FloatValue: { value: 'double' },
  Int64Value: { value: 'int' },
  Int32Value: { value: 'int' },
  UInt64Value: { value: 'uint' },
  UInt32Value: { value: 'uint' },
  StringValue: { value: 'string' },
  Duration: { seconds: 'int', nanos: 'int' },
  Timestamp: { seconds: 'int', nanos: 'int' },
  Struct: { fields: 'map' },
  ListValue: { values: 'ints' },
  // One field only: of several, the order of a Go map decides.
  Value: { number_value: 'double' },
  Empty: {},
};

const KINDS: Readonly<Record<string, readonly string[]>> = {
  ...VALUES,
  bool: ['true', 'false'],
  map: ['{}', '{"a": 1}', '{"a": [1, 2], "b": [3]}', '{"a": {"b": null}}', '{"n": 9007199254740993}', '{"d": duration("1.5s")}', '{"t": timestamp(0)}', '{"b": b"abc"}'],
};

/** A literal of a protobuf message whose value shows, as the key of a map that lacks it. */
export function messageExpression(random: Random): string {
  const name = random.pick(Object.keys(FIELDS));
  const fields = Object.entries(FIELDS[name]).filter(() => !random.once(5)).map(([field, kind]) => `${random.once(15) ? '?' : ''}${random.once(20) ? 'nosuch' : field}: ${value(random, kind)}`);
  const literal = `google.protobuf.${name}{${fields.join(', ')}}`;
  return random.pick([
    `{"z": 1}["%s".format([dyn(${literal})])] == 1`, `{"z": 1}["%s".format([${literal}])] == 1`, `dyn(${literal}) == dyn(${value(random, random.pick(Object.keys(KINDS)))})`,
    `type(${literal}) == ${random.pick(['int', 'string', 'map', 'list', 'double', 'google.protobuf.Timestamp', 'google.protobuf.Empty'])}`, `[${literal}, ${value(random, 'any')}].size() == 2`, `has(dyn(${literal}).a)`,
    `(true ? ${literal} : ${value(random, 'any')}) == null`, `${literal} == ${literal}`,
  ]);
}

function value(random: Random, kind: string): string {
  const known = random.pick(KINDS[kind]);
  return random.pick([known, known, known, `dyn(${known})`, `dyn(${random.pick(VALUES.any)})`, random.pick(VALUES.any), `optional.of(${known})`]);
}

/** What no generated literal says. */
export const MESSAGE_CORNERS: readonly string[] = [
  'kubernetes.DRADevice{}.driver == ""', 'kubernetes.DRADevice{driver: 1}.driver == "a"', 'kubernetes.DRADevice{nosuch: 1}.driver == "a"', 'kubernetes.DRADevice == type(device)', 'kubernetes.DRADevice.attributes == 1',
  'google.protobuf.Int64Value{value: null} == 1', 'google.protobuf.Int64Value{value: 1}.value == 1', 'google.protobuf.Int64Value == int', 'google.protobuf.Empty{}.a == 1', 'google.protobuf.Empty == google.protobuf.Empty',
  'google.protobuf.Value{null_value: google.protobuf.NullValue.NULL_VALUE} == null', 'google.protobuf.Value{struct_value: {"a": 1}} == {"a": 1}', 'google.protobuf.Value{list_value: [1, 2]} == [1, 2]', 'google.protobuf.Value{} == null',
  'google.protobuf.NullValue{} == null', 'google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.Int64Value", value: b"\\x08\\x01"} == 1', 'google.protobuf.Any{} == null', 'google.protobuf.Nosuch{} == 1',
  'google.protobuf.Struct.FieldsEntry{key: "a", value: 1}.key == "a"', 'int{} == 1', 'list{} == []', 'map{a: 1} == {}', 'null_type{} == null', 'type{a: 1} == 1', 'net.IP{} == 1', 'bool{value: true}', 'duration == 1', 'timestamp{} == timestamp(0)',
  '.google.protobuf.Int64Value{value: 1} == 1', '[google.protobuf.Int64Value{value: 1}, null] == [1, null]', 'google.protobuf.Int64Value{value: 1,} == 1', 'google.protobuf.Int64Value{,} == 0', 'google.protobuf.Int64Value{1: 1} == 1',
  'google.protobuf.BoolValue{value: true}', 'google.protobuf.BoolValue{value: true} && true', 'google.protobuf.BoolValue{value: true} ? true : false', '[type(1)].all(t, t == int)', 'cel.bind(x, type(1), x == int)', 'cel.bind(int, type(1), int == int)',
];

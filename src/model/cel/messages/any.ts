/* eslint-disable no-bitwise -- A tag is a number and three bits. */
import { unwrapped } from './make-message';
import { MESSAGES } from './message-type';
import type { FieldKind, MessageField, MessageType } from './message-type';
import { WireReader } from './wire-reader';
import type { Content } from './wire-reader';
import { LiteralMap } from '../evaluate/map';
import { CelError, CelUint } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** The value inside a `google.protobuf.Any`, for the messages that every cel-go knows. */
export function unpacked(typeUrl: string, bytes: Uint8Array): Value {
  const type = MESSAGES.get(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
  const value = type === undefined ? undefined : decoded(type, bytes, 0);
  // Go prints the message with spaces that each build of a program places by chance.
  return value ?? new CelError(`unsupported conversion to ref.Val: (*dynamicpb.Message)${typeUrl === '' ? '' : `type_url:${JSON.stringify(typeUrl)}`}`);
}

/** Numbers of the fields in the order of their descriptors; undefined for bytes that are no such message. */
function decoded(type: MessageType, bytes: Uint8Array, depth: number): Value | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const known = [...type.fields.values()];
  const fields = new Map<string, Value>();
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const tag = reader.varint();
    if (tag === undefined || tag >> 3n === 0n) return undefined;
    const content = reader.content(Number(tag & 7n));
    if (content === undefined) return undefined;
    const field = known[Number(tag >> 3n) - 1];
    if (field === undefined || !isWireOf(field.kind, content)) continue;
    const value = fieldValue(field, content, depth);
    if (value === undefined) return undefined;
    if (type.type.kind === 'dyn') fields.clear();
    fields.set(field.name, collected(field, fields.get(field.name), value));
  }
  return unwrapped(type, fields);
}

const MAX_DEPTH = 100;

function collected({ shape }: MessageField, before: Value | undefined, value: Value): Value {
  if (shape === undefined) return value;
  if (shape === 'list') return [...(before as readonly Value[] | undefined ?? []), value];
  const map = before as LiteralMap | undefined ?? new LiteralMap();
  const [key, entry] = value as readonly [Value, Value];
  map.set(key, entry);
  return map;
}

function fieldValue({ kind, shape }: MessageField, content: Content, depth: number): Value | undefined {
  if (content instanceof Uint8Array) {
    if (shape === 'map') return mapEntry(content, depth);
    switch (kind) {
      case 'string': return utf8(content);
      case '*structpb.Value': return nested('Value', content, depth);
      case '*structpb.Struct': return nested('Struct', content, depth);
      case '*structpb.ListValue': return nested('ListValue', content, depth);
      default: return content;
    }
  }
  if (typeof content === 'number') return content;
  switch (kind) {
    case 'bool': return content !== 0n;
    case 'uint64': return new CelUint(BigInt.asUintN(64, content));
    case 'uint32': return new CelUint(BigInt.asUintN(32, content));
    case 'int64': return BigInt.asIntN(64, content);
    default: return BigInt.asIntN(32, content);
  }
}

function mapEntry(bytes: Uint8Array, depth: number): Value | undefined {
  const reader = new WireReader(bytes);
  let key: Value = '';
  let value: Value = null;
  while (!reader.atEnd) {
    const tag = reader.varint();
    const content = tag === undefined ? undefined : reader.content(Number(tag & 7n));
    if (tag === undefined || content === undefined) return undefined;
    if (!(content instanceof Uint8Array)) continue;
    const part = tag >> 3n === 1n ? utf8(content) : tag >> 3n === 2n ? nested('Value', content, depth) : '';
    if (part === undefined) return undefined;
    if (tag >> 3n === 1n) key = part;
    else if (tag >> 3n === 2n) value = part;
  }
  return [key, value];
}

function nested(name: string, bytes: Uint8Array, depth: number): Value | undefined {
  const type = MESSAGES.get(`google.protobuf.${name}`);
  return type === undefined ? undefined : decoded(type, bytes, depth + 1);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A field of another wire type is an unknown field, which is skipped. */
function isWireOf(kind: FieldKind, content: Content): boolean {
  switch (kind) {
    case 'float64': case 'float32': return typeof content === 'number';
    case '[]uint8': case 'string': case '*structpb.Value': case '*structpb.Struct': case '*structpb.ListValue': return content instanceof Uint8Array;
    default: return typeof content === 'bigint';
  }
}

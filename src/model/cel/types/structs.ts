import type { Names } from './names';
import { ANY, DYN, ERROR, listType } from './type';
import type { Type } from './type';
import type { Environment } from '../environment';
import { MESSAGES, wellKnownName } from '../messages/message-type';

/** Types without fields that Kubernetes' provider of types knows by these names. */
const SCALARS: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'int', 'list', 'null_type', 'string', 'uint']);

/** The type of a field of a struct or message, or why it has none. */
export function fieldType({ structs }: Environment, struct: string, field: string): Type | string {
  const fields = structs.get(struct);
  const message = MESSAGES.get(struct);
  if (struct === 'map') return ANY;
  if (fields === undefined && message === undefined && !SCALARS.has(struct)) return `unexpected failed resolution of '${struct}'`;
  return fields?.get(field) ?? message?.fields.get(field)?.type ?? `undefined field '${field}'`;
}

/** What an object literal makes, and the name of the type that has its fields. */
export interface ObjectLiteral {
  readonly type: Type;
  readonly fieldsOf: string;
  /** Why it is none. */
  readonly refusal?: string;
}

/** The object literal of a name without leading dot; undefined if nothing has the name. */
export function objectLiteral({ celGo }: Environment, names: Names, name: string, written: string): ObjectLiteral | undefined {
  const found = names.lookUpLiteral(written);
  if (found === undefined) return undefined;
  if (found.type.kind !== 'type') return { type: ERROR, fieldsOf: name, refusal: `'${found.type.name}' is not a type` };
  const [type] = found.type.parameters;
  // Since cel-go 0.29, the type of lists is one of those that protobuf knows.
  const known = wellKnownName(type.kind === 'list' && celGo === '0.29' ? listType(DYN) : type);
  if (known !== undefined) return { type, fieldsOf: known };
  return type.kind === 'struct' ? { type, fieldsOf: type.name } : { type: ERROR, fieldsOf: name, refusal: `'${type.name}' is not a message type` };
}

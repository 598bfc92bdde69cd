/** Category of a type; `param` is a type variable, `opaque` an abstract type such as an optional or an IP address. */
export type Kind =
  | 'any' | 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | 'error' | 'int' | 'list' | 'map' | 'null' | 'opaque'
  | 'param' | 'string' | 'struct' | 'timestamp' | 'type' | 'uint';

/** A static type. `name` is the name its values have at run time, without parameters. */
export interface Type {
  readonly kind: Kind;
  readonly name: string;
  readonly parameters: readonly Type[];
  /** A protobuf wrapper: a value of the type, or null. */
  readonly nullable?: true;
}

const NO_PARAMETERS: readonly Type[] = [];

function simple(kind: Kind, name: string): Type {
  return { kind, name, parameters: NO_PARAMETERS };
}

export const ANY = simple('any', 'google.protobuf.Any');
export const BOOL = simple('bool', 'bool');
export const BYTES = simple('bytes', 'bytes');
export const DOUBLE = simple('double', 'double');
export const DURATION = simple('duration', 'google.protobuf.Duration');
export const DYN = simple('dyn', 'dyn');
export const ERROR = simple('error', 'error');
export const INT = simple('int', 'int');
export const NULL = simple('null', 'null_type');
export const STRING = simple('string', 'string');
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp');
export const TYPE = simple('type', 'type');
export const UINT = simple('uint', 'uint');

export const QUANTITY = structType('kubernetes.Quantity');
export const SEMVER = structType('kubernetes.Semver');
export const URL_TYPE = structType('kubernetes.URL');
export const FORMAT = structType('kubernetes.NamedFormat');
export const IP = simple('opaque', 'net.IP');
export const CIDR = simple('opaque', 'net.CIDR');

export function listType(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function optionalType(value: Type): Type {
  return { kind: 'opaque', name: OPTIONAL_NAME, parameters: [value] };
}

/** The type whose values are types. */
export function typeType(of: Type): Type {
  return { kind: 'type', name: 'type', parameters: [of] };
}

/** The type of a protobuf wrapper such as `google.protobuf.Int64Value`. */
export function nullable(type: Type): Type {
  return { ...type, nullable: true };
}

export function structType(name: string): Type {
  return simple('struct', name);
}

export function typeParameter(name: string): Type {
  return simple('param', name);
}

export const OPTIONAL_NAME = 'optional_type';

export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === OPTIONAL_NAME;
}

export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

/** Same type, names of type variables included. */
export function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => isSameType(parameter, b.parameters[index]));
}

/** Same type, whatever the names of type variables. */
export function isEquivalentType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.parameters.length !== b.parameters.length) return false;
  if (a.kind !== 'param' && a.name !== b.name) return false;
  return a.parameters.every((parameter, index) => isEquivalentType(parameter, b.parameters[index]));
}

/** As cel-go writes types in messages of the type checker. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'any': return 'any';
    case 'duration': return 'duration';
    case 'error': return '!error!';
    case 'null': return 'null';
    case 'timestamp': return 'timestamp';
    default: return withParameters(type, formatType);
  }
}

/** As cel-go writes the type of a result. */
export function typeString(type: Type): string {
  return type.kind === 'param' ? `<${type.name}>` : withParameters(type, typeString);
}

function withParameters(type: Type, format: (type: Type) => string): string {
  if (type.nullable === true) return `wrapper(${type.name})`;
  return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(format).join(', ')})`;
}

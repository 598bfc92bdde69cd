import { parseFloat64 } from './go-float';
import { INT_OVERFLOW, int, isInt64, MAX_UINT, uint, UINT_OVERFLOW } from './number';
import { doubleText } from './text';
import { durationText, parseDuration, parseTimestamp, secondsOf, timestampOfSeconds, timestampText } from './time';
import { typeName } from './type-name';
import { CelDuration, CelError, CelObject, CelTimestamp, CelType, CelUint } from './value';
import type { Value } from './value';
import type { Type } from '../types/type';
import { DURATION, INT, TIMESTAMP, TYPE, UINT, BOOL, BYTES, DOUBLE, STRING } from '../types/type';

/** The value as another type, or why it has no such form. */
export function convert(value: Value, to: Type): Value {
  if (value instanceof CelError) return value;
  return converted(value, to) ?? new CelError(`type conversion error from '${typeName(value)}' to '${to.name}'`);
}

function converted(value: Value, to: Type): Value | undefined {
  switch (to) {
    case INT: return toInt(value);
    case UINT: return toUint(value);
    case DOUBLE: return toDouble(value);
    case STRING: return toText(value);
    case BOOL: return typeof value === 'boolean' ? value : typeof value === 'string' ? BOOLS.get(value) : undefined;
    case BYTES: return value instanceof Uint8Array ? value : typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
    case DURATION: return value instanceof CelDuration ? value : typeof value === 'string' ? parseDuration(value) : undefined;
    case TIMESTAMP:
      if (typeof value === 'bigint') return timestampOfSeconds(value);
      return value instanceof CelTimestamp ? value : typeof value === 'string' ? parseTimestamp(value) : undefined;
    case TYPE: return typeOf(value);
    default: return undefined;
  }
}

function toInt(value: Value): Value | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return int(value.value);
  if (typeof value === 'number') {
    return !Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63 ? INT_OVERFLOW : BigInt(Math.trunc(value));
  }
  if (typeof value === 'string') {
    const parsed = /^[+-]?\d{1,100}$/.test(value) ? BigInt(value.replace('+', '')) : undefined;
    return parsed !== undefined && isInt64(parsed) ? parsed : undefined;
  }
  if (value instanceof CelDuration) return value.nanoseconds;
  return value instanceof CelTimestamp ? secondsOf(value) : undefined;
}

function toUint(value: Value): Value | undefined {
  if (value instanceof CelUint) return value;
  if (typeof value === 'bigint') return uint(value);
  if (typeof value === 'number') {
    return !Number.isFinite(value) || value < 0 || value >= 2 ** 64 ? UINT_OVERFLOW : new CelUint(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string' || !/^\d{1,100}$/.test(value)) return undefined;
  const parsed = BigInt(value);
  return parsed <= MAX_UINT ? new CelUint(parsed) : undefined;
}

function toDouble(value: Value): Value | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  return typeof value === 'string' ? parseFloat64(value) : undefined;
}

function toText(value: Value): Value | undefined {
  switch (typeof value) {
    case 'string': return value;
    case 'bigint': case 'boolean': return String(value);
    case 'number': return doubleText(value);
    default:
  }
  if (value === null) return 'null';
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return decodeUtf8(value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelType) return value.type.name;
  return value instanceof CelObject && value.typeName.startsWith('net.') ? value.toText() : undefined;
}

function decodeUtf8(bytes: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function typeOf(value: Value): CelType {
  if (value instanceof CelType) return new CelType(TYPE);
  return new CelType({ kind: 'dyn', name: typeName(value), parameters: [] });
}

const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

import { CelMap } from './map';
import { plainDecimal, goDurationText, goTimestampText } from './time';
import { CelDuration, CelError, CelObject, CelOptional, CelTimestamp, CelType, CelUint } from './value';
import type { Value } from './value';

/** Go's `%v` of a value, which cel-go puts into messages. */
export function goText(value: Value): string {
  switch (typeof value) {
    case 'string': return value;
    case 'bigint': case 'boolean': return String(value);
    case 'number': return doubleText(value);
    default:
  }
  if (value === null) return NULL_ORDINAL;
  if (value instanceof CelUint) return String(value.value);
  if (Array.isArray(value)) return `[${value.map(goText).join(', ')}]`;
  if (value instanceof CelMap) return `{${value.keys().map((key) => `${goText(key)}: ${goText(value.find(key) ?? null)}`).join(', ')}}`;
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof CelObject) return value.toText();
  if (value instanceof CelDuration) return goDurationText(value);
  if (value instanceof CelTimestamp) return goTimestampText(value);
  if (value instanceof CelOptional) return value.value === undefined ? 'optional.none()' : `optional(${goText(value.value)})`;
  if (value instanceof CelType) return value.type.name;
  return value instanceof CelError ? value.message : '';
}

/** cel-go's null is a number of an enumeration, without a text of its own. */
const NULL_ORDINAL = '0';

/** Go's `%g` of a double. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  if (Object.is(value, -0)) return '-0';
  if (value === 0) return '0';
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < EXPONENT_FROM) return plainDecimal(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** From this power of ten on, `%g` writes an exponent. */
const EXPONENT_FROM = 6;

/** Go's `%q`: a string in quotes with escapes. */
export function quoted(text: string): string {
  let result = '"';
  for (const char of text) result += GO_ESCAPES.get(char) ?? (PRINTABLE.test(char) ? char : escaped(char.codePointAt(0) ?? 0));
  return `${result}"`;
}

/** Go's `strconv.IsPrint`. */
const PRINTABLE = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

function escaped(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  // A lone surrogate is no text in Go.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

const GO_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'], ['\\', '\\\\'], ['\u0007', '\\a'], ['\b', '\\b'], ['\f', '\\f'], ['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t'], ['\v', '\\v'],
]);

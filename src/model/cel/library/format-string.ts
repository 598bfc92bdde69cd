/* eslint-disable no-bitwise -- Go keeps numbers of decimal places in few bits. */
import { convert } from '../evaluate/convert';
import { decimalText, fixedText } from '../evaluate/decimal';
import { CelMap } from '../evaluate/map';
import { compareStrings } from '../evaluate/order';
import { quoted } from '../evaluate/text';
import { plainDecimal } from '../evaluate/time';
import { typeName } from '../evaluate/type-name';
import { CelDuration, CelError, CelTimestamp, CelType, CelUint } from '../evaluate/value';
import type { CelList, Value } from '../evaluate/value';
import { STRING } from '../types/type';

/** One `%` clause of a format: its letter, and the precision where one is given. */
export interface FormatClause {
  readonly letter: string;
  readonly precision?: number;
}

/** The text between clauses and the clauses, as far as the format is right. */
export interface ParsedFormat {
  readonly parts: readonly (string | FormatClause)[];
  /** What is wrong behind the parts. */
  readonly error?: string;
}

/** Splits a format; `checked` is how the compiler does it, which sees an unfinished clause before a missing argument. */
export function parseFormat(format: string, args: number, checked: boolean): ParsedFormat {
  const parts: (string | FormatClause)[] = [];
  let used = 0;
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      parts.push(format.slice(at));
      break;
    }
    parts.push(format.slice(at, percent));
    if (format[percent + 1] === '%') {
      parts.push('%');
      at = percent + 2;
      continue;
    }
    const unfinished = percent + 1 >= format.length;
    if (unfinished && (checked || used < args)) return { parts, error: 'unexpected end of string' };
    if (used >= args) return { parts, error: `index ${used} out of range` };
    const match = /^(?:\.(\d*))?(.?)/su.exec(format.slice(percent + 1));
    const [whole, digits, letter] = match ?? ['', undefined, ''];
    const prefix = 'could not parse formatting clause: ';
    if (digits !== undefined && letter === '') return { parts, error: `${prefix}error while parsing precision: could not find end of precision specifier` };
    if (digits === '' || (digits !== undefined && isTooLarge(digits))) {
      const problem = digits === '' ? 'invalid syntax' : 'value out of range';
      const conversion = `error while converting precision to integer: strconv.Atoi: parsing ${quoted(digits)}: ${problem}`;
      return { parts, error: `${prefix}error while parsing precision: ${conversion}` };
    }
    if (!LETTERS.has(letter)) return { parts, error: `${prefix}unrecognized formatting clause ${quoted(letter)}` };
    parts.push({ letter, precision: digits === undefined ? undefined : Number(digits) });
    used++;
    at = percent + 1 + whole.length;
  }
  return { parts };
}

function isTooLarge(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 19 || (significant.length === 19 && significant > '9223372036854775807');
}

const LETTERS: ReadonlySet<string> = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o']);

/** What a clause takes, and how the refusal of anything else begins. */
export const CLAUSES: Readonly<Record<string, { readonly types: readonly string[]; readonly refusal: string }>> = {
  s: {
    types: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'google.protobuf.Timestamp', 'bytes', 'google.protobuf.Duration', 'type', 'null_type'],
    refusal: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { types: ['int', 'uint'], refusal: 'decimal clause can only be used on integers' },
  f: { types: ['double', 'string'], refusal: 'fixed-point clause can only be used on doubles' },
  e: { types: ['double', 'string'], refusal: 'scientific clause can only be used on doubles' },
  b: { types: ['int', 'uint', 'bool'], refusal: 'only integers and bools can be formatted as binary' },
  x: { types: ['int', 'uint', 'string', 'bytes'], refusal: 'only integers, byte buffers, and strings can be formatted as hex' },
  X: { types: ['int', 'uint', 'string', 'bytes'], refusal: 'only integers, byte buffers, and strings can be formatted as hex' },
  o: { types: ['int', 'uint'], refusal: 'octal clause can only be used on integers' },
};

/** `format.format(args)`. */
export function formatString(format: string, args: CelList): Value {
  const { parts, error } = parseFormat(format, args.length, false);
  let text = '';
  let next = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const formatted = clause(part, args[next++]);
    if (formatted instanceof CelError) return new CelError(`error during formatting: ${formatted.message}`);
    text += formatted;
  }
  return error === undefined ? text : new CelError(error);
}

function clause({ letter, precision = 6 }: FormatClause, value: Value): string | CelError {
  switch (letter) {
    case 's': return plain(value) ?? refused(letter, value);
    case 'd': return typeof value === 'bigint' ? String(value) : value instanceof CelUint ? String(value.value) : refused(letter, value);
    case 'f': case 'e': return float(letter, value, precision);
    case 'b': return typeof value === 'boolean' ? (value ? '1' : '0') : integer(value, 2) ?? refused(letter, value);
    case 'o': return integer(value, 8) ?? refused(letter, value);
    default: {
      const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value instanceof Uint8Array ? value : undefined;
      const hex = bytes === undefined ? integer(value, 16) : Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (hex === undefined) return refused(letter, value);
      return letter === 'X' ? hex.toUpperCase() : hex;
    }
  }
}

function refused(letter: string, value: Value): CelError {
  return new CelError(`${CLAUSES[letter].refusal}, was given ${typeName(value)}`);
}

function integer(value: Value, radix: number): string | undefined {
  return typeof value === 'bigint' ? value.toString(radix) : value instanceof CelUint ? value.value.toString(radix) : undefined;
}

function float(letter: string, value: Value, precision: number): string | CelError {
  const number = typeof value === 'string' ? SPECIAL.get(value) : value;
  if (typeof number !== 'number') return refused(letter, value);
  if (precision > MAX_PRECISION) return '%!(NOVERB)';
  // Upstream takes the precision of %e for a width, which is 16 bits.
  const width = letter === 'e' ? precision % 2 ** 16 : 0;
  if (!Number.isFinite(number)) return (Number.isNaN(number) ? 'NaN' : number < 0 ? '-∞' : '∞').padStart(width);
  if (letter === 'f') return grouped(number, precision);
  const [mantissa, exponent] = number.toExponential(6).split('e');
  return `${mantissa}×10${superscript(Number(exponent))}`.padStart(width);
}

/** `golang.org/x/text` reads no number that it would have to multiply once more beyond a million. */
const MAX_PRECISION = 10_000_009;

/** As `golang.org/x/text` prints numbers, which keeps the least number of decimal places in 8 bits and the most in 16 with a sign. */
function grouped(number: number, precision: number): string {
  const least = precision % 2 ** 8;
  const most = (precision << 16) >> 16;
  const [whole, fraction = ''] = (most < 0 ? plainDecimal(number) : decimalText(number, most)).split('.');
  const padded = fraction.padEnd(least, '0');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${padded === '' ? '' : `.${padded}`}`;
}

function superscript(exponent: number): string {
  const sign = exponent < 0 ? '⁻' : '';
  return sign + String(Math.abs(exponent)).padStart(2, '0').replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);
}

const SPECIAL: ReadonlyMap<string, number> = new Map([['NaN', NaN], ['Infinity', Infinity], ['-Infinity', -Infinity]]);

/** The text of `%s`; undefined for types that have none. */
function plain(value: Value): string | CelError | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  if (!CLAUSES.s.types.includes(typeName(value))) return undefined;
  const text = convert(value, STRING);
  return text instanceof CelError ? new CelError(`could not convert argument ${quoted(text.message)} to string`) : String(text);
}

function nested(value: Value): string | CelError {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? '"NaN"' : value < 0 ? '"-Inf"' : '"+Inf"';
    return `${Object.is(value, -0) ? '-' : ''}${fixedText(value, 6)}`;
  }
  const text = plain(value);
  if (text === undefined) return new CelError(`no formatting function for ${typeName(value)}`);
  if (text instanceof CelError) return text;
  if (value instanceof Uint8Array) return `b${quoted(text)}`;
  if (value instanceof CelTimestamp) return `timestamp(${quoted(text)})`;
  if (value instanceof CelDuration) return `duration(${quoted(text)})`;
  return value instanceof CelType ? text : text;
}

function listText(list: CelList): string | CelError {
  const parts: string[] = [];
  for (const element of list) {
    const text = nested(element);
    if (text instanceof CelError) return text;
    parts.push(text);
  }
  return `[${parts.join(', ')}]`;
}

function mapText(map: CelMap): string | CelError {
  const pairs: [string, string][] = [];
  for (const key of map.keys()) {
    if (!MAP_KEYS.has(typeName(key))) return new CelError(`no formatting function for map key of type ${typeName(key)}`);
    const keyText = nested(key);
    const valueText = nested(map.find(key) ?? null);
    if (keyText instanceof CelError) return keyText;
    if (valueText instanceof CelError) return valueText;
    pairs.push([keyText, valueText]);
  }
  pairs.sort(([a], [b]) => compareStrings(a, b));
  return `{${pairs.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

const MAP_KEYS: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint']);

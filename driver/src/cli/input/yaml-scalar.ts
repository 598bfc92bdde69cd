/**
 * What a plain (unquoted) YAML scalar means to kubectl, which reads YAML through sigs.k8s.io/yaml and go-yaml v2:
 * YAML 1.1 booleans (`y`, `on`, `no`), octal `0644`, `1_000`, but no base 60. Wholes outside ±2^53 come out as bigint.
 */
export type Scalar = string | number | bigint | boolean | null;

/** A number that JSON cannot carry (`.inf`, `.nan`); kubectl refuses the document. */
export class UnsupportedNumber extends Error {}

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

const NOT_JSON = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^[-+]?(?:0|[1-9][0-9]*)$/;
const OCTAL = /^([-+]?)0[oO]?([0-7]+)$/;
const PREFIXED = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+)$/;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** The value of a plain scalar. Throws {@link UnsupportedNumber} for infinities and NaN. */
export function resolvePlain(text: string): Scalar {
  const first = text.charCodeAt(0);
  // Most values start with a letter that begins no word of the table: go straight to the string.
  const isDigit = first >= 0x30 && first <= 0x39;
  const isSign = first === 0x2b || first === 0x2d;
  if (isDigit || isSign || first === 0x2e) return resolveNumber(text, isDigit || isSign) ?? text;
  if (text.length > LONGEST_WORD) return text;
  const word = WORDS.get(text);
  return word === undefined ? text : word;
}

const LONGEST_WORD = 5;

function resolveNumber(text: string, mayBeInteger: boolean): number | bigint | undefined {
  if (NOT_JSON.test(text)) throw new UnsupportedNumber(`${text} has no JSON form`);
  // go-yaml drops the underscores of numbers that start with a digit or a sign, wherever they stand.
  const plain = mayBeInteger && text.includes('_') ? text.replaceAll('_', '') : text;
  if (mayBeInteger) {
    const whole = parseWhole(plain);
    if (whole !== undefined) return whole;
  }
  if (!FLOAT.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

function parseWhole(text: string): number | bigint | undefined {
  if (text.length <= MAX_SAFE_DIGITS && INTEGER.test(text)) return Number(text) + 0;
  if (text.length > LONGEST_WHOLE) return undefined;
  let value: bigint;
  const octal = OCTAL.exec(text);
  const prefixed = PREFIXED.exec(text);
  if (INTEGER.test(text)) value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  else if (octal !== null) value = signed(octal[1], BigInt(`0o${octal[2]}`));
  else if (prefixed !== null) value = signed(prefixed[1], BigInt(prefixed[2] ?? '0'));
  else return undefined;
  // Outside of int64 and uint64 Go falls back to a float; it takes no sign before a uint64.
  if (value < INT64_MIN || value > (text.startsWith('+') ? INT64_MAX : UINT64_MAX)) return undefined;
  return narrow(value);
}

/** Any whole number of so many characters, sign included, is exact as a double. */
const MAX_SAFE_DIGITS = 15;

/** 64 binary digits with prefix and sign; making a bigint of a longer text may take minutes. */
const LONGEST_WHOLE = 67;

function signed(sign: string | undefined, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** A number where that is exact, else the bigint. */
export function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

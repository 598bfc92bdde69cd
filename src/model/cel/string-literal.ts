/* eslint-disable no-bitwise -- UTF-8 is made of bits, and the complement marks an offset as that of an open end. */
/**
 * Finds the end of the string whose quote stands at `quoteAt`.
 *
 * Returns the offset behind the closing quote, or the complement (`~offset`) of where a string that is never closed
 * ends: its line, or the input for a triple-quoted one. A backslash protects the character behind it, whether or not
 * the two are a legal escape, so that a wrong escape does not hide where the string ends.
 */
export function stringEnd(text: string, quoteAt: number, raw: boolean): number {
  const quote = text.charCodeAt(quoteAt);
  if (isTriple(text, quoteAt)) {
    return tripleEnd(text, quoteAt, quote, raw);
  }
  for (let at = quoteAt + 1; at < text.length; at++) {
    let char = text.charCodeAt(at);
    if (char === quote) {
      return at + 1;
    }
    if (char === BACKSLASH && !raw) {
      at++;
      char = text.charCodeAt(at);
    }
    if (char === LINE_FEED || char === CARRIAGE_RETURN) {
      return ~at;
    }
  }
  return ~text.length;
}

/** Whether the quote at this offset is the first of three. */
export function isTriple(text: string, quoteAt: number): boolean {
  const quote = text.charCodeAt(quoteAt);
  return text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
}

function tripleEnd(text: string, quoteAt: number, quote: number, raw: boolean): number {
  for (let at = quoteAt + 3; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH && !raw) {
      at++;
    } else if (char === quote && isTriple(text, at)) {
      return at + 3;
    }
  }
  return ~text.length;
}

/** Told about each refused escape: its range and why. */
export type EscapeReport = (start: number, end: number, refusal: EscapeRefusal) => void;

export type EscapeRefusal = 'unknown' | 'incomplete' | 'code-point' | 'unicode-in-bytes';

/** Content between the quotes (`from` to `to`), decoded; undefined if an escape was refused. Line ends become `\n`. */
export function decodeString(text: string, from: number, to: number, raw: boolean, report: EscapeReport): string | undefined {
  let decoded = '';
  let kept = from;
  let refused = false;
  for (let at = from; at < to; at++) {
    const char = text.charCodeAt(at);
    if (char === CARRIAGE_RETURN) {
      decoded += `${text.slice(kept, at)}\n`;
      at += text.charCodeAt(at + 1) === LINE_FEED ? 1 : 0;
      kept = at + 1;
    } else if (char === BACKSLASH && !raw) {
      const { end, code } = readEscape(text, at, to, false, report);
      refused ||= code < 0;
      decoded += text.slice(kept, at) + (code < 0 ? '' : String.fromCodePoint(code));
      kept = end;
      at = end - 1;
    }
  }
  return refused ? undefined : decoded + text.slice(kept, to);
}

/** Like `decodeString` for a bytes literal: text becomes UTF-8, `\x` and octal escapes are one byte each. */
export function decodeBytes(text: string, from: number, to: number, raw: boolean, report: EscapeReport): Uint8Array | undefined {
  // A UTF-16 unit is three bytes of UTF-8 at most, an escape is always longer than its byte.
  const bytes = new Uint8Array((to - from) * 3);
  let length = 0;
  let refused = false;
  for (let at = from; at < to; at++) {
    const char = text.charCodeAt(at);
    if (char === CARRIAGE_RETURN) {
      bytes[length++] = LINE_FEED;
      at += text.charCodeAt(at + 1) === LINE_FEED ? 1 : 0;
    } else if (char === BACKSLASH && !raw) {
      const { end, code } = readEscape(text, at, to, true, report);
      refused ||= code < 0;
      bytes[length++] = code;
      at = end - 1;
    } else if (char < 0x80) {
      bytes[length++] = char;
    } else {
      const point = text.codePointAt(at) ?? REPLACEMENT;
      at += point > 0xffff ? 1 : 0;
      length = writeUtf8(bytes, length, isSurrogate(point) ? REPLACEMENT : point);
    }
  }
  return refused ? undefined : bytes.slice(0, length);
}

/** One escape; `code` is negative when it is refused. */
function readEscape(text: string, at: number, to: number, bytes: boolean, report: EscapeReport): { end: number; code: number } {
  const letter = at + 1 < to ? text[at + 1] : '';
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) {
    return { end: at + 2, code: simple };
  }
  const form = NUMERIC_ESCAPES.get(letter);
  if (form === undefined) {
    const end = Math.min(at + ((text.codePointAt(at + 1) ?? 0) > 0xffff ? 3 : 2), to);
    report(at, end, 'unknown');
    return { end, code: -1 };
  }
  const first = form.radix === 8 ? at + 1 : at + 2;
  let code = 0;
  for (let digit = first; digit < first + form.digits; digit++) {
    const value = digit < to ? digitValue(text.charCodeAt(digit)) : NO_DIGIT;
    if (value >= form.radix) {
      report(at, digit, 'incomplete');
      return { end: digit, code: -1 };
    }
    code = code * form.radix + value;
  }
  const end = first + form.digits;
  if (bytes && form.unicode) {
    report(at, end, 'unicode-in-bytes');
    return { end, code: -1 };
  }
  if (code > 0x10ffff || isSurrogate(code)) {
    report(at, end, 'code-point');
    return { end, code: -1 };
  }
  return { end, code };
}

function writeUtf8(bytes: Uint8Array, at: number, point: number): number {
  let length = at;
  if (point < 0x800) {
    bytes[length++] = 0xc0 | (point >> 6);
  } else {
    if (point < 0x10000) {
      bytes[length++] = 0xe0 | (point >> 12);
    } else {
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
    }
    bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
  }
  bytes[length++] = 0x80 | (point & 0x3f);
  return length;
}

/** Value of a hexadecimal digit, or a number above every radix. */
export function digitValue(char: number): number {
  if (char >= 0x30 && char <= 0x39) {
    return char - 0x30;
  }
  const lower = char | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NO_DIGIT;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

const NO_DIGIT = 99;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const REPLACEMENT = 0xfffd;

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 0x07], ['b', 0x08], ['f', 0x0c], ['n', 0x0a], ['r', 0x0d], ['t', 0x09], ['v', 0x0b],
  ['\\', 0x5c], ['?', 0x3f], ['"', 0x22], ['\'', 0x27], ['`', 0x60],
]);

interface NumericEscape {
  readonly radix: number;
  readonly digits: number;
  readonly unicode: boolean;
}

const HEX: NumericEscape = { radix: 16, digits: 2, unicode: false };
/** The first digit is the letter of the escape itself, and goes to 3 only: a byte. */
const OCTAL: NumericEscape = { radix: 8, digits: 3, unicode: false };

const NUMERIC_ESCAPES: ReadonlyMap<string, NumericEscape> = new Map([
  ['x', HEX], ['X', HEX],
  ['u', { radix: 16, digits: 4, unicode: true }], ['U', { radix: 16, digits: 8, unicode: true }],
  ['0', OCTAL], ['1', OCTAL], ['2', OCTAL], ['3', OCTAL],
]);

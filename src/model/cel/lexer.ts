/* eslint-disable no-bitwise -- Letters of both cases are one test with the bit that tells them apart. */
import { escapeProblem, isVisible, unrecognized } from './lex-error';
import type { LexError, LexErrorCode } from './lex-error';
import { decodeBytes, decodeString, digitValue, isTriple, stringEnd } from './string-literal';
import type { Token, TokenKind, TokenValue } from './token';

export interface LexResult {
  /** In order, without overlap; what lies between them is white space, comments and text with an error. */
  readonly tokens: Token[];
  /** In order of discovery; errors behind the first 100 are not listed. */
  readonly errors: LexError[];
}

/**
 * Splits a CEL expression into tokens, for any text, in linear time, and never throws.
 *
 * Follows the lexer of cel-go 0.26 (`parser/gen/CEL.g4`, `parser/unescape.go`) as Kubernetes configures it: backtick
 * identifiers are off. It accepts what cel-go accepts; it recovers better from errors: a string with a wrong escape
 * still ends at its quote, and three quotes that are never closed are one error instead of an empty string and a rest.
 */
export function lex(expression: string): LexResult {
  const lexer = new Lexer(expression);
  lexer.run();
  return { tokens: lexer.tokens, errors: lexer.errors };
}

class Lexer {
  readonly tokens: Token[] = [];
  readonly errors: LexError[] = [];

  constructor(private readonly text: string) {}

  run(): void {
    const { text } = this;
    let at = 0;
    while (at < text.length) {
      const char = text.charCodeAt(at);
      if (isSpace(char)) {
        at++;
      } else if (isWordStart(char)) {
        at = this.word(at, char);
      } else if (isDigit(char) || (char === DOT && isDigit(text.charCodeAt(at + 1)))) {
        at = this.number(at);
      } else if (char === DOUBLE_QUOTE || char === SINGLE_QUOTE) {
        at = this.string(at, at, false, false);
      } else if (char === SLASH && text.charCodeAt(at + 1) === SLASH) {
        const lineEnd = text.indexOf('\n', at);
        at = lineEnd < 0 ? text.length : lineEnd + 1;
      } else {
        at = this.operator(at, char);
      }
    }
  }

  private word(start: number, char: number): number {
    const { text } = this;
    const bytes = (char | LOWER) === LETTER_B;
    const prefix = bytes ? start + 1 : start;
    const raw = (text.charCodeAt(prefix) | LOWER) === LETTER_R;
    const quoteAt = raw ? prefix + 1 : prefix;
    const quote = text.charCodeAt(quoteAt);
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      return this.string(start, quoteAt, raw, bytes);
    }
    let end = start + 1;
    while (isWordPart(text.charCodeAt(end))) {
      end++;
    }
    const name = text.slice(start, end);
    const keyword = KEYWORDS.get(name);
    this.push(keyword ?? 'identifier', start, end, keyword ? undefined : name);
    return end;
  }

  private number(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start) === ZERO && text.charCodeAt(start + 1) === LETTER_X && digitValue(text.charCodeAt(start + 2)) < 16) {
      let end = start + 3;
      while (digitValue(text.charCodeAt(end)) < 16) {
        end++;
      }
      return this.integer(start, start + 2, end, '0x');
    }
    let end = this.digits(start);
    let double = false;
    if (text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1))) {
      double = true;
      end = this.digits(end + 1);
    }
    if ((text.charCodeAt(end) | LOWER) === LETTER_E) {
      const sign = text.charCodeAt(end + 1);
      const exponent = sign === PLUS || sign === MINUS ? end + 2 : end + 1;
      if (isDigit(text.charCodeAt(exponent))) {
        double = true;
        end = this.digits(exponent);
      }
    }
    if (!double) {
      return this.integer(start, start, end, '');
    }
    const value = Number(text.slice(start, end));
    if (value === Infinity) {
      this.refuse('bad-number', start, end, 'invalid double literal', 'A double goes up to about 1.8e308.');
    }
    this.push('double', start, end, value === Infinity ? undefined : value);
    return end;
  }

  private digits(from: number): number {
    let end = from;
    while (isDigit(this.text.charCodeAt(end))) {
      end++;
    }
    return end;
  }

  private integer(start: number, digits: number, digitsEnd: number, radixPrefix: '' | '0x'): number {
    const { text } = this;
    const unsigned = (text.charCodeAt(digitsEnd) | LOWER) === LETTER_U;
    const end = unsigned ? digitsEnd + 1 : digitsEnd;
    let first = digits;
    while (first < digitsEnd - 1 && text.charCodeAt(first) === ZERO) {
      first++;
    }
    // Converting a long number takes more than linear time, and it is out of range anyway.
    const convertible = digitsEnd - first <= MAX_DIGITS;
    const value = convertible ? BigInt(radixPrefix + text.slice(first, digitsEnd)) : undefined;
    const fits = value !== undefined && value <= (unsigned ? MAX_UINT : MAX_INT_MAGNITUDE);
    if (!fits) {
      this.refuse('bad-number', start, end, unsigned ? 'invalid uint literal' : 'invalid int literal',
        unsigned ? 'A uint goes from 0 to 18446744073709551615.' : 'An int goes from -9223372036854775808 to 9223372036854775807.');
    }
    this.push(unsigned ? 'uint' : 'int', start, end, fits ? value : undefined);
    return end;
  }

  private string(start: number, quoteAt: number, raw: boolean, bytes: boolean): number {
    const { text } = this;
    const end = stringEnd(text, quoteAt, raw);
    const quotes = isTriple(text, quoteAt) ? 3 : 1;
    if (end < 0) {
      this.refuse('unclosed-string', start, ~end, unrecognized(text.slice(start, ~end)), quotes === 3
        ? 'Close the string with three quotes of the same kind.'
        : 'Close the string with the same quote on the same line; a string over several lines takes three quotes.');
      return ~end;
    }
    const decode = bytes ? decodeBytes : decodeString;
    const value = decode(text, quoteAt + quotes, end - quotes, raw, (from, to, refusal) => {
      this.refuse('bad-escape', from, to, ...escapeProblem(text.slice(from, to), refusal));
    });
    this.push(bytes ? 'bytes' : 'string', start, end, value);
    return end;
  }

  private operator(start: number, char: number): number {
    const { text } = this;
    const next = text.charCodeAt(start + 1);
    const pair = next === EQUALS ? PAIRED_WITH_EQUALS[char] : next === char ? DOUBLED[char] : undefined;
    if (pair !== undefined) {
      this.push(pair, start, start + 2, undefined);
      return start + 2;
    }
    const single = SINGLE[char];
    if (single !== undefined) {
      this.push(single, start, start + 1, undefined);
      return start + 1;
    }
    return this.unknown(start, char);
  }

  private unknown(start: number, char: number): number {
    const { text } = this;
    const end = start + 1;
    if (char === EQUALS) {
      this.refuse('assignment', start, end, unrecognized(text.slice(start, end)), 'CEL has no assignment: compare with ==.');
      return end;
    }
    if (char === AMPERSAND || char === BAR) {
      const operator = char === AMPERSAND ? '&&' : '||';
      this.refuse('single-operator', start, end, unrecognized(text.slice(start, end)), `Write ${operator}: CEL has no bitwise operators.`);
      return end;
    }
    const closing = CLOSING_QUOTES.get(text[start]);
    if (closing !== undefined) {
      let quoteEnd = end;
      while (quoteEnd < text.length && text[quoteEnd] !== '\n' && !closing.includes(text[quoteEnd])) {
        quoteEnd++;
      }
      quoteEnd += closing.includes(text[quoteEnd] ?? '\n') ? 1 : 0;
      this.refuse('curly-quotes', start, quoteEnd, unrecognized(text.slice(start, quoteEnd)),
        'Type straight quotes (" or \'): these come from a word processor or a web page.');
      return quoteEnd;
    }
    if (char === BACKTICK) {
      let quoted = end;
      while (quoted < text.length && text[quoted] !== '\n' && text.charCodeAt(quoted) !== BACKTICK) {
        quoted++;
      }
      quoted += text.charCodeAt(quoted) === BACKTICK ? 1 : 0;
      this.refuse('backtick', start, quoted, 'unsupported syntax: \'`\'',
        'Kubernetes does not enable names in backticks: use an index, such as device.attributes["gpu.example.com"].');
      return quoted;
    }
    let unknownEnd = end;
    while (unknownEnd < text.length && isForeign(text.charCodeAt(unknownEnd)) && !CLOSING_QUOTES.has(text[unknownEnd])) {
      unknownEnd++;
    }
    this.refuse('unknown-character', start, unknownEnd, unrecognized(text.slice(start, unknownEnd)), isVisible(char)
      ? 'Remove it, or put it between quotes if it belongs to a string.'
      : 'Remove the invisible character; it often comes with text copied from a web page.');
    return unknownEnd;
  }

  private push(kind: TokenKind, start: number, end: number, value: TokenValue | undefined): void {
    this.tokens.push({ kind, start, end, value });
  }

  private refuse(code: LexErrorCode, start: number, end: number, rule: string, help: string): void {
    if (this.errors.length < MAX_ERRORS) {
      this.errors.push({ code, start, end, rule, help });
    }
  }
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x09 || char === 0x0d || char === 0x0c;
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= 0x39;
}

function isWordStart(char: number): boolean {
  return ((char | LOWER) >= 0x61 && (char | LOWER) <= 0x7a) || char === 0x5f;
}

function isWordPart(char: number): boolean {
  return isWordStart(char) || isDigit(char);
}

/** Whether the character can begin no token and has no error of its own, so that a run of such is one error. */
function isForeign(char: number): boolean {
  const known = isSpace(char) || isWordPart(char) || SINGLE[char] !== undefined || char === DOUBLE_QUOTE || char === SINGLE_QUOTE
    || char === EQUALS || char === AMPERSAND || char === BAR || char === BACKTICK;
  return !known;
}

const LOWER = 0x20;
const LETTER_B = 0x62;
const LETTER_E = 0x65;
const LETTER_R = 0x72;
const LETTER_U = 0x75;
const LETTER_X = 0x78;
const ZERO = 0x30;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKTICK = 0x60;
const AMPERSAND = 0x26;
const BAR = 0x7c;
const EQUALS = 0x3d;
const SLASH = 0x2f;
const DOT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;

const MAX_UINT = (1n << 64n) - 1n;
const MAX_INT_MAGNITUDE = 1n << 63n;
/** Digits of 2^64 in decimal, more than it has in hexadecimal. */
const MAX_DIGITS = 20;
/** As cel-go's error reporting limit in Kubernetes' environment. */
const MAX_ERRORS = 100;

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map([['in', 'in'], ['true', 'true'], ['false', 'false'], ['null', 'null']]);

/** Operators by their first character code. */
const SINGLE: (TokenKind | undefined)[] = [];
for (const kind of ['<', '>', '(', ')', '[', ']', '{', '}', '.', ',', '-', '!', '?', ':', '+', '*', '/', '%'] as const) {
  SINGLE[kind.charCodeAt(0)] = kind;
}
const PAIRED_WITH_EQUALS: (TokenKind | undefined)[] = [];
for (const kind of ['==', '!=', '<=', '>='] as const) {
  PAIRED_WITH_EQUALS[kind.charCodeAt(0)] = kind;
}
const DOUBLED: (TokenKind | undefined)[] = [];
for (const kind of ['&&', '||'] as const) {
  DOUBLED[kind.charCodeAt(0)] = kind;
}

const DOUBLE_CLOSING = '“”„‟«»"';
const SINGLE_CLOSING = '‘’‚‛\'';
/** What may close a string that a typographic quote opens. */
const CLOSING_QUOTES: ReadonlyMap<string, string> = new Map([
  ['“', DOUBLE_CLOSING], ['”', DOUBLE_CLOSING], ['„', DOUBLE_CLOSING], ['‟', DOUBLE_CLOSING], ['«', DOUBLE_CLOSING], ['»', DOUBLE_CLOSING],
  ['‘', SINGLE_CLOSING], ['’', SINGLE_CLOSING], ['‚', SINGLE_CLOSING], ['‛', SINGLE_CLOSING],
]);

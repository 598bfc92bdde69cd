import { DocumentError } from './document-error.js';
import type { DuplicateKey, ParsedDocument } from './document-error.js';
import { ownString } from './string-pool.js';
import { set } from './yaml-document.js';
import { MAX_DEPTH, tooDeep } from './yaml-events.js';
import { narrow } from './yaml-scalar.js';

/**
 * Reads one JSON value at `start` and says where it ends, so that values that follow each other can be read one by one.
 * Unlike JSON.parse it keeps whole numbers beyond 2^53 exact (bigint) and knows of duplicate keys. Throws DocumentError.
 *
 * kubectl makes a float of a whole number beyond 64 bits, which may round it to one that fits. Where a program's own decoder would
 * see the digits, `keepsDigits` lets the reader of the value see and refuse them.
 */
export function parseJsonValue(text: string, start: number, keepsDigits = false): ParsedDocument & { readonly end: number } {
  const reader = new JsonReader(text, start, keepsDigits);
  const value = reader.value(0);
  return { value, duplicates: reader.duplicates, aliased: 0, end: reader.at };
}

/** The offset of the first character at or after `at` that is no JSON whitespace. */
export function skipJsonSpace(text: string, at: number): number {
  let position = at;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position++;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const MAX_SAFE_DIGITS = 15;
/** With its sign; a longer number is too far beyond 64 bits for rounding to bring it back. */
const LONGEST_INT64 = 20;

class JsonReader {
  public readonly duplicates: DuplicateKey[] = [];

  public constructor(private readonly text: string, public at: number, private readonly keepsDigits: boolean) {}

  public value(depth: number): unknown {
    this.at = skipJsonSpace(this.text, this.at);
    switch (this.text[this.at]) {
      case '{': return this.object(depth);
      case '[': return this.list(depth);
      case '"': return this.string();
      case 't': return this.word('true', true);
      case 'f': return this.word('false', false);
      case 'n': return this.word('null', null);
      default: return this.number();
    }
  }

  private object(depth: number): Record<string, unknown> {
    this.descend(depth);
    const result: Record<string, unknown> = {};
    if (this.next() === '}') {
      this.at++;
      return result;
    }
    for (;;) {
      if (this.next() !== '"') throw this.error('a key in double quotes');
      const offset = this.at;
      const key = this.string();
      if (this.next() !== ':') throw this.error("':'");
      this.at++;
      if (Object.hasOwn(result, key)) this.duplicates.push({ key, offset });
      set(result, key, this.value(depth + 1));
      if (this.ends('}')) return result;
    }
  }

  private list(depth: number): unknown[] {
    this.descend(depth);
    const result: unknown[] = [];
    if (this.next() === ']') {
      this.at++;
      return result;
    }
    for (;;) {
      result.push(this.value(depth + 1));
      if (this.ends(']')) return result;
    }
  }

  private descend(depth: number): void {
    if (depth >= MAX_DEPTH) throw tooDeep(this.at);
    this.at++;
  }

  private ends(bracket: string): boolean {
    const found = this.next();
    if (found !== ',' && found !== bracket) throw this.error(`',' or '${bracket}'`);
    this.at++;
    return found === bracket;
  }

  private next(): string | undefined {
    this.at = skipJsonSpace(this.text, this.at);
    return this.text[this.at];
  }

  private string(): string {
    const start = this.at;
    for (let position = start + 1; position < this.text.length; position++) {
      const code = this.text.charCodeAt(position);
      if (code === 0x22) {
        this.at = position + 1;
        return ownString(this.text.slice(start + 1, position));
      }
      if (code === 0x5c) return this.escapedString(start, position);
      if (code < 0x20) {
        this.at = position;
        throw this.error('an escape instead of a control character in a string');
      }
    }
    throw this.error('the closing quote of this string');
  }

  private escapedString(start: number, firstEscape: number): string {
    let position = firstEscape;
    while (position < this.text.length && this.text.charCodeAt(position) !== 0x22) position += this.text.charCodeAt(position) === 0x5c ? 2 : 1;
    try {
      const value = JSON.parse(this.text.slice(start, position + 1)) as string;
      this.at = position + 1;
      return value;
    } catch {
      throw this.error('a well-formed string');
    }
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.error('a value');
    this.at += word.length;
    return value;
  }

  private number(): number | bigint {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw this.error('a value');
    const value = Number(match[0]);
    if (!Number.isFinite(value)) throw this.error('a number that fits 64 bits');
    this.at += match[0].length;
    const isWhole = match[1] === undefined && match[2] === undefined;
    if (!isWhole || match[0].length <= MAX_SAFE_DIGITS || match[0].length > LONGEST_INT64) return value;
    // Beyond int64 Go's decoder makes a float of it.
    const whole = BigInt(match[0]);
    return this.keepsDigits || whole === BigInt.asIntN(64, whole) ? narrow(whole) : value;
  }

  private error(expected: string): DocumentError {
    const found = this.at >= this.text.length ? 'the end of the file' : JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at) ?? 0));
    return new DocumentError('syntax', `invalid JSON: expected ${expected}, found ${found}`, Math.min(this.at, this.text.length), 'Correct the JSON at this place.');
  }
}

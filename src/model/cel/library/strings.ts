import { formatString } from './format-string';
import { global, member } from './overload';
import type { Library } from './overload';
import { codePoints } from '../evaluate/size';
import { goText } from '../evaluate/text';
import { CelError } from '../evaluate/value';
import type { CelList, Value } from '../evaluate/value';
import { DYN, INT, listType, STRING } from '../types/type';

const STRINGS = listType(STRING);

/** Functions on strings (cel-go `ext/strings.go`, version 2). Indexes count code points. */
export const STRING_FUNCTIONS: Library = {
  overloads: [
    member('charAt', 'string_char_at_int', [STRING, INT], STRING, charAt),
    member('indexOf', 'string_index_of_string', [STRING, STRING], INT, (text: string, part: string) => indexOf(text, part, 0n)),
    member('indexOf', 'string_index_of_string_int', [STRING, STRING, INT], INT, indexOf),
    member('lastIndexOf', 'string_last_index_of_string', [STRING, STRING], INT, (text: string, part: string) => {
      const length = BigInt(codePoints(text));
      return part === '' ? length : codePoints(text) < codePoints(part) ? -1n : lastIndexOf(text, part, length - 1n);
    }),
    member('lastIndexOf', 'string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexOf),
    member('lowerAscii', 'string_lower_ascii', [STRING], STRING, (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
    member('replace', 'string_replace_string_string', [STRING, STRING, STRING], STRING,
      (text: string, old: string, by: string) => replace(text, old, by, -1n)),
    member('replace', 'string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace),
    member('split', 'string_split_string', [STRING, STRING], STRINGS, (text: string, separator: string) => split(text, separator, -1n)),
    member('split', 'string_split_string_int', [STRING, STRING, INT], STRINGS, split),
    member('substring', 'string_substring_int', [STRING, INT], STRING, substringFrom),
    member('substring', 'string_substring_int_int', [STRING, INT, INT], STRING, substring),
    member('trim', 'string_trim', [STRING], STRING, (text: string) => text.replace(/^[\s\u0085]+|[\s\u0085]+$/g, (space) => space.replace(/[^\ufeff]/g, ''))),
    member('upperAscii', 'string_upper_ascii', [STRING], STRING, (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
    member('format', 'string_format', [STRING, listType(DYN)], STRING, formatString, { variadic: true }),
    global('strings.quote', 'strings_quote', [STRING], STRING, quote),
    member('join', 'list_join', [STRINGS], STRING, (list: CelList) => join(list, '')),
    member('join', 'list_join_string', [STRINGS, STRING], STRING, join),
  ],
};

/** As cel-go 0.29 has them, where searching for nothing respects the offset. */
export const STRING_FUNCTIONS_0_29: Library = {
  overloads: STRING_FUNCTIONS.overloads.map((overload) => {
    const search = overload.id === 'string_index_of_string_int' ? indexOf : overload.id === 'string_last_index_of_string_int' ? lastIndexOf : undefined;
    if (search === undefined) return overload;
    const implementation = (text: string, part: string, offset: bigint): Value => {
      if (part !== '' || offset < 0n) return search(text, part === '' ? ' ' : part, offset);
      const length = BigInt(codePoints(text));
      return offset > length ? length : offset;
    };
    return { ...overload, implementation };
  }),
};

/** Longest string that a library function makes; longer ones would take memory that no cost accounts for. */
const MAX_STRING = 4_000_000;

const TOO_LONG = new CelError('operation interrupted');

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** UTF-16 offset of the code point with an index; undefined behind the end. */
function offsetOf(text: string, index: bigint): number | undefined {
  if (index < 0n || index > BigInt(text.length)) return undefined;
  let offset = 0;
  for (let left = Number(index); left > 0; left--) {
    if (offset >= text.length) return undefined;
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

function charAt(text: string, index: bigint): Value {
  const offset = offsetOf(text, index);
  if (offset === undefined) return outOfRange(index);
  return offset === text.length ? '' : String.fromCodePoint(text.codePointAt(offset) ?? 0);
}

function indexOf(text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const offset = offsetOf(text, from);
  const found = offset === undefined ? -1 : text.indexOf(part, offset);
  return found < 0 ? -1n : BigInt(codePoints(text.slice(0, found)));
}

function lastIndexOf(text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const offset = offsetOf(text, from);
  const found = offset === undefined || offset === text.length ? -1 : text.lastIndexOf(part, offset);
  return found < 0 ? -1n : BigInt(codePoints(text.slice(0, found)));
}

function replace(text: string, old: string, by: string, count: bigint): Value {
  const limit = count < 0n || count > BigInt(text.length + 1) ? Infinity : Number(count);
  const parts: string[] = [];
  let kept = 0;
  let length = 0;
  const push = (...added: readonly string[]) => {
    for (const piece of added) length += piece.length;
    parts.push(...added);
  };
  for (let done = 0, at = 0; done < limit; done++) {
    const found = old === '' ? emptyMatch(text, at, done) : text.indexOf(old, at);
    if (found < 0) break;
    push(text.slice(kept, found), by);
    if (length > MAX_STRING) return TOO_LONG;
    kept = found + old.length;
    at = kept;
  }
  push(text.slice(kept));
  return length > MAX_STRING ? TOO_LONG : parts.join('');
}

/** The next place between code points; the first is before the text. */
function emptyMatch(text: string, at: number, done: number): number {
  if (done === 0) return 0;
  if (at >= text.length) return -1;
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

function split(text: string, separator: string, count: bigint): Value {
  if (count === 0n) return [];
  const limit = count < 0n ? Infinity : Number(count);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function substringFrom(text: string, start: bigint): Value {
  const offset = offsetOf(text, start);
  return offset === undefined ? outOfRange(start) : text.slice(offset);
}

function substring(text: string, start: bigint, end: bigint): Value {
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const from = offsetOf(text, start);
  if (from === undefined) return outOfRange(start);
  const to = offsetOf(text, end);
  return to === undefined ? outOfRange(end) : text.slice(from, to);
}

function join(list: CelList, separator: string): Value {
  let length = separator.length * list.length;
  for (const element of list) {
    if (typeof element !== 'string') return new CelError(`join: invalid input: ${goText(element)}`);
    length += element.length;
  }
  return length > MAX_STRING ? TOO_LONG : list.join(separator);
}

const QUOTE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'], ['\b', '\\b'], ['\f', '\\f'], ['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t'], ['\v', '\\v'], ['\\', '\\\\'], ['"', '\\"'],
]);

function quote(text: string): string {
  return `"${Array.from(text, (char) => QUOTE_ESCAPES.get(char) ?? char).join('')}"`;
}

import type { EscapeRefusal } from './string-literal';
import type { Problem } from '../problem';

/** What is wrong with a piece of text that is no token. */
export type LexErrorCode =
  | 'unclosed-string'
  | 'bad-escape'
  | 'bad-number'
  | 'assignment'
  | 'single-operator'
  | 'curly-quotes'
  | 'backtick'
  | 'unknown-character';

/** A lexical error; `rule` starts with the words of cel-go where cel-go's lexer is the one that refuses. */
export interface LexError extends Problem {
  readonly code: LexErrorCode;
  readonly start: number;
  readonly end: number;
}

/** Rule and way out for a refused escape. */
export function escapeProblem(escape: string, refusal: EscapeRefusal): [rule: string, help: string] {
  const shown = printable(escape);
  switch (refusal) {
    case 'unknown':
      return [`token recognition error at: '${shown}', which is no escape`,
        'Write \\\\ for a backslash, or a raw string such as r"\\d+" for a regular expression.'];
    case 'incomplete':
      return [`token recognition error at: '${shown}', an escape with too few digits`,
        'Escapes take \\x and 2, \\u and 4, \\U and 8 hexadecimal digits, or 3 octal digits from \\000 to \\377.'];
    case 'code-point':
      return [`invalid unicode code point ${shown}`, 'Write a character outside the basic plane as one \\U escape with 8 digits, up to \\U0010FFFF.'];
    case 'unicode-in-bytes':
      return [`unable to unescape string: ${shown} in a bytes literal`, 'Write bytes as \\x escapes, or the character itself, which becomes UTF-8.'];
  }
}

/** The words of cel-go for text that is no token. */
export function unrecognized(text: string): string {
  return `token recognition error at: '${printable(text.slice(0, MAX_EXCERPT))}${text.length > MAX_EXCERPT ? '…' : ''}'`;
}

/** Control characters and lone surrogates as escapes, so that a message stays on one line and in valid UTF-8. */
function printable(text: string): string {
  let shown = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    shown += isVisible(code) ? char : `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return shown;
}

/** Whether a character can be seen: no control or format character, no lone surrogate. */
export function isVisible(code: number): boolean {
  const control = code < 0x20 || (code >= 0x7f && code <= 0xa0);
  const format = code === 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || code === 0x2060 || code === 0xfeff;
  return !control && !format && !(code >= 0xd800 && code <= 0xdfff);
}

const MAX_EXCERPT = 40;

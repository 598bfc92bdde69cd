/**
 * Kind of a token; punctuation and keywords are their own kind.
 *
 * As in cel-go, optional selection is no operator of its own: `.?` is `.` then `?`, `[?` is `[` then `?`. Reserved words
 * other than `in`, `true`, `false` and `null` are identifiers, because they are legal field names (see `RESERVED`).
 */
export type TokenKind =
  | 'identifier' | 'int' | 'uint' | 'double' | 'string' | 'bytes'
  | 'in' | 'true' | 'false' | 'null'
  | '==' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||'
  | '(' | ')' | '[' | ']' | '{' | '}'
  | '.' | ',' | '-' | '!' | '?' | ':' | '+' | '*' | '/' | '%';

/** Value of a literal: int and uint are bigint, double is number, bytes is Uint8Array. */
export type TokenValue = string | bigint | number | Uint8Array;

export interface Token {
  readonly kind: TokenKind;
  /** Offset of the first UTF-16 unit. */
  readonly start: number;
  /** Offset behind the last UTF-16 unit. */
  readonly end: number;
  /**
   * The name of an identifier, the decoded value of a literal; undefined for all others, and for a literal whose
   * content was refused (a lexical error says why).
   *
   * An int may be 2^63, which is legal directly behind a minus only: the parser decides.
   */
  readonly value: TokenValue | undefined;
}

/** Words that cannot name a variable or a global function (cel-go `parser.reservedIds`). */
export const RESERVED: ReadonlySet<string> = new Set([
  'as', 'break', 'const', 'continue', 'else', 'false', 'for', 'function', 'if', 'import', 'in', 'let', 'loop',
  'namespace', 'null', 'package', 'return', 'true', 'var', 'void', 'while',
]);

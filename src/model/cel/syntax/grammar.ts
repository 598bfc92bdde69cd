import { OPERATORS } from './ast';
import type { LiteralValue } from './ast';
import type { Expected } from './syntax-message';
import type { Token, TokenKind } from '../token';

/** Whether a minus before the token belongs to it. */
export function isSigned(kind: TokenKind | undefined): boolean {
  return kind === 'int' || kind === 'double';
}

/** How strongly an arithmetic operator binds; 0 for other tokens. */
export function precedence(kind: TokenKind | undefined): number {
  return kind === '*' || kind === '/' || kind === '%' ? 2 : kind === '+' || kind === '-' ? 1 : 0;
}

/** Tokens that are a literal. */
export const LITERALS: ReadonlySet<TokenKind> = new Set(['int', 'uint', 'double', 'string', 'bytes', 'true', 'false', 'null']);

/** The value of a literal token, or of a minus and a number. */
export function literalValue({ kind, value }: Token, negative: boolean): LiteralValue {
  switch (kind) {
    case 'true': return true;
    case 'false': return false;
    case 'null': return null;
    case 'uint': return { uint: typeof value === 'bigint' ? value : 0n };
    default: return value === undefined ? '' : negative && typeof value !== 'string' && !(value instanceof Uint8Array) ? -value : value;
  }
}

/** Tokens that can begin an expression. */
export const STARTERS: ReadonlySet<TokenKind | undefined> = new Set<TokenKind | undefined>([...LITERALS, 'identifier', '.', '(', '[', '{', '-', '!']);

export const MAX_INT = 2n ** 63n - 1n;

/** Comparisons and `in`, with the functions they stand for. */
export const RELATIONS: ReadonlyMap<TokenKind | undefined, string> = new Map([
  ['<', '_<_'], ['<=', '_<=_'], ['>=', '_>=_'], ['>', '_>_'], ['==', OPERATORS.equals], ['!=', OPERATORS.notEquals], ['in', OPERATORS.in],
]);

/** What can begin an expression, a list, a map, a field, the fields of an object, arguments: cel-go lists all of it when none of it is there. */
export const EXPRESSION_START: readonly Expected[] = [
  '[', '{', '(', '.', '-', '!', 'true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER',
];
export const LIST_START: readonly Expected[] = ['[', ']', ...EXPRESSION_START.slice(1, 4), ',', '-', '!', '?', ...EXPRESSION_START.slice(6)];
export const MAP_START: readonly Expected[] = ['[', '{', '}', '(', '.', ',', '-', '!', '?', ...EXPRESSION_START.slice(6)];
export const FIELD_START: readonly Expected[] = ['IDENTIFIER', 'ESC_IDENTIFIER'];
export const STRUCT_START: readonly Expected[] = ['}', ',', '?', ...FIELD_START];
export const ARGUMENT_START: readonly Expected[] = ['[', '{', '(', ')', ...EXPRESSION_START.slice(3)];

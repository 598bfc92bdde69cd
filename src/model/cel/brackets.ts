import type { Token, TokenKind } from './token';

export interface Brackets {
  /** Index of the partner of the bracket at each token index; -1 for tokens that are no bracket or have no partner. */
  readonly partners: Int32Array;
  /** The first bracket that does not fit, as a token index. */
  readonly unbalanced?: number;
  /** The bracket that was open when a closing one of another kind came, as a token index. */
  readonly opened?: number;
}

/** Pairs up `()`, `[]` and `{}`; stops at the first that does not fit. */
export function pairBrackets(tokens: readonly Token[]): Brackets {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokens[index].kind;
    if (kind === '(' || kind === '[' || kind === '{') {
      open.push(index);
      continue;
    }
    const opening = OPENING.get(kind);
    if (opening === undefined) continue;
    const opened = open.pop();
    if (opened === undefined || tokens[opened].kind !== opening) {
      return { partners, unbalanced: index, opened };
    }
    partners[opened] = index;
    partners[index] = opened;
  }
  return { partners, unbalanced: open.pop() };
}

const OPENING: ReadonlyMap<TokenKind, TokenKind> = new Map([[')', '('], [']', '['], ['}', '{']]);

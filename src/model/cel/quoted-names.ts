import type { LexError } from './lex-error';
import type { LexResult } from './lexer';
import type { Token } from './token';

/** Names of fields in backticks as tokens instead of errors, as releases from 1.37 on take them. */
export function withQuotedNames(expression: string, { tokens, errors }: LexResult): LexResult {
  if (!errors.some(({ code }) => code === 'backtick')) return { tokens, errors };
  const isName = ({ code, start, end }: LexError) => code === 'backtick' && QUOTED_NAME.test(expression.slice(start, end));
  const names = errors.filter(isName).map(({ start, end }): Token => ({ kind: 'identifier', start, end, value: expression.slice(start + 1, end - 1) }));
  return { tokens: [...tokens, ...names].sort((a, b) => a.start - b.start), errors: errors.filter((error) => !isName(error)) };
}

const QUOTED_NAME = /^`[A-Za-z0-9_.\-/ ]+`$/;

import type { Expr } from './ast';
import type { ExpressionError } from './expression-error';
import type { ParseOptions } from './parse-options';
import { Parser } from './parser';
import { codePoints } from '../evaluate/size';
import type { LexError } from '../lex-error';
import { lex } from '../lexer';
import type { LexResult } from '../lexer';
import type { Token } from '../token';

/** The expression, or what is wrong with it; the first syntax error ends the search. */
export function parse(expression: string, options: ParseOptions): Expr | ExpressionError[] {
  const size = expression.length > MAX_CODE_POINTS ? codePoints(expression) : 0;
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    return [{ message, at: -1, start: 0, end: expression.length }];
  }
  const { tokens, errors } = withQuotedNames(expression, lex(expression), options);
  const lexical = errors.map(({ rule, start, end, code }): ExpressionError => {
    return { message: VALUE_ERRORS.has(code) ? rule : `Syntax error: ${rule}`, at: start, start, end };
  });
  if (lexical.length > 0) return lexical;
  return new Parser(expression, tokens, options).run();
}

/** cel-go's limit, which the limits of Kubernetes' fields stay far below. */
const MAX_CODE_POINTS = 100_000;

/** Errors in the value of a token that is one, which cel-go does not count as syntax. */
const VALUE_ERRORS: ReadonlySet<string> = new Set(['bad-number', 'backtick']);

/** Names of fields in backticks, where they are allowed, as tokens instead of errors. */
function withQuotedNames(expression: string, { tokens, errors }: LexResult, { quotedNames }: ParseOptions): LexResult {
  if (!quotedNames || !errors.some(({ code }) => code === 'backtick')) return { tokens, errors };
  const isName = ({ code, start, end }: LexError) => code === 'backtick' && QUOTED_NAME.test(expression.slice(start, end));
  const names = errors.filter(isName).map(({ start, end }): Token => ({ kind: 'identifier', start, end, value: expression.slice(start + 1, end - 1) }));
  return { tokens: [...tokens, ...names].sort((a, b) => a.start - b.start), errors: errors.filter((error) => !isName(error)) };
}

const QUOTED_NAME = /^`[A-Za-z0-9_.\-/ ]+`$/;

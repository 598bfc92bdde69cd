import type { Expr } from './ast';
import type { ExpressionError } from './expression-error';
import type { ParseOptions } from './parse-options';
import { Parser } from './parser';
import { codePoints } from '../evaluate/size';
import { lex } from '../lexer';
import { withQuotedNames } from '../quoted-names';

/** The expression, or what is wrong with it; the first syntax error ends the search. */
export function parse(expression: string, options: ParseOptions): Expr | ExpressionError[] {
  const size = expression.length > MAX_CODE_POINTS ? codePoints(expression) : 0;
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    return [{ message, at: -1, start: 0, end: expression.length }];
  }
  const lexed = lex(expression);
  const { tokens, errors } = options.quotedNames ? withQuotedNames(expression, lexed) : lexed;
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

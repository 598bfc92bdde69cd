import type { ExpressionError } from './syntax/expression-error';

/** The errors as cel-go prints them: place, message, the line and a mark under the place. */
export function displayErrors(expression: string, errors: readonly ExpressionError[]): string {
  const shown = errors.slice(0, MAX_ERRORS).map((error) => displayError(expression, error));
  if (errors.length > MAX_ERRORS) shown.push(`${errors.length - MAX_ERRORS} more errors were truncated`);
  return shown.join('\n');
}

const MAX_ERRORS = 100;

function displayError(expression: string, { at, message }: ExpressionError): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  const lineStart = at === 0 ? 0 : expression.lastIndexOf('\n', at - 1) + 1;
  const newline = expression.indexOf('\n', lineStart);
  const line = expression.slice(lineStart, newline < 0 ? undefined : newline).replace(/\t/g, ' ');
  const before = Array.from(expression.slice(lineStart, at));
  const lineNumber = expression.slice(0, lineStart).split('\n').length;
  const place = `ERROR: <input>:${lineNumber}:${before.length + (expression === '' ? 0 : 1)}: ${message}`;
  if (expression === '') return place;
  const dots = before.map((char) => (isWide(char) ? '．' : '.')).join('');
  const marked = String.fromCodePoint(expression.codePointAt(at) ?? 0x20);
  return `${place}\n | ${line}\n | ${dots}${at < expression.length && isWide(marked) ? '＾' : '^'}`;
}

/** Characters beyond ASCII get a mark that is two columns wide. */
function isWide(char: string): boolean {
  return (char.codePointAt(0) ?? 0) >= 0x80;
}

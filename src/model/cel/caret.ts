/**
 * The line of the expression that holds `start`, and below it carets under the part from `start` to `end`.
 *
 * A part of several lines is marked on its first. Lines above 100 columns are cut around the part, with `…` where text
 * was left out. Control characters and lone surrogates are shown as one `·`, so that the carets stay aligned.
 */
export function caret(expression: string, start: number, end: number): string {
  const from = Math.max(0, Math.min(start, expression.length));
  const lineStart = from === 0 ? 0 : expression.lastIndexOf('\n', from - 1) + 1;
  const newline = expression.indexOf('\n', from);
  const lineEnd = newline < 0 ? expression.length : newline;
  const to = Math.max(from, Math.min(end, lineEnd));

  const windowStart = Math.max(lineStart, lineEnd - lineStart <= WIDTH ? lineStart : Math.min(from - LEAD, lineEnd - WIDTH));
  const windowEnd = Math.min(lineEnd, windowStart + WIDTH);
  const before = `${windowStart > lineStart ? '…' : ''}${visible(expression, windowStart, from)}`;
  const marked = visible(expression, from, Math.min(to, windowEnd));
  const after = `${visible(expression, Math.min(to, windowEnd), windowEnd)}${windowEnd < lineEnd ? '…' : ''}`;
  return `${before}${marked}${after}\n${' '.repeat(columns(before))}${'^'.repeat(Math.max(1, columns(marked)))}`;
}

function visible(text: string, from: number, to: number): string {
  return Array.from(text.slice(from, to), (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff) ? '·' : char;
  }).join('');
}

function columns(text: string): number {
  return Array.from(text).length;
}

const WIDTH = 100;
/** Columns kept before the marked part of a long line. */
const LEAD = 30;

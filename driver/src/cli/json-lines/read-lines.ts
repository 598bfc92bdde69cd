/** Longer lines are refused unread; the largest cluster a scheduler handles fits. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line without its end, or undefined for one that is longer than the limit. */
export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  readonly text: string | undefined;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';

/** The lines of a stream that are not blank, one by one; never holds more than one line and one chunk. */
export async function* readLines(stream: AsyncIterable<Buffer | string>, limit = MAX_LINE_BYTES): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): Line | undefined => {
    if (size > limit) return { number, text: undefined };
    const text = Buffer.concat(parts, size).toString();
    const visible = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    return visible.trim() === '' ? undefined : { number, text: visible };
  };
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const part = bytes.subarray(start, newline === -1 ? bytes.length : newline);
      size += part.length;
      // Beyond the limit only the length is kept.
      if (size > limit) parts = [];
      else if (part.length > 0) parts.push(part);
      if (newline === -1) break;
      const complete = line();
      if (complete !== undefined) yield complete;
      number++;
      parts = [];
      size = 0;
      start = newline + 1;
    }
  }
  const last = line();
  if (last !== undefined) yield last;
}

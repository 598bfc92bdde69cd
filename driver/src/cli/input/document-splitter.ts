/** A piece of a file, given in bytes. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Line breaks before `start`. */
  readonly line: number;
  /** Set where the separator above the chunk holds more than a comment: kubectl refuses the file from there on. */
  readonly badSeparator?: string;
}

const NEWLINE = 0x0a;
const DASH = 0x2d;

/**
 * Cuts a file into documents as kubectl does: at each line that starts with `---`, wherever it stands. YAML cannot have
 * such a line inside a value, so one broken document does not spoil its neighbours.
 */
export function* splitDocuments(bytes: Buffer, from = 0): Generator<Chunk> {
  let start = from;
  let startLine = countLines(bytes, 0, from);
  let line = startLine;
  let badSeparator: string | undefined;
  for (let lineStart = from; lineStart < bytes.length;) {
    const isSeparator = bytes[lineStart] === DASH && bytes[lineStart + 1] === DASH && bytes[lineStart + 2] === DASH;
    const newline = bytes.indexOf(NEWLINE, lineStart);
    const next = newline < 0 ? bytes.length : newline + 1;
    if (isSeparator) {
      yield chunk(start, lineStart, startLine, badSeparator);
      const rest = bytes.toString('utf8', lineStart + 3, Math.min(next, lineStart + LONGEST_SHOWN)).trim();
      badSeparator = rest === '' || rest.startsWith('#') ? undefined : rest;
      start = next;
      startLine = line + 1;
    }
    lineStart = next;
    if (newline >= 0) line++;
  }
  yield chunk(start, bytes.length, startLine, badSeparator);
}

const LONGEST_SHOWN = 80;

function chunk(start: number, end: number, line: number, badSeparator: string | undefined): Chunk {
  return badSeparator === undefined ? { start, end, line } : { start, end, line, badSeparator };
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

import { isUtf8 } from 'node:buffer';

/** Bytes that are no UTF-8 text, with the place of the first one. */
export interface EncodingProblem {
  readonly offset: number;
  readonly message: string;
  readonly help: string;
}

/** Why a file is no text at all; looks at its start only. */
export function encodingOf(bytes: Buffer): EncodingProblem | undefined {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const start = bytes.subarray(0, SAMPLE);
  const zero = start.indexOf(0);
  if (mark === 0xfffe || mark === 0xfeff || looksLikeUtf16(start)) {
    return { offset: 0, message: 'The file is UTF-16 text.', help: 'Save it as UTF-8: that is what kubectl reads.' };
  }
  if (zero >= 0) return { offset: zero, message: 'The file is binary: it holds a zero byte.', help: 'Leave it out, or decode it first.' };
  return undefined;
}

const SAMPLE = 4096;

/** Text in UTF-16 without a mark: every second byte of an ASCII text is zero. */
function looksLikeUtf16(bytes: Buffer): boolean {
  if (bytes.length < 4) return false;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  const half = bytes.length / 2;
  return (odd > half * 0.8 && even === 0) || (even > half * 0.8 && odd === 0);
}

/** The offset of the first byte that is no part of valid UTF-8, or undefined. */
export function firstInvalidByte(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes[at] ?? 0);
    if (length !== 1 && !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}

/** Bytes of the character that starts so; a byte that starts none counts as 2, which never is valid. */
function characterLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

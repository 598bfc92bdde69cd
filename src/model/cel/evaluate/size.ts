/* eslint-disable no-bitwise -- Surrogates are told by their upper bits. */
import { CelMap } from './map';
import { CelObject, CelOptional } from './value';
import type { Value } from './value';

/** Number of code points. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** Number of bytes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** What `size()` answers; undefined for values without a size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return codePoints(value);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof CelMap ? value.size : undefined;
}

/** Size of a value for costs: 1 for everything without one. */
export function costSize(value: Value): number {
  const size = sizeOf(value);
  if (size !== undefined) return size;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : costSize(value.value);
  return value instanceof CelObject ? value.size : 1;
}

/* eslint-disable no-bitwise -- Addresses are bits. */
import { quoted } from '../evaluate/text';

/** An IP address as a number of 32 or 128 bits. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly zone: string;
}

/** Go's `netip.ParseAddr`: the address or its words about what is wrong. */
export function parseAddress(text: string): Address | string {
  const fail = (reason: string, at?: string) => `ParseAddr(${quoted(text)}): ${reason}${at === undefined ? '' : ` (at ${quoted(at)})`}`;
  const kind = /[.:%]/.exec(text)?.[0];
  switch (kind) {
    case '.': {
      const value = parseV4(text, fail);
      return typeof value === 'string' ? value : { bits: 32, value, zone: '' };
    }
    case ':': return parseV6(text, fail);
    case '%': return fail('missing IPv6 address');
    default: return fail('unable to parse IP');
  }
}

type Fail = (reason: string, at?: string) => string;

function parseV4(text: string, fail: Fail): bigint | string {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) return fail('IPv4 field has octet with leading zero');
      value = value * 10 + Number(char);
      digits++;
      if (value > 255) return fail('IPv4 field has value >255');
    } else if (char === '.') {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.') return fail('IPv4 field must have at least one digit', text.slice(index));
      if (fields.length === 3) return fail('IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else {
      return fail('unexpected character', text.slice(index));
    }
  }
  if (fields.length < 3) return fail('IPv4 address too short');
  return [...fields, value].reduce((sum, field) => (sum << 8n) | BigInt(field), 0n);
}

function parseV6(text: string, fail: Fail): Address | string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return fail('zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const groups: number[] = [];
  let gap = -1;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
    if (rest === '') return { bits: 128, value: 0n, zone };
  }
  while (groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return fail('each group must have 4 or less digits', rest);
    if (digits === '') return fail('each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') {
      if (gap < 0 && groups.length !== 6) return fail('embedded IPv4 address must replace the final 2 fields of the address', rest);
      if (groups.length > 6) return fail('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      const embedded = parseV4(rest, fail);
      if (typeof embedded === 'string') return embedded;
      groups.push(Number(embedded >> 16n), Number(embedded & 0xffffn));
      rest = '';
      break;
    }
    groups.push(parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') return fail('unexpected character, want colon', rest);
    if (rest.length === 1) return fail('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (gap >= 0) return fail('multiple :: in address', rest);
    gap = groups.length;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return fail('trailing garbage after address', rest);
  if (groups.length < 8 && gap < 0) return fail('address string too short');
  if (groups.length === 8 && gap >= 0) return fail('the :: must expand to at least one field of zeros');
  const zeros = new Array<number>(8 - groups.length).fill(0);
  const all = gap < 0 ? groups : [...groups.slice(0, gap), ...zeros, ...groups.slice(gap)];
  return { bits: 128, value: all.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n), zone };
}

/** The canonical text. */
export function addressText({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
  const { start, length } = longestZeros(groups);
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
    start += length;
  }
  return best;
}

/** Whether the address is an IPv4 one written as IPv6, such as `::ffff:1.2.3.4`. */
export function isMapped({ bits, value }: Address): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

/** The address with all bits behind the prefix zero. */
export function masked({ bits, value, zone }: Address, prefix: number): Address {
  const host = BigInt(bits - prefix);
  return { bits, value: (value >> host) << host, zone };
}

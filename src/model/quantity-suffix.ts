/** How a quantity is written; kept from the text it was parsed from, as upstream's `resource.Format`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** What a suffix multiplies by (`base ** exponent`), and the format it selects. */
export interface Meaning {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

export const BINARY_SUFFIXES = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
export const DECIMAL_SUFFIXES = new Map([
  [-9, 'n'], [-6, 'u'], [-3, 'm'], [0, ''], [3, 'k'], [6, 'M'], [9, 'G'], [12, 'T'], [15, 'P'], [18, 'E'],
]);
const MEANINGS = new Map<string, Meaning>([
  ...BINARY_SUFFIXES.map((suffix, i): [string, Meaning] => [suffix, { base: 2, exponent: 10 * (i + 1), format: 'BinarySI' }]),
  ...[...DECIMAL_SUFFIXES].map(([exponent, suffix]): [string, Meaning] => [suffix, { base: 10, exponent, format: 'DecimalSI' }]),
]);

/** The finest power of ten that a quantity can hold. */
export const NANO = -9;

/** The general way out. */
export const HELP = 'Write a number such as 8, 1500m or 40Gi; the suffixes are n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi and Ei.';

/** The general way out, or the likely meaning of a text like `40GB`, `8gi` or `5 Mi`. */
export function helpFor(text: string): string {
  const [, number, word] = /^\s*([+-]?[0-9.]+)\s*([a-zA-Z]{1,3})\s*$/.exec(text) ?? [];
  if (!number) return HELP;
  const stem = word.replace(/[bB]$/, '').toLowerCase();
  const lowest = stem.length < word.length ? 1 : NANO;
  const meant = [...MEANINGS].filter(([suffix, { exponent }]) => suffix !== '' && suffix.toLowerCase() === stem && exponent >= lowest);
  if (meant.length === 0) return HELP;
  const binary = BINARY_SUFFIXES.find(suffix => suffix[0].toLowerCase() === stem);
  return `Write ${meant.map(([suffix]) => `${number}${suffix}`).join(' or ')}${binary ? ` (or ${number}${binary} for powers of 1024)` : ''}.`;
}

/** What a suffix means; undefined when it is none. */
export function meaningOf(suffix: string): Meaning | undefined {
  const known = MEANINGS.get(suffix);
  if (known) return known;
  return /^[eE][+-]?\d+$/.test(suffix) ? { base: 10, exponent: Number(suffix.slice(1)), format: 'DecimalExponent' } : undefined;
}

/**
 * Questions for the oracle (`main.go`): hand-picked corners and seeded random ones.
 *
 * The table of `answers.json` comes from seed 1 and 640 questions, run in this folder:
 *
 *     npx ts-node -T cases.ts 1 640 | go run . > answers.json
 */

export interface Question {
  readonly a: string;
  /** `json` reads `a` as raw JSON; the others parse `a` (and `b`) as text. */
  readonly op: 'parse' | 'json' | 'add' | 'sub' | 'neg' | 'cmp';
  readonly b?: string;
}

const CORNERS = [
  '', '0', '+', '-', '.', '-.', 'm', 'Ki', 'Ei', '.Ki', '.Ei', '5.Ei', 'e3', 'e', 'e+', 'E', '1E', '1e', '1E3', '1e+3', '1e03', '1e3',
  '1e-3', '1e-10',
  '007', '-007', '+1', '+1Ki', '1.', '1.G', '1.500', '1.250', '.5', '.5Ki', '0.5Ki', '0.5Gi', '1.5Gi', '1.5', '1500m', '1000m', '1000',
  '1024', '1024Ki',
  '1023Ki', '1025', '12Ki', '8Ki', '16Ti', '100Ti', '1Pi', '7Ei', '8Ei', '-8Ei', '9Ei', '9223372036854775807', '9223372036854775808',
  '-9223372036854775808', '999999999999999999', '1000000000000000000', '9999999999999999999', '1000E', '1000000E', '9E', '10E', '1n',
  '1.5n', '0.1n', '-0.1n',
  '0.0000000001', '-0.0000000001', '123456789012345678n', '1234567890123456789n', '100n', '1001u', '1000u', '1K', '1ki', '1KI', '1gi',
  '1GB', '5 Gi', ' 5', '5 ',
  '1.2.3', '--1', '1-', '1+5', '1e5.5', '1ee5', '1em', '1mm', '1Mim', '0x10', '1_000', 'NaN', 'inf', '１', '1\n', '1e40', '1e-40', '0e900',
  '1e900', '12e900',
  '1.1Ki', '1.0001Ki', '-1.1Ki', '1.1', '1023.5', '1023.5Ki', '-0.5Ki', '-512', '-1024', '1e30', '123456789012345678901234567890', '0.000',
  '000', '-0', '00Ki', '0Ei',
  '0.0000000000000000000', '0.00000000000000000001Ki', '3.14159265358979323846', '18446744073709551616', '18446744073709551616Ki',
  '0.999999999999Ei', '1000e-3', '1000e3', '1e2',
];

/** Numbers as JavaScript writes them: a reader of JSON no longer knows `1e3` from 1000. */
const RAW_JSON = [
  '5', '0.5', '-0', '-1.5', '1000', '1e+21', '12345678901234567890', '"5"', '" 5 "', '"5Gi "', '" "', '""', 'true', '[]', '"1.500"', '0.1', '1e-7',
];

/** The corners, then random questions until there are `count`. */
export function questions(seed: number, count: number): Question[] {
  const random = generator(seed);
  const asked: Question[] = [
    ...CORNERS.map((a): Question => ({ a, op: 'parse' })),
    ...RAW_JSON.map((a): Question => ({ a, op: 'json' })),
  ];
  while (asked.length < count) asked.push(randomQuestion(random));
  return asked.slice(0, count);
}

function randomQuestion(random: Random): Question {
  const op = pick(random, ['parse', 'parse', 'parse', 'add', 'add', 'sub', 'cmp', 'cmp', 'neg', 'json'] as const);
  const a = randomText(random);
  if (op === 'json') return { a: random(2) === 0 ? JSON.stringify(a) : String(Number((random(2_000_001) - 1_000_000) / 10 ** random(7))), op };
  if (op === 'parse' || op === 'neg') return { a, op };
  return { a, op, b: random(5) === 0 ? respelled(random, a) : randomText(random) };
}

const SUFFIXES = ['', '', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function randomText(random: Random): string {
  if (random(12) === 0) return pick(random, CORNERS);
  const sign = pick(random, ['', '', '', '', '-', '+']);
  const zeros = random(8) === 0 ? '0'.repeat(random(4)) : '';
  const point = random(3) === 0 ? `.${digits(random, random(13))}` : '';
  const suffix = random(6) === 0 ? `${pick(random, ['e', 'E'])}${pick(random, ['', '+', '-'])}${random(40)}` : pick(random, SUFFIXES);
  const text = `${sign}${zeros}${wholeNumber(random)}${point}${suffix}`;
  return random(25) === 0 ? mutated(random, text) : text;
}

function wholeNumber(random: Random): string {
  switch (random(6)) {
    case 0: return digits(random, 1 + random(24));
    case 1: return `${1 + random(9)}${'0'.repeat(random(12))}`;
    case 2: return String(2 ** random(53) + random(3) - 1);
    case 3: return String((2n ** 63n) + BigInt(random(5)) - 2n);
    case 4: return '';
    default: return String(random(5000));
  }
}

/** The same amount with other zeros, so that equal amounts are compared too. */
function respelled(random: Random, text: string): string {
  const [, number, suffix] = /^([+-]?[0-9]*\.?[0-9]*)(.*)$/s.exec(text) ?? ['', text, ''];
  return number.includes('.') ? `${number}${'0'.repeat(random(5))}${suffix}` : `${number}.${'0'.repeat(random(5))}${suffix}`;
}

function mutated(random: Random, text: string): string {
  const at = random(text.length + 1);
  const changed = text.slice(0, at) + pick(random, [...'0.-+eEmikKMx ']) + text.slice(at + random(2));
  // Larger exponents are refused here on purpose; upstream takes them and then computes for minutes.
  return /[eE][+-]?\d{4}/.test(changed) ? text : changed;
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(random(10))).join('');
}

/** A number from 0 to below `bound`. */
type Random = (bound: number) => number;

/** Park and Miller's generator: the same numbers on every machine. */
function generator(seed: number): Random {
  let state = seed;
  return bound => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)];
}

if (require.main === module) {
  const [seed, count] = process.argv.slice(2).map(Number);
  process.stdout.write(questions(seed, count).map(question => `${JSON.stringify(question)}\n`).join(''));
}

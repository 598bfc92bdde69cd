import type { Problem } from './problem';
import { describeProblem } from './problem';
import { BINARY_SUFFIXES, DECIMAL_SUFFIXES, HELP, helpFor, meaningOf, NANO } from './quantity-suffix';
import type { Meaning, QuantityFormat } from './quantity-suffix';

export type { QuantityFormat };

/**
 * A Kubernetes quantity with the arithmetic and the spelling of `k8s.io/apimachinery/pkg/api/resource` (v0.36.3).
 *
 * Immutable and exact. Like upstream it has two representations, and a few answers depend on which one is used:
 * an amount of at most 18 digits ("small", upstream's int64) and anything else ("wide", upstream's inf.Dec).
 */
export class Quantity {
  /**
   * The quantity a text stands for.
   *
   * @throws Error when the text is not a quantity.
   */
  public static parse(text: string): Quantity {
    const parsed = Quantity.tryParse(text);
    if (!(parsed instanceof Quantity)) throw new Error(describeProblem('quantity', text, parsed));
    return parsed;
  }

  /** As `parse`, with the reason as a value. What upstream accepts by accident (`Ki`, `+`) is accepted too, as zero. */
  public static tryParse(text: string): Quantity | Problem {
    if (text.length > MAX_TEXT) return { rule: `must be at most ${MAX_TEXT} characters`, help: HELP };
    const match = text === '' ? null : SHAPE.exec(text);
    if (!match) return { rule: 'must be a quantity', help: helpFor(text) };
    const [, sign, digits, point, suffix] = match;
    const denominator = point ?? '';
    const numerator = digits.replace(/^0+/, '') || '0';

    const meaning = meaningOf(suffix);
    if (!meaning) return { rule: `must not end in ${JSON.stringify(suffix)}, which is no suffix of a quantity`, help: helpFor(text) };
    const { base, exponent, format } = meaning;
    if (Math.abs(exponent) > MAX_EXPONENT) {
      return { rule: `must have an exponent between -${MAX_EXPONENT} and ${MAX_EXPONENT}`, help: HELP };
    }

    const small = parseSmall(numerator, denominator, meaning);
    if (small) {
      return new Quantity(sign === '-' ? -small.unscaled : small.unscaled, small.power, false, format, small.canonical ? text : undefined);
    }
    if (digits + denominator === '') return { rule: 'must have a digit', help: helpFor(text) };
    let unscaled = BigInt(digits + denominator) * (base === 2 ? 2n ** BigInt(exponent) : 1n);
    let power = (base === 10 ? exponent : 0) - denominator.length;
    if (unscaled !== 0n) {
      unscaled = rescaleUp(unscaled, power, NANO);
      power = NANO;
    }
    // Only binary suffixes are capped; 1e30 stays.
    if (format === 'BinarySI' && compareScaled(unscaled, power, MAX_INT64, 0) > 0) {
      unscaled = MAX_INT64;
      power = 0;
    }
    const fraction = unscaled > 0n && compareScaled(unscaled, power, 1n, 0) < 0;
    return new Quantity(sign === '-' ? -unscaled : unscaled, power, true, fraction && format === 'BinarySI' ? 'DecimalSI' : format);
  }

  /**
   * The quantity the API server reads from a JSON or YAML value: a text with or without spaces around it, or a number.
   *
   * A number counts as JSON writes it, so 0.5 is `500m`.
   */
  public static fromJson(value: unknown): Quantity | Problem {
    if (typeof value === 'string') return Quantity.tryParse(value.length > MAX_TEXT ? value : withoutSpaces(value));
    if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return Quantity.tryParse(String(value));
    return { rule: 'must be a quantity, as a text or a number', help: HELP };
  }

  /** A whole amount, as upstream's `NewQuantity`. */
  public static of(value: bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity(value, 0, !isInt64(value), format);
  }

  private constructor(
    /** The amount is `unscaled * 10 ** power`. */
    private readonly unscaled: bigint,
    private readonly power: number,
    private readonly wide: boolean,
    public readonly format: QuantityFormat,
    /** Upstream prints a text it takes for canonical as it was given, so `+1Ki` and `1.500` stay. */
    private readonly text?: string,
  ) {}

  /** The canonical text, as the API server stores it. */
  public toString(): string {
    if (this.text !== undefined) return this.text;
    if (this.unscaled === 0n) return '0';
    // Upstream negates 64 bits to find the suffix, and the least number is its own negative there.
    if (this.format === 'BinarySI' && this.isWhole() && !this.isWithin(1024n) && (this.wide || this.unscaled !== MIN_INT64)) {
      const [amount, times] = withoutFactor(rescaleUp(this.unscaled, this.power, 0), 1024n);
      return `${amount}${BINARY_SUFFIXES[times - 1] ?? ''}`;
    }
    const [amount, times] = withoutFactor(this.unscaled, 10n);
    const exponent = this.power + times;
    const remainder = ((exponent % 3) + 3) % 3;
    const thousands = exponent - remainder;
    return `${amount * pow10(remainder)}${this.format === 'DecimalExponent' ? exponentSuffix(thousands) : DECIMAL_SUFFIXES.get(thousands) ?? ''}`;
  }

  /** The JSON form is the canonical text. */
  public toJSON(): string {
    return this.toString();
  }

  /** The sum; it keeps this format, but a zero takes over the other's. */
  public add(other: Quantity): Quantity {
    const format = this.isZero() ? other.format : this.format;
    if (!this.wide && !other.wide) {
      // As upstream, a zero adds neither value nor precision.
      if (other.isZero()) return new Quantity(this.unscaled, this.power, false, format);
      if (this.isZero()) return new Quantity(other.unscaled, other.power, false, format);
    }
    const power = Math.min(this.power, other.power);
    const left = this.unscaled * pow10(this.power - power);
    const right = other.unscaled * pow10(other.power - power);
    const small = !this.wide && !other.wide && isInt64(left) && isInt64(right) && isInt64(left + right);
    return new Quantity(left + right, power, !small, format);
  }

  /** The difference; formats as in `add`. */
  public sub(other: Quantity): Quantity {
    // Upstream negates 64 bits, and the least number is its own negative there.
    if (!other.wide && other.unscaled === MIN_INT64) {
      const sum = this.add(other);
      if (!sum.wide) return sum;
    }
    return this.add(other.neg());
  }

  public neg(): Quantity {
    return new Quantity(-this.unscaled, this.power, this.wide || !isInt64(-this.unscaled), this.format);
  }

  /** Negative, zero or positive, as for `Array.sort`; formats do not matter. */
  public compareTo(other: Quantity): -1 | 0 | 1 {
    return compareScaled(this.unscaled, this.power, other.unscaled, other.power);
  }

  public equals(other: Quantity): boolean {
    return this.compareTo(other) === 0;
  }

  /** Go's `==` of a quantity and a copy of another: `1000m` is not `1`, and a wide amount is no other, not even its own copy. */
  public isSameStruct({ unscaled, power, wide, format, text }: Quantity): boolean {
    return !this.wide && !wide && this.unscaled === unscaled && this.power === power && this.format === format && this.text === text;
  }

  public isZero(): boolean {
    return this.unscaled === 0n;
  }

  public sign(): -1 | 0 | 1 {
    return compareScaled(this.unscaled, 0, 0n, 0);
  }

  /** Whether no digit is lost by `value`. */
  public isWhole(): boolean {
    return this.power >= 0 || this.unscaled % pow10(-this.power) === 0n;
  }

  /** Upstream's `Value()`: whole units, rounded up. See `scaledValue` for its corners. */
  public value(): bigint {
    return this.scaledValue(0);
  }

  /** Upstream's `MilliValue()`: thousandths, rounded up. See `scaledValue` for its corners. */
  public milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /**
   * The amount in units of `10 ** power`, rounded up.
   *
   * The corners are upstream's, because the scheduler and the API server compare these numbers: beyond int64 the result wraps
   * or is 0; a negative small fraction goes away from zero, a negative wide one loses its fraction and gains one.
   */
  public scaledValue(power: number): bigint {
    const shift = this.power - power;
    if (!this.wide) {
      const exact = shift < 0 ? rescaleUp(this.unscaled, shift, 0) : this.unscaled * pow10(shift);
      if (isInt64(exact)) return exact;
      return WRAPPING_SHIFTS.has(shift) ? BigInt.asIntN(64, exact) : 0n;
    }
    if (shift === 0) return BigInt.asIntN(64, this.unscaled);
    if (shift > 0) return BigInt.asIntN(64, BigInt.asIntN(64, this.unscaled) * (shift > 18 ? MIN_INT64 : pow10(shift)));
    const divisor = pow10(-shift);
    const truncates = this.unscaled < MAX_INT64 && -shift < 19;
    const dividend = truncates ? BigInt.asIntN(64, this.unscaled) : this.unscaled;
    const remainder = dividend % divisor;
    const quotient = dividend / divisor - (!truncates && remainder < 0n ? 1n : 0n);
    return BigInt.asIntN(64, quotient + (remainder === 0n ? 0n : 1n));
  }

  /** Upstream's `AsInt64`, which CEL's `isInteger` and `asInteger` use: undefined for every wide amount, also a whole one. */
  public asInteger(): bigint | undefined {
    if (this.wide || this.power < 0) return undefined;
    const exact = this.unscaled * pow10(this.power);
    return isInt64(exact) ? exact : undefined;
  }

  /** Upstream's `AsApproximateFloat64`, bit for bit. */
  public asApproximateNumber(): number {
    const base = Number(this.unscaled);
    return this.power === 0 ? base : base * floatPow10(this.power);
  }

  private isWithin(bound: bigint): boolean {
    return compareScaled(this.unscaled, this.power, -bound, 0) > 0 && compareScaled(this.unscaled, this.power, bound, 0) < 0;
  }
}

/** Sign, digits, digits after the point, suffix; the same set of texts as upstream's hand-written scanner. */
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
/** The most digits upstream's fast path takes. */
const SMALL_DIGITS = 18;
/** Upstream multiplies by these powers of ten in one step and returns the overflown product; by others in steps, and returns 0. */
const WRAPPING_SHIFTS: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);
/** Upstream has neither bound, and hangs when it compares 1e1000000000 with anything. */
const MAX_EXPONENT = 1000;
const MAX_TEXT = 1000;

/** Upstream's fast path: undefined when the digits may not fit int64 or are finer than nano. */
function parseSmall(numerator: string, denominator: string, meaning: Meaning): { unscaled: bigint; power: number; canonical: boolean } | undefined {
  const binary = meaning.base === 2;
  const power = (binary ? 0 : meaning.exponent) - denominator.length;
  const precision = binary
    ? denominator === '' ? 14 - numerator.length - (meaning.exponent * 3) / 10 : -1
    : SMALL_DIGITS - numerator.length - denominator.length;
  if (precision < 0 || power < NANO) return undefined;
  const shifted = numerator + denominator;
  const amount = BigInt(shifted);
  return {
    unscaled: binary ? amount * 2n ** BigInt(meaning.exponent) : amount,
    power,
    canonical: binary ? amount % 8n !== 0n : power % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0'),
  };
}

/** `unscaled * 10 ** power` in units of `10 ** target`, rounded away from zero. */
function rescaleUp(unscaled: bigint, power: number, target: number): bigint {
  if (power >= target) return unscaled * pow10(power - target);
  const divisor = pow10(target - power);
  const remainder = unscaled % divisor;
  return unscaled / divisor + (remainder > 0n ? 1n : remainder < 0n ? -1n : 0n);
}

function compareScaled(left: bigint, leftPower: number, right: bigint, rightPower: number): -1 | 0 | 1 {
  const a = leftPower > rightPower ? left * pow10(leftPower - rightPower) : left;
  const b = rightPower > leftPower ? right * pow10(rightPower - leftPower) : right;
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutFactor(amount: bigint, factor: bigint): [amount: bigint, times: number] {
  let rest = amount;
  let times = 0;
  while (rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return [rest, times];
}

function exponentSuffix(exponent: number): string {
  return exponent === 0 ? '' : `e${exponent}`;
}

function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

const POWERS_OF_TEN = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

function pow10(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

/** Go's `math.Pow10`, which multiplies two table entries and so differs from a parsed literal beyond 1e31. */
function floatPow10(exponent: number): number {
  const size = Math.abs(exponent);
  const low = Number(`1e${size % 32}`);
  const high = Math.floor(size / 32) * 32;
  return exponent >= 0 ? Number(`1e${high}`) * low : Number(`1e-${high}`) / low;
}

const DECIMAL = pattern('[+-]?(?:D\\.?(?:D)?|\\.D)(?:e[+-]?D)?');
/** Underscores may stand behind the prefix too; a power of two has to follow. */
const HEXADECIMAL = pattern('([+-]?)0x(_?H\\.?(?:H)?|\\.H)p([+-]?D)');
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** `D` and `H` are decimal and hexadecimal digits; an underscore may stand between two of them. */
function pattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll('D', '\\d(?:_?\\d)*').replaceAll('H', '[\\da-f](?:_?[\\da-f])*')}$`, 'i');
}

/** Go's `strconv.ParseFloat` (`src/strconv/atof.go`); undefined for texts that are no number and for numbers that are too large. */
export function parseFloat64(text: string): number | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) {
    if (special[2].toLowerCase() === 'nan') return special[1] === '' ? NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  const hexadecimal = HEXADECIMAL.exec(text);
  const value = hexadecimal !== null ? fromHexadecimal(hexadecimal) : DECIMAL.test(text) ? Number(text.replaceAll('_', '')) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

function fromHexadecimal([, sign, mantissa, power]: readonly string[]): number {
  const [whole, fraction = ''] = mantissa.replaceAll('_', '').split('.');
  const digits = BigInt(`0x${whole}${fraction}`);
  const size = nearestDouble(digits, Number(power.replaceAll('_', '')) - 4 * fraction.length);
  return sign === '-' ? -size : size;
}

const LOWEST_POWER = -1074;
const PRECISION = 53;

/** The double next to `digits` times two to the power; of two that are as near, the even one. */
function nearestDouble(digits: bigint, power: number): number {
  if (digits === 0n) return 0;
  const bits = digits.toString(2).length;
  const top = bits + power;
  if (top > 1024) return Infinity;
  const kept = Math.min(PRECISION, top - LOWEST_POWER);
  if (kept < 0) return 0;
  const dropped = bits - kept;
  if (dropped <= 0) return Number(digits) * 2 ** power;
  const unit = 2n ** BigInt(dropped);
  const quotient = digits / unit;
  const twice = 2n * (digits % unit);
  const rounded = twice > unit || (twice === unit && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return Number(rounded) * 2 ** (power + dropped);
}

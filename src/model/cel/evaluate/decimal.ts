/* eslint-disable no-bitwise -- A double is made of bits. */
/** A finite number with at most so many decimal places, correctly rounded from its exact value (halves to even), without an exponent. */
export function decimalText(number: number, places: number): string {
  const { digits, scale } = exactDigits(Math.abs(number));
  const kept = Math.min(places, scale);
  const text = String(rounded(digits, scale - kept)).padStart(kept + 1, '0');
  const sign = number < 0 ? '-' : '';
  if (kept === 0) return sign + text;
  const fraction = text.slice(-kept).replace(/0+$/, '');
  return `${sign}${text.slice(0, -kept)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As `decimalText`, with exactly so many places. */
export function fixedText(number: number, places: number): string {
  const [whole, fraction = ''] = decimalText(number, places).split('.');
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

function rounded(digits: bigint, dropped: number): bigint {
  if (dropped === 0) return digits;
  const unit = 10n ** BigInt(dropped);
  const quotient = digits / unit;
  const twice = (digits % unit) * 2n;
  return twice > unit || (twice === unit && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** The number is `digits / 10^scale`. */
function exactDigits(number: number): { digits: bigint; scale: number } {
  if (Number.isInteger(number)) return { digits: BigInt(number), scale: 0 };
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number);
  const exponent = (bits.getUint32(0) >>> 20) & 0x7ff;
  const mantissa = BigInt.asUintN(52, bits.getBigUint64(0)) + (exponent === 0 ? 0n : 2n ** 52n);
  const scale = 1075 - Math.max(exponent, 1);
  return { digits: mantissa * 5n ** BigInt(scale), scale };
}

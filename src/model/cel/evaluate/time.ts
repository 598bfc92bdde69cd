import { int, INT_OVERFLOW, isInt64 } from './number';
import { CelDuration, CelError, CelTimestamp } from './value';

const MICROSECOND = 1_000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;

export const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');

export function duration(nanoseconds: bigint): CelDuration | CelError {
  const checked = int(nanoseconds);
  return typeof checked === 'bigint' ? new CelDuration(checked) : checked;
}

/** A moment in the years 1 to 9999; only a message can name others. */
export function timestamp(nanoseconds: bigint, offsetMinutes = 0): CelTimestamp | CelError {
  const seconds = floorDivide(nanoseconds, SECOND);
  if (!isInt64(seconds)) return INT_OVERFLOW;
  return seconds < MIN_SECONDS || seconds > MAX_SECONDS ? TIMESTAMP_OVERFLOW : new CelTimestamp(nanoseconds, offsetMinutes);
}

export function secondsOf({ nanoseconds }: CelTimestamp): bigint {
  return floorDivide(nanoseconds, SECOND);
}

export function timestampOfSeconds(seconds: bigint): CelTimestamp | CelError {
  return timestamp(seconds * SECOND);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n], ['us', MICROSECOND], ['µs', MICROSECOND], ['μs', MICROSECOND], ['ms', MILLISECOND], ['s', SECOND], ['m', MINUTE], ['h', 60n * MINUTE],
]);
const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/;
const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;

/** Go's `time.ParseDuration`. */
export function parseDuration(text: string): CelDuration | undefined {
  const match = text.length > MAX_TEXT ? null : DURATION.exec(text);
  if (match === null) return undefined;
  const [, sign, parts] = match;
  let total = 0n;
  for (const [, whole, fraction, unit] of parts.matchAll(DURATION_PART)) {
    const size = UNITS.get(unit) ?? 1n;
    total += BigInt(whole === '' ? '0' : whole) * size;
    if (fraction !== undefined && fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  const value = duration(sign === '-' ? -total : total);
  return value instanceof CelDuration ? value : undefined;
}

/** Longer texts than this cannot be durations that fit. */
const MAX_TEXT = 1000;

/** Seconds without an exponent, as cel-go's `string(duration)`. */
export function durationText({ nanoseconds }: CelDuration): string {
  const whole = nanoseconds / SECOND;
  const seconds = Number(whole) + Number(nanoseconds % SECOND) / 1e9;
  return `${plainDecimal(seconds)}s`;
}

/** Go's `%v` of a duration: hours, minutes and seconds, or one smaller unit below a second. */
export function goDurationText({ nanoseconds }: CelDuration): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size === 0n) return '0s';
  if (size < SECOND) {
    const [unit, one] = size < MICROSECOND ? ['ns', 1n] : size < MILLISECOND ? ['µs', MICROSECOND] : ['ms', MILLISECOND];
    return `${sign}${fixedText(size, one)}${unit}`;
  }
  const minutes = size / MINUTE;
  const seconds = `${fixedText(size % MINUTE, SECOND)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** An amount in a unit, with no more digits than it has. */
function fixedText(amount: bigint, unit: bigint): string {
  const rest = amount % unit;
  const digits = String(unit).length - 1;
  return `${amount / unit}${rest === 0n ? '' : `.${String(rest).padStart(digits, '0').replace(/0+$/, '')}`}`;
}

/** The shortest decimal that is this double, without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first, rest, power] = match;
  const digits = first + (rest ?? '');
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length ? sign + digits.padEnd(point, '0') : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Go's `time.Parse(time.RFC3339, …)`; undefined if the text is no time, the overflow error if it is out of CEL's range. */
export function parseTimestamp(text: string): CelTimestamp | CelError | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const [fraction, zoneSign, zoneHour, zoneMinute] = match.slice(7);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  if (zoneSign !== undefined && (Number(zoneHour) > 24 || Number(zoneMinute) >= 60)) return undefined;
  const offset = zoneSign === undefined ? 0 : (zoneSign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second);
  const nanoseconds = BigInt((fraction ?? '').slice(0, 9).padEnd(9, '0'));
  return timestamp((BigInt(date.getTime()) / 1000n) * SECOND + nanoseconds, offset);
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

/** A moment as a calendar shows it in some zone. */
export interface CalendarMoment {
  /** In UTC; another year with the same days where JavaScript's dates do not reach. */
  readonly date: Date;
  readonly year: number;
  readonly nanosecond: bigint;
}

/** The calendar at a moment, in a zone given as minutes east of UTC. */
export function calendar({ nanoseconds }: CelTimestamp, offsetMinutes: number): CalendarMoment {
  const seconds = floorDivide(nanoseconds, SECOND);
  const nanosecond = nanoseconds - seconds * SECOND;
  // Go counts from a first year on, modulo 2^64.
  const counted = seconds < FIRST_SECONDS ? seconds + 2n ** 64n : seconds;
  const isFar = counted < -DATE_SECONDS || counted > DATE_SECONDS;
  const cycles = isFar ? counted / CYCLE_SECONDS - (counted < 0n ? -CYCLES_KEPT : CYCLES_KEPT) : 0n;
  const date = new Date(Number(counted - cycles * CYCLE_SECONDS) * 1000 + offsetMinutes * 60_000);
  return { date, year: date.getUTCFullYear() + 400 * Number(cycles), nanosecond };
}

/** After 400 years the calendar repeats itself, days of the week included. */
const CYCLE_SECONDS = 146_097n * 86_400n;
const CYCLES_KEPT = 500n;
/** What JavaScript's dates count, less some days for the zone. */
const DATE_SECONDS = 8_639_990_000_000n;
const UNIX_TO_INTERNAL = -MIN_SECONDS;
/** Go's `absoluteYears`, before which it has no dates (`src/time/time.go`). */
const FIRST_SECONDS = -(292_277_022_400n / 400n * CYCLE_SECONDS + 306n * 86_400n + UNIX_TO_INTERNAL);

/** By what Go compares moments: seconds since year 1 in 64 bits, which the last years do not fit. */
export function timestampOrder({ nanoseconds }: CelTimestamp): bigint {
  const seconds = floorDivide(nanoseconds, SECOND);
  return BigInt.asIntN(64, seconds + UNIX_TO_INTERNAL) * SECOND + nanoseconds - seconds * SECOND;
}

/** RFC 3339 in the zone the timestamp was written in, with as many digits of the fraction as there are. */
export function timestampText(value: CelTimestamp): string {
  const { day, clock } = written(value);
  return `${day}T${clock}${value.offsetMinutes === 0 ? 'Z' : offsetText(value.offsetMinutes, ':')}`;
}

/** Go's `%v` of a time. */
export function goTimestampText(value: CelTimestamp): string {
  const { day, clock } = written(value);
  const offset = offsetText(value.offsetMinutes, '');
  return `${day} ${clock} ${offset} ${value.offsetMinutes === 0 ? 'UTC' : offset}`;
}

function written(value: CelTimestamp): { day: string; clock: string } {
  const { date, year, nanosecond } = calendar(value, value.offsetMinutes);
  const fraction = nanosecond === 0n ? '' : `.${String(nanosecond).padStart(9, '0').replace(/0+$/, '')}`;
  return {
    day: `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`,
    clock: `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())}${fraction}`,
  };
}

function offsetText(minutes: number, separator: string): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${separator}${twoDigits(size % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

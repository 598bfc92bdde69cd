import { member } from './overload';
import type { Library, Overload } from './overload';
import { calendar } from '../evaluate/time';
import type { CalendarMoment } from '../evaluate/time';
import { CelError } from '../evaluate/value';
import type { CelDuration, CelTimestamp, Value } from '../evaluate/value';
import { DURATION, INT, STRING, TIMESTAMP } from '../types/type';

function getter(name: string, id: string, read: (moment: CalendarMoment) => number, zonedId = `${id}_with_tz`): Overload[] {
  const inZone = (value: CelTimestamp, zone: string): Value => {
    const offset = zoneOffset(value, zone);
    return typeof offset === 'number' ? BigInt(read(calendar(value, offset))) : offset;
  };
  return [
    member(name, id, [TIMESTAMP], INT, (value: CelTimestamp) => BigInt(read(calendar(value, 0)))),
    member(name, zonedId, [TIMESTAMP, STRING], INT, inZone),
  ];
}

function part(name: string, id: string, nanoseconds: bigint): Overload {
  return member(name, id, [DURATION], INT, (value: CelDuration) => value.nanoseconds / nanoseconds);
}

function dayOfYear(date: Date): number {
  const first = new Date(date.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / 86_400_000);
}

/** Parts of timestamps and durations. */
export const TIME: Library = {
  overloads: [
    ...getter('getFullYear', 'timestamp_to_year', ({ year }) => year),
    ...getter('getMonth', 'timestamp_to_month', ({ date }) => date.getUTCMonth()),
    ...getter('getDayOfYear', 'timestamp_to_day_of_year', ({ date }) => dayOfYear(date)),
    ...getter('getDayOfMonth', 'timestamp_to_day_of_month', ({ date }) => date.getUTCDate() - 1),
    ...getter('getDate', 'timestamp_to_day_of_month_1_based', ({ date }) => date.getUTCDate()),
    ...getter('getDayOfWeek', 'timestamp_to_day_of_week', ({ date }) => date.getUTCDay()),
    ...getter('getHours', 'timestamp_to_hours', ({ date }) => date.getUTCHours()),
    part('getHours', 'duration_to_hours', 3_600_000_000_000n),
    ...getter('getMinutes', 'timestamp_to_minutes', ({ date }) => date.getUTCMinutes()),
    part('getMinutes', 'duration_to_minutes', 60_000_000_000n),
    ...getter('getSeconds', 'timestamp_to_seconds', ({ date }) => date.getUTCSeconds(), 'timestamp_to_seconds_tz'),
    part('getSeconds', 'duration_to_seconds', 1_000_000_000n),
    ...getter('getMilliseconds', 'timestamp_to_milliseconds', ({ nanosecond }) => Number(nanosecond / 1_000_000n)),
    part('getMilliseconds', 'duration_to_milliseconds', 1_000_000n),
  ],
};

/** Minutes east of UTC of a zone (`UTC`, `Europe/Berlin`, `-02:00`) at a moment. */
function zoneOffset(value: CelTimestamp, zone: string): number | CelError {
  const colon = zone.indexOf(':');
  if (colon < 0) return namedOffset(value, zone);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)].map(integer);
  if (hours === undefined || minutes === undefined) {
    return new CelError(`strconv.Atoi: parsing ${JSON.stringify(hours === undefined ? zone.slice(0, colon) : zone.slice(colon + 1))}: invalid syntax`);
  }
  return zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes;
}

function integer(text: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function namedOffset(value: CelTimestamp, zone: string): number | CelError {
  // The zone of the machine is that of the API servers and schedulers that are known.
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  if (/^[/\\]|\.\./.test(zone)) return new CelError('time: invalid location name');
  const { date } = calendar(value, 0);
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    });
    const parts = new Map(format.formatToParts(date).map(({ type, value: text }) => [type as string, text]));
    const number = (type: string) => Number(parts.get(type));
    const local = new Date(0);
    const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
    local.setUTCFullYear(year, number('month') - 1, number('day'));
    local.setUTCHours(number('hour'), number('minute'), number('second'));
    return isWritten(zone, format.resolvedOptions().timeZone) ? (local.getTime() - date.getTime()) / 60_000 : unknownZone(zone);
  } catch {
    return unknownZone(zone);
  }
}

function unknownZone(zone: string): CelError {
  return new CelError(`unknown time zone ${zone}`);
}

/** Go's zones are files, whose names are written with these capitals; an alias has another name than its zone. */
function isWritten(zone: string, resolved: string): boolean {
  if (UNICODE_ONLY.test(zone)) return false;
  if (zone === resolved) return true;
  if (zone.toLowerCase() === resolved.toLowerCase()) return false;
  return /^[A-Z]/.test(zone) && (!zone.includes('/') || /[a-z]/.test(zone));
}

/** Zones that JavaScript knows from Unicode's library, and that are in no zone database of today. */
const UNICODE_ONLY = /^(?:A[CEGRS]T|B[ES]T|C[ANS]T|CTT|EAT|ECT|I[ES]T|JST|MIT|N[ES]T|P[LNRS]T|SST|VST|SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan)$/;

import { UsageError } from '../command.js';

/** Milliseconds of `4h`, `30m`, `1h30m`, `2d`. */
export function durationOf(text: string): number {
  const [, days, hours, minutes, seconds] = /^(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?$/.exec(text) ?? [];
  const total = (((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
  if (total === 0) throw new UsageError(`--expires must be a duration such as 4h, 30m or 1h30m, got '${text}'`);
  return total;
}

/** `2 h`, `15 min`, `3 d`, for people. */
export function spanText(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 120) return minutes === 0 ? 'less than a minute' : `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

import type { Problem } from '../problem';
import { checked, converted, text, type Form } from '../strict-reader';

/** A time as Kubernetes writes it, `1m30s` or `500ms`, between two bounds; becomes milliseconds. */
export function duration(least: string, most: string): Form<number> {
  const [from = 0, to = 0] = [milliseconds(least), milliseconds(most)];
  const help = `Write for example 30s or 1m30s, from ${least} to ${most}.`;
  const problemOf = (given: string): Problem | undefined => {
    const value = milliseconds(given);
    if (value === undefined) return { rule: 'must be a time with its unit', help };
    return value < from || value > to ? { rule: `must be a time between ${least} and ${most}`, help } : undefined;
  };
  return converted(checked(text(), problemOf), given => milliseconds(given) ?? 0);
}

/** Undefined for what is no such time; days have no unit, as in Go. */
export function milliseconds(given: string): number | undefined {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(given);
  if (parts === null || given === '') return undefined;
  const [hours, minutes, seconds, rest] = parts.slice(1).map(part => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest;
}

import * as z from 'zod/mini';

import { rule } from '../../devices/strict-decode.js';

/** A time as Kubernetes writes it, `1m30s` or `500ms`, between two bounds; becomes milliseconds. */
export function duration(least: string, most: string): z.ZodMiniType<number> {
  const [from = 0, to = 0] = [milliseconds(least), milliseconds(most)];
  const checked = z.string().check(rule((text) => {
    const value = milliseconds(text);
    const help = `Write for example 30s or 1m30s, from ${least} to ${most}.`;
    if (value === undefined) return { rule: 'must be a time with its unit', help };
    return value < from || value > to ? { rule: `must be a time between ${least} and ${most}`, help } : undefined;
  }));
  return z.pipe(checked, z.transform((text) => milliseconds(text) ?? 0));
}

/** Undefined for what is no such time; days have no unit, as in Go. */
export function milliseconds(text: string): number | undefined {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (parts === null || text === '') return undefined;
  const [hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest;
}

import type { DeviceReading } from '../../devices/device-health.js';

/** How a device is, after quiet times; times are milliseconds of a clock that never goes back. */
export interface DeviceCondition {
  readonly isSick: boolean;
  /** Of the reading that made it sick. */
  readonly reason?: { readonly code: string; readonly message: string };
  /** Unhealthy readings in a row, while it is not sick yet. */
  readonly strikes: number;
  /** Since when a sick device reads healthy without a break. */
  readonly calmSince?: number;
  /** When it became sick lately; more of them make the next quiet time longer. */
  readonly relapses: readonly number[];
}

export interface HealthRules {
  /** Unhealthy readings in a row that make a device sick. */
  readonly strikes: number;
  /** Milliseconds without an unhealthy reading after which it is healthy again; doubled for each further time in an hour. */
  readonly quiet: number;
}

export const HEALTH_RULES: HealthRules = { strikes: 2, quiet: 60_000 };

export const NEW_DEVICE: DeviceCondition = { isSick: false, strikes: 0, relapses: [] };

/**
 * The condition after one more reading.
 *
 * Two bad readings make a device sick, so that a hiccup moves nothing; a quiet time makes it well, longer each time, so that a flapping
 * device does not take a slice and its pods along. A reading of `unknown` is no news.
 */
export function nextCondition(before: DeviceCondition, reading: DeviceReading, now: number, rules: HealthRules = HEALTH_RULES): DeviceCondition {
  if (reading.health === 'unknown') return before;
  const relapses = before.relapses.filter((time) => now - time < WINDOW);
  if (reading.health === 'unhealthy') {
    const reason = { code: reading.code ?? UNHEALTHY, message: reading.message ?? '' };
    if (before.isSick) return { isSick: true, reason: before.reason ?? reason, strikes: 0, relapses };
    const strikes = before.strikes + 1;
    if (strikes < rules.strikes) return { isSick: false, strikes, relapses };
    return { isSick: true, reason, strikes: 0, relapses: [...relapses, now].slice(-MOST_RELAPSES) };
  }
  if (!before.isSick) return { isSick: false, strikes: 0, relapses };
  const calmSince = before.calmSince ?? now;
  if (now - calmSince >= quietTime(relapses.length, rules)) return { isSick: false, strikes: 0, relapses };
  return { ...before, calmSince, relapses };
}

/** Quiet time that a device owes that became sick so many times within an hour. */
export function quietTime(relapses: number, { quiet }: HealthRules): number {
  return Math.min(LONGEST_QUIET, quiet * 2 ** Math.max(0, relapses - 1));
}

const WINDOW = 3_600_000;
const LONGEST_QUIET = 1_800_000;
const MOST_RELAPSES = 32;
/** A reading without a code of its own: device-fault. */
const UNHEALTHY = 'DRA362';

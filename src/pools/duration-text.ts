import type { Duration } from 'cdk8s';

/** A duration as the CRDs write it, e.g. `1h30m`; parts of a second are refused. */
export function durationText(duration: Duration): string {
  const seconds = duration.toSeconds();
  const parts = [[Math.floor(seconds / 3600), 'h'], [Math.floor(seconds / 60) % 60, 'm'], [seconds % 60, 's']] as const;
  return parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`).join('') || '0s';
}

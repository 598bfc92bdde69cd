/** Pauses between tries. */
export interface BackoffPolicy {
  /** Milliseconds before the second try. */
  readonly first: number;
  readonly factor: number;
  /** Milliseconds, never exceeded. */
  readonly cap: number;
  /** Share of each pause that is left to chance, so that many nodes do not try at the same moment; 0 to 1. */
  readonly jitter: number;
}

/** The pause after `failures` tries that failed (1 or more); `random` gives numbers from 0 to below 1. */
export function pauseAfter(failures: number, { first, factor, cap, jitter }: BackoffPolicy, random: () => number): number {
  // Beyond some hundred tries the power is infinite, and the cap still holds.
  const full = Math.min(cap, first * factor ** (failures - 1));
  return full * (1 - jitter * random());
}

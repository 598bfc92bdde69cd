import type { BackoffPolicy } from './backoff.js';
import type { RestPolicy } from './isolations.js';

/** Milliseconds, and what pauses follow from failures. */
export interface ClaimTimes {
  /** For reading claim and node, all tries together; kubelet gives up a call after 45 s. */
  readonly readTimeout: number;
  readonly readBackoff: BackoffPolicy;
  /** Tries at one device within one call: kubelet comes back only after ten seconds and more. */
  readonly tries: { readonly most: number; readonly backoff: BackoffPolicy };
  /** Between looks at what is half done. */
  readonly tidyEvery: number;
  /** Between looks at the API server for claims that are gone; several for the first grace time. */
  readonly ghostsEvery: number;
  /** Kubelet itself looks for pods it has lost every 60 s. */
  readonly ghostGrace: number;
  /** Between the tries of a clean-up that failed. */
  readonly cleanUpBackoff: BackoffPolicy;
  /** Of devices that fail again and again. */
  readonly rest: RestPolicy;
  /** Until a pod that ended is off its claim's list of users. */
  readonly settle: number;
  /** Between tries to read the records at start. */
  readonly openBackoff: BackoffPolicy;
}

export const DEFAULT_TIMES: ClaimTimes = {
  readTimeout: 10_000,
  readBackoff: { first: 50, factor: 3, cap: 2000, jitter: 0.3 },
  tries: { most: 4, backoff: { first: 200, factor: 3, cap: 3000, jitter: 0.3 } },
  tidyEvery: 5000,
  ghostsEvery: 60_000,
  ghostGrace: 300_000,
  cleanUpBackoff: { first: 5000, factor: 2, cap: 600_000, jitter: 0.3 },
  rest: { after: 3, backoff: { first: 60_000, factor: 2, cap: 1_800_000, jitter: 0.1 } },
  settle: 30_000,
  openBackoff: { first: 500, factor: 2, cap: 30_000, jitter: 0.3 },
};

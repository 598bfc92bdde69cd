import type { HostRoot } from './host/host-root.js';

/** What backends get from outside. */
export interface BackendHost {
  readonly root: HostRoot;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
}

import type { Clock } from '../../../../src/node/claims/clock.js';

/** Time that passes only when a test says so. */
export class TestClock implements Clock {
  private time = 0;
  private readonly sleepers = new Set<Sleeper>();

  public now(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.time);
  }

  public monotonic(): number {
    return this.time;
  }

  public async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { until: this.time + milliseconds, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Whoever wakes does what he wants before the next one wakes. */
  public async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (let quiet = 0; quiet < QUIET; quiet++) {
      await settled();
      for (let next = this.first(end); next !== undefined; next = this.first(end)) {
        this.time = Math.max(this.time, next.until);
        next.wake();
        await settled();
        quiet = 0;
      }
    }
    this.time = end;
  }

  private first(end: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.sleepers) if (sleeper.until <= end && (first === undefined || sleeper.until < first.until)) first = sleeper;
    return first;
  }
}

/** Work that takes many turns of the event loop may end in a sleep that counts. */
const QUIET = 10;

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** What can go on without time has gone on. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise((resolve) => { setImmediate(resolve); });
}

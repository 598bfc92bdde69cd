import type { Clock } from '../../src/node/claims/clock.js';

/** A clock that stands still until it is told how much time passes. */
export class ManualClock implements Clock {
  private time = 0;
  private readonly sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  public now(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.time);
  }

  public monotonic(): number {
    return this.time;
  }

  public async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { until: this.time + milliseconds, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Lets time pass step by step, and everybody who is woken do what he wants. */
  public async advance(milliseconds: number): Promise<void> {
    await settled();
    const end = this.time + milliseconds;
    for (;;) {
      const next = [...this.sleepers].sort((a, b) => a.until - b.until)[0];
      if (next === undefined || next.until > end) break;
      this.time = Math.max(this.time, next.until);
      next.wake();
      await settled();
    }
    this.time = end;
  }
}

/** All that can go on without time has gone on. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 10; round++) await new Promise((resolve) => { setImmediate(resolve); });
}

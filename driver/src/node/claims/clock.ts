/** Time, so that tests can hold it. */
export interface Clock {
  /** Wall time, for what people read; may jump. */
  now(): Date;
  /** Milliseconds that only grow, for how long something takes. */
  monotonic(): number;
  /** Ends early, without an error, when the signal is aborted. Never keeps the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    await new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      signal?.addEventListener('abort', end, { once: true });
    });
  },
};

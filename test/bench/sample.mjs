/** What a measured child process says about itself: the last line of its standard output, or file descriptor 3 where the program has its own output. */
import { writeSync } from 'node:fs';

/** Starts a clock; calling the result reads it. Time is wall clock and CPU (all threads of the process) in milliseconds. */
export function stopwatch() {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wall: performance.now() - wall, cpu: (user + system) / 1_000 };
  };
}

/** Hands values to the process that measures. */
export function reportSample(values) {
  writeSync(3, JSON.stringify(values));
}

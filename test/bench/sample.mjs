/** What a measured child process says about itself, on file descriptor 3: its standard output may be its product. */
import { writeSync } from 'node:fs';

/** Starts a clock; calling the result reads it: wall clock and CPU of all threads of the process, in milliseconds. */
export function stopwatch() {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wall: performance.now() - wall, cpu: (user + system) / 1_000 };
  };
}

/** Largest resident set so far, in bytes. */
export function peakMemory() {
  return process.resourceUsage().maxRSS * 1_024;
}

/** Hands the samples, by figure, to the process that measures. */
export function reportSamples(samples) {
  writeSync(3, JSON.stringify(samples));
}

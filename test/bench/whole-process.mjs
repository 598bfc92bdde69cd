/** Preloaded into a program that knows nothing of the bench: reports the whole process, start of Node included, as figure `process`. */
import { peakMemory, reportSamples } from './sample.mjs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  reportSamples({ process: { wall: performance.now(), cpu: (user + system) / 1_000, memory: peakMemory() } });
});

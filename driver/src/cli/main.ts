import { processIo } from './io.js';
import { runProgram } from './program.js';

// A reader that has seen enough, such as head, is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Not process.exit: a pipe may still have to take what was printed.
process.exitCode = await runProgram(process.argv.slice(2), processIo());

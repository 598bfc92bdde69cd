import { processIo } from './io.js';
import { runProgram } from './program.js';
import { unforeseenText } from './unforeseen.js';

// A reader that has seen enough, such as head, is no failure of ours. Anything else loses output: no success, and no finding either.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(unforeseenText(error, process.env));
  process.exit(2);
});
// Nobody is left to be told; the exit code still says it.
process.stderr.on('error', () => undefined);

try {
  // Not process.exit: a pipe may still have to take what was printed.
  process.exitCode = await runProgram(process.argv.slice(2), processIo());
} catch (error) {
  process.stderr.write(unforeseenText(error, process.env));
  process.exitCode = 2;
}

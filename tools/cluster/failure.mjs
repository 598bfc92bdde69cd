/** What a person can put right: the message says what is wrong and the way out, so no stack trace is shown and the exit code is 2. */
export class Failure extends Error {}

/** Runs a command line: prints a Failure as a sentence, anything else with its stack, both with exit code 2. */
export async function runProgram(name, program) {
  try {
    process.exitCode = (await program()) ?? 0;
  } catch (error) {
    console.error(`${name}: ${error instanceof Failure ? error.message : (error?.stack ?? error)}`);
    process.exitCode = 2;
  }
}

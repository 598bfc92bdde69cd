/** What a person can put right: the message says what is wrong and the way out, so no stack trace is shown and the exit code is 2. */
export class Failure extends Error {}

/** A Failure because this machine lacks something that no other call would find: a program, a right, a part of the kernel. Exit code 3. */
export class Lacking extends Failure {}

/** Runs a command line: prints a Failure as a sentence, anything else with its stack. */
export async function runProgram(name, program) {
  try {
    process.exitCode = (await program()) ?? 0;
  } catch (error) {
    console.error(`${name}: ${error instanceof Failure ? error.message : (error?.stack ?? error)}`);
    process.exitCode = error instanceof Lacking ? 3 : 2;
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What stands for the answer of a program that died or said nothing for too long. */
export const NO_ANSWER = '{"crash":"no answer"}';

/**
 * Feeds the lines to a program that answers each with one line, and gives the answers in the order of the lines.
 *
 * A program that dies or is silent for `patience` milliseconds loses that line and is started again with the next one.
 */
export async function* answers(command: readonly string[], lines: readonly string[], patience: number): AsyncGenerator<string> {
  let next = 0;
  while (next < lines.length) {
    for await (const line of attempt(command, lines.slice(next), patience)) {
      next++;
      yield line;
    }
    if (next >= lines.length) return;
    next++;
    yield NO_ANSWER;
  }
}

async function* attempt(command: readonly string[], lines: readonly string[], patience: number): AsyncGenerator<string> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] }) as unknown as ChildProcessWithoutNullStreams;
  // A program that ends early closes the pipe under the writer; the missing answers tell.
  child.stdin.on('error', () => undefined);
  void feed(child, lines);
  let watchdog = setTimeout(() => child.kill('SIGKILL'), patience);
  let count = 0;
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    clearTimeout(watchdog);
    yield line;
    count++;
    if (count < lines.length) watchdog = setTimeout(() => child.kill('SIGKILL'), patience);
  }
  clearTimeout(watchdog);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function feed({ stdin }: ChildProcessWithoutNullStreams, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    if (stdin.destroyed) return;
    if (!stdin.write(`${line}\n`)) await drained(stdin);
  }
  stdin.end();
}

async function drained(stream: NodeJS.WritableStream): Promise<void> {
  const over = new AbortController();
  const ignore = (): void => undefined;
  await Promise.race([once(stream, 'drain', over), once(stream, 'close', over)].map((event) => event.then(ignore, ignore)));
  over.abort();
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Runs a program without a shell and with an empty environment. */
export type RunProgram = (command: readonly string[], timeoutMs: number) => Promise<void>;

/** Enough to see what a tool complained about. */
const MAX_OUTPUT = 2_000;

/** Milliseconds after the end of a program for what is left of its output: what it started may hold that for as long as it likes. */
const DRAIN_MS = 500;

/**
 * Ends with an error that has the last words of the program, unless it exits with 0 in time. A program that takes too long is killed with all
 * that it started, so that nothing goes on with the hardware behind the back of who comes next.
 */
export const runProgram: RunProgram = (command, timeoutMs) => new Promise((resolve, reject) => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }, stdio: ['ignore', 'pipe', 'pipe'], shell: false, detached: true });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-MAX_OUTPUT));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => killGroup(child), timeoutMs);
  let drain: NodeJS.Timeout | undefined;
  child.on('exit', () => {
    clearTimeout(timer);
    drain = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, DRAIN_MS);
  });
  child.on('error', (error) => {
    clearTimeout(timer);
    reject(new Error(`${program} cannot be run: ${error.message}`));
  });
  child.on('close', (code, signal) => {
    clearTimeout(drain);
    if (code === 0) return resolve();
    const last = output.trim().split('\n').at(-1) ?? '';
    const how = signal === 'SIGKILL' ? `was killed after ${timeoutMs / 1000} s` : `ended with ${signal ?? code}`;
    reject(new Error(`${program} ${how}${last === '' ? '' : `: ${last}`}`));
  });
});

/** The program leads a group of its own. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

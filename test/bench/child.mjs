import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from '../../tools/examples/run.mjs';

const WHOLE_PROCESS = new URL('whole-process.mjs', import.meta.url).href;

/** Runs a script of this folder, which reports by `reportSamples`, in a fresh process. */
export function runScript(script, args) {
  return run([script, ...args]);
}

/** Runs any Node program in a fresh process and returns the sample of the whole process. */
export async function runProgram(program, args) {
  return (await run(['--import', WHOLE_PROCESS, program, ...args])).process;
}

async function run(args) {
  const { NODE_OPTIONS, ...env } = cleanEnvironment();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [output, errors, samples] = await Promise.all(child.stdio.slice(1).map(stream => text(stream)));
  const [status] = await closed;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with status ${status}:\n${output}${errors}`);
  return JSON.parse(samples);
}

/** Path of a file beside a module. */
export function beside(url, file) {
  return fileURLToPath(new URL(file, url));
}

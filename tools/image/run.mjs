import { spawnSync } from 'node:child_process';

import { ImageError } from './image-error.mjs';

/**
 * Runs a program and gives its output back; a program that is missing or fails ends the build with its last words.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, input?: Buffer, wayOut: string }} options
 */
export function run(program, args, { wayOut, ...options }) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 1 << 30, ...options });
  if (error?.code === 'ENOENT') throw new ImageError(`${program} is not there. ${wayOut}`);
  if (error !== undefined || status !== 0) {
    const words = error?.message ?? stderr.toString('utf8').trim().split('\n').slice(-5).join('\n');
    throw new ImageError(`${program} ${args.join(' ')} failed:\n${words}\n${wayOut}`);
  }
  return stdout;
}

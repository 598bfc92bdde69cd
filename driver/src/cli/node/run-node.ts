import { runAgent } from '../../node/program.js';
import type { ExitCode } from '../command.js';
import type { Io } from '../io.js';
import type { NodeOptions } from '../node.js';

/** Runs the agent in this process until it is told to end. */
export async function runNode(options: NodeOptions & { readonly config: string }, io: Io): Promise<ExitCode> {
  const end = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => end.abort());
  return runAgent(options, { environment: process.env, say: (text) => io.err(text), signal: end.signal });
}

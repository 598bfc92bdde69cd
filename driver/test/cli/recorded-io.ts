import type { Io } from '../../src/cli/io.js';
import { runProgram } from '../../src/cli/program.js';

export interface Recorded {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RecordedOptions {
  readonly stdin?: string;
  readonly workingDirectory?: string;
  readonly hasColor?: boolean;
}

async function* streamOf(text: string): AsyncGenerator<string> {
  yield text;
}

/** Runs one command line in this process and keeps what it prints. */
export async function run(args: readonly string[], options: RecordedOptions = {}): Promise<Recorded> {
  let out = '';
  let err = '';
  const io: Io = {
    stdin: streamOf(options.stdin ?? ''),
    workingDirectory: options.workingDirectory ?? process.cwd(),
    hasColor: options.hasColor ?? false,
    isWatched: false,
    out: (text) => { out += text; },
    err: (text) => { err += text; },
    drained: () => Promise.resolve(),
    now: () => 0,
  };
  const code = await runProgram(args, io);
  return { code, out, err };
}

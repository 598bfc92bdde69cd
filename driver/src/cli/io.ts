import { once } from 'node:events';

/** Everything a command may touch outside its arguments and the files it is given. */
export interface Io {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly workingDirectory: string;
  /** Whether standard output shows colours. */
  readonly hasColor: boolean;
  /** Whether a person watches standard error. */
  readonly isWatched: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Resolves when standard output can take more: a reader may be slower than we are. */
  drained(): Promise<void>;
  /** Milliseconds, for progress only. */
  now(): number;
}

/** The streams of this process. */
export function processIo(): Io {
  const { NO_COLOR: noColor, FORCE_COLOR: forceColor, TERM: terminal } = process.env;
  const isForced = forceColor !== undefined && forceColor !== '0' && forceColor !== 'false';
  return {
    stdin: process.stdin,
    workingDirectory: process.cwd(),
    hasColor: isForced || (process.stdout.isTTY && (noColor ?? '') === '' && terminal !== 'dumb'),
    isWatched: process.stderr.isTTY,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
    now: () => performance.now(),
  };
}

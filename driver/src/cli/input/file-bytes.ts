import { constants, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** Larger files are refused unread. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** For reading; without O_NONBLOCK opening a pipe would wait for its writer. */
const READ = constants.O_NONBLOCK;

/** Why a file gives no bytes, and the way out. */
export interface ReadProblem {
  readonly message: string;
  readonly help: string;
}

/** The whole content of a regular file; never blocks on pipes and devices, never reads more than `limit` bytes. */
export function readFileBytes(path: string, limit = MAX_FILE_BYTES): Buffer | ReadProblem {
  let descriptor: number;
  try {
    descriptor = openSync(path, READ);
  } catch (error) {
    return systemProblem(error);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { message: `This is ${nameOf(stats)}, not a file.`, help: 'Pipe its content to kubectl-dra check - instead.' };
    if (stats.size > limit) return tooLarge(limit);
    return readAll(descriptor, stats.size, limit);
  } catch (error) {
    return systemProblem(error);
  } finally {
    closeSync(descriptor);
  }
}

/** A part of a file that had `size` bytes when it was read; undefined when it is gone or has another size now. */
export function readFileRange(path: string, size: number, start: number, end: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size !== size) return undefined;
    const bytes = Buffer.allocUnsafe(end - start);
    return readSync(descriptor, bytes, 0, bytes.length, start) === bytes.length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Everything a stream gives, up to `limit` bytes. */
export async function readStreamBytes(stream: AsyncIterable<Buffer | string>, limit = MAX_FILE_BYTES): Promise<Buffer | ReadProblem> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      size += bytes.length;
      if (size > limit) return tooLarge(limit);
      parts.push(bytes);
    }
  } catch (error) {
    return systemProblem(error);
  }
  return Buffer.concat(parts, size);
}

/** A sentence for an error of the operating system. */
export function systemProblem(error: unknown): ReadProblem {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = SYSTEM_PROBLEMS.get(code);
  const message = known?.[0] ?? `It cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  return { message, help: known?.[1] ?? 'Make the file readable, or leave it out.' };
}

const SYSTEM_PROBLEMS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['EACCES', ['It cannot be read: permission denied.', 'Make the file readable for you, or leave it out.']],
  ['EPERM', ['It cannot be read: operation not permitted.', 'Make the file readable for you, or leave it out.']],
  ['ENOENT', ['There is no such file; a symbolic link may point nowhere.', 'Correct the name or the link.']],
  ['ELOOP', ['Its symbolic links form a loop.', 'Correct the link.']],
  ['ENXIO', ['This is a socket or a device, not a file.', 'Leave it out.']],
]);

/** Files such as those of procfs say that they are empty, so the end is where reading gives nothing. */
function readAll(descriptor: number, expected: number, limit: number): Buffer | ReadProblem {
  let bytes = Buffer.allocUnsafe(expected + 1);
  let size = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, size, bytes.length - size, null);
    if (count === 0) return bytes.subarray(0, size);
    size += count;
    if (size > limit) return tooLarge(limit);
    if (size === bytes.length) bytes = Buffer.concat([bytes], Math.min(size * 2, limit + 1));
  }
}

function tooLarge(limit: number): ReadProblem {
  return { message: `It is larger than ${limit / 1024 / 1024} MiB and was not read.`, help: 'Split it, or leave it out.' };
}

function nameOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isDirectory()) return 'a folder';
  return 'a device';
}

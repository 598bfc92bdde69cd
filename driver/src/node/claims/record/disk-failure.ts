import { codeOf } from './file-system.js';
import { NodeFailure } from '../../../devices/node-failure.js';

/** `what`: the file, from the data folder. */
export function unwritable(what: string, error: unknown): NodeFailure {
  return new NodeFailure('DRA330', 'retryable', `cannot write ${what}: ${reason(error)}`, { cause: error });
}

export function unreadable(error: unknown): NodeFailure {
  return new NodeFailure('DRA333', 'retryable', `cannot read the records of claims: ${reason(error)}`, { cause: error });
}

const REASONS: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk has an error',
  EACCES: 'permission denied',
  ENOENT: 'the folder is missing',
};

/** In words where the operating system's are short; never with a path, since the text goes to tenants. */
export function reason(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return `${REASONS[code] ?? 'the operating system refuses'} (${code})`;
}

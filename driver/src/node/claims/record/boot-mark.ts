import { createHash } from 'node:crypto';

/** A boot in the name of a file, and in a file that says whole what it says. */
export function bootMark(bootId: string): string {
  return createHash('sha256').update(bootId).digest('hex').slice(0, 8);
}

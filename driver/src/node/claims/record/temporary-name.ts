import { randomBytes } from 'node:crypto';

/** A name for a file until it has its own, or that it lost: nobody reads such a file, and the next start removes it. `stem` says what it is. */
export function temporaryName(stem: string): string {
  return `.${stem}.${randomBytes(4).toString('hex')}.tmp`;
}

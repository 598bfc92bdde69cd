import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kernel's name for this boot, alike inside and outside of containers; from below the host's root where it is there. */
export function bootId(hostRoot: string): string {
  const below = join(hostRoot, FILE);
  return readFileSync(existsSync(below) ? below : join('/', FILE), 'utf8').trim();
}

const FILE = 'proc/sys/kernel/random/boot_id';

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ImageError } from './image-error.mjs';
import { run } from './run.mjs';

/**
 * The C and C++ libraries that Node.js is linked to, from Debian's packages, checked against the pins; kept in the cache.
 *
 * @returns {string} a folder with the packages unpacked over each other
 */
export function pinnedLibraries({ packages }, cache) {
  const pins = Object.entries(packages);
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16);
  const folder = join(cache, `libraries-${key}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'archives'), { recursive: true });
  const root = join(partial, 'root');
  for (const [name, { version, sha256 }] of pins) {
    run('apt-get', ['download', `${name}=${version}`], { cwd: join(partial, 'archives'), wayOut: WAY_OUT });
    const file = readdirSync(join(partial, 'archives')).find(entry => entry.startsWith(`${name}_`));
    const archive = join(partial, 'archives', file);
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (found !== sha256) throw new ImageError(`${name} ${version} is not what tools/image/pins.json says: ${found} instead of ${sha256}. Do not use it.`);
    run('dpkg-deb', ['-x', archive, root], { wayOut: WAY_OUT });
  }
  renameSync(root, folder);
  rmSync(partial, { recursive: true });
  return folder;
}

const WAY_OUT = 'Libraries come from the packages of Debian: run this on Debian, after apt-get update. '
  + 'When Debian has a newer version, put it and its checksum into tools/image/pins.json.';

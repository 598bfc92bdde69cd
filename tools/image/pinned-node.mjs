import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ImageError } from './image-error.mjs';
import { run } from './run.mjs';

/**
 * The Node.js of the image, from its npm package, checked against the pin; kept in the cache.
 *
 * @returns {{ binary: string, licence: string }} files
 */
export function pinnedNode({ package: name, version, integrity }, cache) {
  const folder = join(cache, `${name}-${version}`);
  const files = { binary: join(folder, 'package', 'bin', 'node'), licence: join(folder, 'package', 'LICENSE') };
  if (existsSync(folder)) return files;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: partial, wayOut: 'The npm registry must be reached once.' });
  const archive = join(partial, `${name}-${version}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new ImageError(`${name}@${version} is not what tools/image/pins.json says: ${found} instead of ${integrity}. Do not use it.`);
  run('tar', ['-xzf', archive, '-C', partial, 'package/bin/node', 'package/LICENSE'], { wayOut: 'GNU tar is needed.' });
  rmSync(archive);
  renameSync(partial, folder);
  return files;
}

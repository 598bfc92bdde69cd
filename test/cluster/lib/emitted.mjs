// Loads emitted.ts straight from the sources, so that the suites try what the working tree emits.
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from '../../../tools/cluster/layout.mjs';

/** The exports of emitted.ts. */
export function loadEmitted() {
  const outfile = join(ROOT, 'build', 'cluster', `emitted-${process.pid}.cjs`);
  mkdirSync(join(ROOT, 'build', 'cluster'), { recursive: true });
  buildSync({
    entryPoints: [join(ROOT, 'test', 'cluster', 'lib', 'emitted.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    outfile,
  });
  try {
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(outfile);
  }
}

// Loads TypeScript straight from its source, so that suites need no build and try the working tree.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../../tools/cluster/layout.mjs';

/** The exports of a module, given by its path from the root, with everything that it imports inside. */
export async function loadSource(path) {
  const folder = join(ROOT, 'build', 'cluster');
  const outfile = join(folder, `${path.replaceAll(/[^a-z]+/gi, '-')}-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(ROOT, path)],
    alias: { 'cdk8s-dra/model': join(ROOT, 'src', 'model', 'index.ts') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    define: { KUBECTL_DRA_VERSION: '"of the working tree"' },
    // CommonJS dependencies ask for `require`, which an ES module does not have.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'silent',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

/** Compares device selectors and allocations with the answers of upstream's own code; docs/oracle.md has the options. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outdir = join(root, 'build/oracle');
mkdirSync(outdir, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ['test/oracle/compare/run.ts', 'test/oracle/compare/ours.ts'],
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
});
const { compare } = await import(pathToFileURL(join(outdir, 'run.mjs')).href);
process.exitCode = await compare(process.argv.slice(2), root, join(outdir, 'ours.mjs'));

import { existsSync } from 'node:fs';

const bundle = new URL('../lib/cli.js', import.meta.url);

if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  process.stderr.write('kubectl-dra is not built yet: run `npm run build` (or `npm run compile`) in the repository root.\n');
  process.exitCode = 2;
}

/** Bundles the programs of this package into lib/: one file each, with everything inside. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Each with what must never end up in it. */
const BUNDLES = [
  { entry: 'src/cli/main.ts', outfile: 'lib/cli.js', forbidden: ['cdk8s', 'constructs', '@kubernetes/client-node'] },
];

for (const { entry, outfile, forbidden } of BUNDLES) {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    metafile: true,
    legalComments: 'eof',
    define: { KUBECTL_DRA_VERSION: JSON.stringify(version) },
    // CommonJS dependencies ask for `require`, which an ES module does not have.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  const wrong = inputs.filter((input) => forbidden.some((name) => input.includes(`node_modules/${name}/`)));
  // The library itself may come in as its pure model only.
  wrong.push(...inputs.filter((input) => /^\.\.\/(?:lib|src)\/(?!src\/model\/|model\/|imports\/)/.test(input) && !/^\.\.\/lib\/imports\//.test(input)));
  if (wrong.length > 0) throw new Error(`${outfile} must not contain ${wrong.join(', ')}: import it from the model, or not at all`);
}

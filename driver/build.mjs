/** Bundles the programs of this package into lib/: an entry for each, and the parts that it reads when it needs them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Each with what must never end up in it. */
const BUNDLES = [
  { name: 'cli', entry: 'src/cli/main.ts', forbidden: ['cdk8s', 'constructs', '@kubernetes/client-node'] },
];

/** The model from its source, and of that only what is used: no file of it does anything when it is read. */
const pureModel = {
  name: 'pure model',
  setup(plugins) {
    plugins.onResolve({ filter: /^cdk8s-dra\/model$/ }, () => ({ path: fileURLToPath(new URL('../src/model/index.ts', import.meta.url)), sideEffects: false }));
    plugins.onResolve({ filter: /\/lib\/(?:src\/model|imports)\/.*\.js$/ }, ({ path }) => {
      const source = path.replace(/^.*\/lib\//, '../').replace(/\.js$/, '.ts');
      return { path: fileURLToPath(new URL(source, import.meta.url)), sideEffects: false };
    });
    plugins.onResolve({ filter: /^\./ }, async ({ path, pluginData, ...args }) => {
      if (pluginData === RESOLVED || !/[/\\](?:src[/\\]model|imports)(?:[/\\]|$)/.test(args.resolveDir)) return undefined;
      const found = await plugins.resolve(path, { ...args, pluginData: RESOLVED });
      return found.errors.length > 0 ? found : { path: found.path, sideEffects: false };
    });
  },
};
const RESOLVED = Symbol('resolved');

for (const { name, entry, forbidden } of BUNDLES) {
  const { metafile } = await build({
    absWorkingDir: HERE,
    entryPoints: { [name]: entry },
    outdir: 'lib',
    // What only one command needs is a file of its own, read when the command runs.
    splitting: true,
    chunkNames: `${name}-[hash]`,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    metafile: true,
    legalComments: 'eof',
    define: { KUBECTL_DRA_VERSION: JSON.stringify(version) },
    plugins: [pureModel],
    // CommonJS dependencies ask for `require`, which an ES module does not have.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  const wrong = inputs.filter((input) => forbidden.some((name) => input.includes(`node_modules/${name}/`)));
  // The library itself may come in as its pure model only.
  wrong.push(...inputs.filter((input) => /^\.\.\/(?:lib|src)\/(?!src\/model\/|model\/)/.test(input)));
  if (wrong.length > 0) throw new Error(`lib/${name}.js must not contain ${wrong.join(', ')}: import it from the model, or not at all`);
  // For the list of contents of the image.
  writeFileSync(new URL(`lib/${name}.inputs.json`, import.meta.url), `${JSON.stringify(inputs.sort(), null, 1)}\n`);

  // Parts of earlier builds, which nobody names any more.
  const written = new Set(Object.keys(metafile.outputs).map((output) => basename(output)));
  for (const file of readdirSync(new URL('lib', import.meta.url))) {
    if (file.startsWith(`${name}-`) && !written.has(file)) rmSync(new URL(`lib/${file}`, import.meta.url));
  }
}

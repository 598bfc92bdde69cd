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
  // One process a node, for months: what is not there needs no memory. Names stay, for stacks in logs. CommonJS, since Node keeps the text of an ES module twice,
  // and an ES module that imports node:http loads all that it exports, a second HTTP client among it.
  {
    name: 'node',
    entry: 'src/node/main.ts',
    forbidden: ['cdk8s', 'constructs', '@kubernetes/client-node', 'commander'],
    options: { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' }, banner: {}, legalComments: 'linked', minifyWhitespace: true, minifySyntax: true },
  },
];

/** Large packages of which little is used; types are those of the whole. */
const parts = {
  name: 'parts of packages',
  setup(plugins) {
    // grpc-js asks for it only when somebody looks into its own statistics.
    plugins.onResolve({ filter: /^@grpc\/proto-loader$/ }, () => ({ path: 'nothing', namespace: 'part' }));
    plugins.onLoad({ filter: /^nothing$/, namespace: 'part' }, () => ({ contents: 'module.exports = {};' }));
  },
};

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

for (const { name, entry, forbidden, options = {} } of BUNDLES) {
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
    plugins: [pureModel, parts],
    // CommonJS dependencies ask for `require`, which an ES module does not have.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'warning',
    ...options,
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

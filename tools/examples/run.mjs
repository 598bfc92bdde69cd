// Runs an example as its users do and returns what it wrote.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const EXAMPLES = join(ROOT, 'examples');

/** Names of the examples that are programs, sorted. */
export function examplePrograms() {
  return readdirSync(EXAMPLES).filter(name => existsSync(join(EXAMPLES, name, 'main.ts'))).sort();
}

/** Synthesizes an example into a folder; what it says on standard error goes to ours. */
export function synthesize(example, outdir) {
  const register = createRequire(import.meta.url).resolve('ts-node/register/transpile-only');
  execFileSync(process.execPath, ['--require', register, 'main.ts'], {
    cwd: join(EXAMPLES, example),
    env: { ...cleanEnvironment(), CDK8S_OUTDIR: outdir, TS_NODE_PROJECT: join(EXAMPLES, 'tsconfig.json') },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The manifests of an example by relative path. */
export function render(example) {
  return within(renderGolden(example), 'golden');
}

/** Everything that an example writes: manifests below `golden`, and what is beside them, the plan of its pools, below `golden.plan`. */
export function renderGolden(example) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-dra-'));
  try {
    synthesize(example, join(folder, 'golden'));
    return readFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The golden folders of an example as they are kept. */
export function readGolden(example) {
  return new Map(GOLDEN_FOLDERS.filter(name => existsSync(join(EXAMPLES, example, name)))
    .flatMap(name => [...readFolder(join(EXAMPLES, example, name))].map(([file, text]) => [join(name, file), text])));
}

export const GOLDEN_FOLDERS = ['golden', 'golden.plan'];

function within(files, folder) {
  return new Map([...files].filter(([name]) => name.startsWith(`${folder}/`)).map(([name, text]) => [name.slice(folder.length + 1), text]));
}

/** All files below a folder by relative path, sorted. */
export function readFolder(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  return new Map(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** cdk8s itself reads these, so a developer's shell could change the output; jsii must not warn of Node 20 in every process. */
export function cleanEnvironment() {
  const { CDK8S_OUTDIR, CDK8S_DISABLE_SORT, CDK8S_RECORD_CONSTRUCT_METADATA, ...rest } = process.env;
  return { ...rest, JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' };
}

// kubectl-dra of the working tree within this process: a suite asks it hundreds of times, and a start takes longer than an answer.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../../tools/cluster/layout.mjs';

let loaded;

/**
 * Runs one command line of kubectl-dra.
 *
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function kubectlDra(args) {
  loaded ??= loadProgram();
  const { runProgram } = await loaded;
  const answer = { code: 2, stdout: '', stderr: '' };
  const io = {
    stdin: [],
    workingDirectory: ROOT,
    hasColor: false,
    isWatched: false,
    out: text => (answer.stdout += text),
    err: text => (answer.stderr += text),
    drained: async () => {},
    now: () => performance.now(),
  };
  answer.code = await runProgram(args, io);
  return answer;
}

async function loadProgram() {
  const folder = join(ROOT, 'build', 'cluster');
  const outfile = join(folder, `program-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(ROOT, 'driver', 'src', 'cli', 'program.ts')],
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

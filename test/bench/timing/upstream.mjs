import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../../tools/examples/run.mjs';

/** A TypeScript module of the tests, for these programs that Node runs as they are. */
export async function importTypeScript(file) {
  return import(pathToFileURL(await bundleTypeScript(file)).href);
}

/** The same as a file that Node can run. */
export async function bundleTypeScript(file) {
  const outfile = join(ROOT, 'build', 'bench', `${file.replaceAll('/', '-')}.mjs`);
  mkdirSync(join(ROOT, 'build', 'bench'), { recursive: true });
  await build({
    absWorkingDir: ROOT, entryPoints: [file], outfile, bundle: true, packages: 'external', platform: 'node', target: 'node20', format: 'esm', logLevel: 'warning',
  });
  return outfile;
}

/** Path of the Go program on upstream's code, built where it is missing; undefined with a word about it where there is no Go. */
export async function upstreamProgram(minor, progress) {
  const { EnvironmentProblem, upstreamProgram: find } = await importTypeScript('test/oracle/compare/upstream-program.ts');
  try {
    return find(ROOT, minor, progress);
  } catch (error) {
    if (!(error instanceof EnvironmentProblem)) throw error;
    progress(`upstream is not timed: ${error.message}`);
    return undefined;
  }
}

// Loads a module of src/model straight from its source: the compiled library may not exist yet, or may not compile without what is generated.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The exports of `src/model/<path>`. */
export async function loadModel(path) {
  const entry = join(ROOT, 'src', 'model', path);
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

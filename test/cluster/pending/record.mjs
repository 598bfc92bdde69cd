// node test/cluster/pending/record.mjs [--kubernetes 1.36] [--keep] CASE…: keeps what `kubectl-dra collect` writes while each case is alone on a
// cluster, for the tests that need none. Without names: the cases that have no file yet.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from '../../../tools/cluster/failure.mjs';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { startCluster, stopCluster } from '../lib/cluster.mjs';
import { NotTried } from '../lib/suite.mjs';
import { readCases } from './case-file.mjs';
import { recordCase } from './trial.mjs';

const FOLDER = join(ROOT, 'test', 'explain', 'collected');

await runProgram('record', async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'kubernetes': { type: 'string' }, 'feature-gates': { type: 'string' }, 'runtime-config': { type: 'string' } } });
  mkdirSync(FOLDER, { recursive: true });
  const cases = readCases(positionals.length === 0 ? undefined : positionals).filter(({ name }) => positionals.length > 0 || !existsSync(join(FOLDER, `${name}.json`)));
  const cluster = await startCluster({ kubernetes: values.kubernetes, featureGates: values['feature-gates'], runtimeConfig: values['runtime-config'], say: text => console.error(text) });
  let failed = 0;
  try {
    for (const one of cases) {
      const file = join(FOLDER, `${one.name}.json`);
      try {
        await recordCase(cluster, one, file);
        console.log(`${one.name}: ${readFileSync(file).length} bytes`);
      } catch (error) {
        if (!(error instanceof NotTried)) {
          failed++;
          rmSync(file, { force: true });
        }
        console.log(`${one.name}: ${error.message}`);
      }
    }
  } finally {
    await stopCluster(cluster);
  }
  return failed === 0 ? 0 : 1;
});

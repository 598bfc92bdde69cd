// node test/cluster/pending/record.mjs [--kubernetes 1.36] CASE…: tries each case alone on a cluster and keeps what `kubectl-dra collect` wrote,
// for the tests that need no cluster. Without names: the cases that have no file yet.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from '../../../tools/cluster/failure.mjs';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { startCluster, stopCluster } from '../lib/cluster.mjs';
import { NotTried } from '../lib/suite.mjs';
import { readCases } from './case-file.mjs';
import { tryCase } from './trial.mjs';

const FOLDER = join(ROOT, 'test', 'explain', 'collected');

await runProgram('record', async () => {
  const options = { 'kubernetes': { type: 'string' }, 'feature-gates': { type: 'string' }, 'runtime-config': { type: 'string' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const isMissing = ({ name }) => !existsSync(join(FOLDER, `${name}.json`));
  const cases = positionals.length > 0 ? readCases(positionals) : readCases().filter(isMissing);
  if (cases.length === 0) return console.log('There is nothing to record.');
  mkdirSync(FOLDER, { recursive: true });
  const cluster = await startCluster({
    kubernetes: values.kubernetes,
    featureGates: values['feature-gates'],
    runtimeConfig: values['runtime-config'],
    say: text => console.error(text),
  });
  let failed = 0;
  try {
    for (const one of cases) failed += await record(cluster, one);
  } finally {
    await stopCluster(cluster);
  }
  return failed === 0 ? 0 : 1;
});

/** 1 when a case is not as it says. */
async function record(cluster, one) {
  const collectTo = join(ROOT, 'build', 'cluster', `collected-${process.pid}.json`);
  try {
    console.log(`${one.name}: ${await tryCase(cluster, one, { collectTo, keepAs: join(FOLDER, `${one.name}.json`) })}`);
    return 0;
  } catch (error) {
    console.log(`${one.name}: ${error.message}`);
    return error instanceof NotTried ? 0 : 1;
  } finally {
    rmSync(collectTo, { force: true });
  }
}

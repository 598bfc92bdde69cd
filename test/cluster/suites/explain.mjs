// Pods that stay Pending: what explain says of them is so, and what it offers ends it. The cases are files of test/explain/pending.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { readCases } from '../pending/case-file.mjs';
import { startAll } from '../pending/lanes.mjs';
import { tryCase } from '../pending/trial.mjs';

const CASES = readCases();
const running = new WeakMap();

export const contracts = [...CASES.filter(({ alone }) => !alone), ...CASES.filter(({ alone }) => alone)].map(({ name, title }) => ({
  id: name,
  text: title,
  where: 'lab',
  run: cluster => resultsOn(cluster).get(name)(),
}));

/** The first contract starts all of them; each waits for its own. */
function resultsOn(cluster) {
  if (!running.has(cluster)) {
    const folder = join(ROOT, 'build', 'cluster');
    mkdirSync(folder, { recursive: true });
    running.set(
      cluster,
      startAll(CASES, async one => {
        const collectTo = join(folder, `collected-${process.pid}-${one.name}.json`);
        try {
          return await tryCase(cluster, one, { collectTo });
        } finally {
          rmSync(collectTo, { force: true });
        }
      }),
    );
  }
  return running.get(cluster);
}

import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../../../tools/examples/run.mjs';
import { cacheEntry, shortHash } from '../../../../tools/cluster/cache-entry.mjs';
import { Lacking } from '../../../../tools/cluster/failure.mjs';
import { BUILD_FLAGS, goVersion, runGo } from '../../../../tools/cluster/go.mjs';
import { moduleFiles, neededGo } from '../../../../tools/cluster/versions.mjs';
import { beside } from '../../child.mjs';

const MINOR = '1.36';
const SOURCE = beside(import.meta.url, 'upstream/driver.go');

/** Path of the Go driver on the upstream helper, built where it is missing; undefined with a word about it where there is no Go. */
export async function upstreamDriver(progress) {
  try {
    const files = [SOURCE, ...moduleFiles(MINOR)];
    const hash = shortHash(goVersion(neededGo(MINOR)), ...files.map(file => readFileSync(file, 'utf8')));
    const folder = await cacheEntry(join(ROOT, 'build', 'bench', `upstream-driver-${hash}`), {
      probe: entry => (existsSync(join(entry, 'driver')) ? undefined : 'the program is missing'),
      fill: async entry => {
        progress('building the Go driver; the first time takes minutes and downloads its modules');
        const source = join(entry, 'source');
        mkdirSync(source);
        for (const file of files) copyFileSync(file, join(source, basename(file)));
        await runGo(source, ['build', ...BUILD_FLAGS, '-ldflags', '-s -w', '-o', join(entry, 'driver'), '.']);
      },
    });
    return join(folder, 'driver');
  } catch (error) {
    if (!(error instanceof Lacking)) throw error;
    progress(`the Go driver is not measured: ${error.message}`);
    return undefined;
  }
}

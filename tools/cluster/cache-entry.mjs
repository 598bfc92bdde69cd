// A cache entry appears whole or not at all: it is filled beside its place and renamed into it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { makeCacheFolder } from './layout.mjs';
import { identify, isAlive } from './process-identity.mjs';
import { sleep } from './wait.mjs';

/**
 * The folder of an entry, filled first if it is missing or if its probe fails.
 *
 * @param {string} folder
 * @param {{ probe: (folder: string) => string | undefined, fill: (folder: string) => Promise<void>, say?: (text: string) => void }} entry
 * `probe` answers what is wrong with the entry, `fill` writes it
 */
export async function cacheEntry(folder, { probe, fill, say = () => {} }) {
  makeCacheFolder(dirname(folder));
  await otherBuild(folder, say);
  if (existsSync(folder)) {
    const wrong = probe(folder);
    if (wrong === undefined) return folder;
    say(`The cached programs in ${folder} are broken (${wrong}); building them again.`);
    rmSync(folder, { recursive: true, force: true });
  }
  const building = `${folder}${BUILDING}${process.pid}`;
  mkdirSync(building);
  try {
    writeFileSync(join(building, OWNER), JSON.stringify(identify(process.pid)));
    await fill(building);
    rmSync(join(building, OWNER));
    const wrong = probe(building);
    if (wrong !== undefined) {
      throw new Failure(`The programs were built, but ${wrong}. Look at Go and at this machine's processor before trying again.`);
    }
    // Another build of the same entry may have been quicker; then its result serves.
    if (!existsSync(folder)) renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return folder;
}

/** Short hash over texts. */
export function shortHash(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(String(text.length)).update('\n').update(text);
  return hash.digest('hex').slice(0, 12);
}

const OWNER = 'building.json';
const BUILDING = '.building-';

/** Waits while somebody else builds the same, which takes less time than two builds side by side; removes what a dead one left. */
async function otherBuild(folder, say) {
  let isTold = false;
  for (;;) {
    const builds = readdirSync(dirname(folder)).filter(entry => entry.startsWith(`${basename(folder)}${BUILDING}`));
    const live = builds.filter(name => isLive(join(dirname(folder), name)));
    for (const name of builds) if (!live.includes(name)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
    if (live.length === 0) return;
    if (!isTold) say(`Process ${live[0].slice(live[0].lastIndexOf('-') + 1)} builds the same programs; waiting for it.`);
    isTold = true;
    await sleep(1000);
  }
}

function isLive(building) {
  try {
    return isAlive(JSON.parse(readFileSync(join(building, OWNER), 'utf8')));
  } catch {
    // Just made or just finished, unless it stays so.
    return existsSync(building) && Date.now() - statSync(building).mtimeMs < 10_000;
  }
}

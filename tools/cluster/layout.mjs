// Where programs and clusters lie. Nothing outside the cache folder is written for a control plane.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from './failure.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The sources of the programs. */
export const SOURCES = join(ROOT, 'test', 'cluster', 'go');

/** Environment variable that moves the cache folder, as --cache does. */
export const CACHE_VARIABLE = 'CDK8S_DRA_CLUSTER_CACHE';

/** Folder of built programs and of clusters; it need not exist. */
export function cacheFolder(option) {
  const folder = resolve(option ?? process.env[CACHE_VARIABLE] ?? join(ROOT, 'build', 'cluster'));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) throw new Failure(`The cache must be a folder, and ${folder} is none. ${OTHER_CACHE}`);
  return folder;
}

/** Makes the cache folder. */
export function makeCacheFolder(folder) {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new Failure(`The cache folder ${folder} cannot be made (${error.code ?? error.message}). ${OTHER_CACHE}`);
  }
}

const OTHER_CACHE = `Name another: --cache DIR, or ${CACHE_VARIABLE}.`;

/** One after the other: the recursive mkdir of Node never returns where the kernel says ENOENT, as in /proc. */
function makeFolder(folder) {
  if (existsSync(folder)) return accessSync(folder, constants.W_OK);
  makeFolder(dirname(folder));
  return mkdirSync(folder);
}

/** Folder of one cluster: state, certificates, data, logs, nodes. */
export function clusterFolder(cache, name) {
  return join(cache, 'run', name);
}

/** Folder of the logs that outlive a cluster. */
export function keptLogsFolder(cache, name) {
  return join(cache, 'logs', name);
}

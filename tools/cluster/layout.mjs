// Where programs and clusters lie. Nothing outside the cache folder is written for a control plane.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The sources of the programs. */
export const SOURCES = join(ROOT, 'test', 'cluster', 'go');

/** Environment variable that moves the cache folder, as --cache does. */
export const CACHE_VARIABLE = 'CDK8S_DRA_CLUSTER_CACHE';

/** Folder of built programs and of clusters. */
export function cacheFolder(option) {
  return resolve(option ?? process.env[CACHE_VARIABLE] ?? join(ROOT, 'build', 'cluster'));
}

/** Folder of one cluster: state, certificates, data, logs, nodes. */
export function clusterFolder(cache, name) {
  return join(cache, 'run', name);
}

/** Folder of the logs that outlive a cluster. */
export function keptLogsFolder(cache, name) {
  return join(cache, 'logs', name);
}

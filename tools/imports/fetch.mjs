// Usage: node tools/imports/fetch.mjs
// Downloads the releases as Go modules (checked against Go's checksum database) and prunes their OpenAPI into imports/openapi.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prune } from './prune.mjs';

/** The patch release each minor is read from. */
const RELEASES = { '1.34': 'v1.34.4', '1.35': 'v1.35.4', '1.36': 'v1.36.3', '1.37': 'v1.37.2' };

/** @param {string} release @returns {string} the folder of the unpacked source tree */
function download(release) {
  const answer = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${release}`], { encoding: 'utf8' });
  return JSON.parse(answer).Dir;
}

const trees = new Map(Object.entries(RELEASES).map(([minor, release]) => [minor, download(release)]));
prune(trees, fileURLToPath(new URL('../../imports/openapi', import.meta.url)));

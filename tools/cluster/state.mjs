// What is known of a cluster between two commands: a file in its folder, written whole before and after each process starts.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { clusterFolder } from './layout.mjs';
import { isAlive, isFrozen } from './process-identity.mjs';

/**
 * @typedef {object} ClusterState
 * @property {string} name
 * @property {string} folder
 * @property {'starting' | 'running'} phase
 * @property {{ pid: number, startTime?: string, boot: string }} starter the program that started it
 * @property {boolean} owned whether it ends with that program
 * @property {string} kubernetes minor of the programs
 * @property {string} release
 * @property {string} [emulate] minor that is played
 * @property {string} [featureGates]
 * @property {string} [runtimeConfig]
 * @property {boolean} keepData
 * @property {string} programs folder of the components
 * @property {string} address address of the API server
 * @property {{ api: number, etcd: number, peer: number, controllerManager: number, scheduler: number }} ports
 * @property {string} server URL of the API server
 * @property {object[]} processes see startProcess
 * @property {object[]} nodes
 */

const FILE = 'state.json';

/** The state of a cluster; undefined if there is none of that name. */
export function readState(cache, name) {
  const file = join(clusterFolder(cache, name), FILE);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Written by rename, so only a full disk or a foreign hand can break it; down finds the processes by their mark.
    return { name, folder: clusterFolder(cache, name), phase: 'starting', processes: [], nodes: [], broken: true };
  }
}

/** Writes the state: readers see the old one or the new one. */
export function writeState(state) {
  mkdirSync(state.folder, { recursive: true });
  const file = join(state.folder, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Names of all clusters with a folder, running or left behind. */
export function clusterNames(cache) {
  const folder = join(cache, 'run');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter(name => existsSync(join(folder, name, FILE)))
        .sort()
    : [];
}

/** What a command for this cluster must say of its name: nothing for the default one. */
export function nameOption({ name }) {
  return name === 'default' ? '' : ` --name ${name}`;
}

/** The state of a cluster that must exist. */
export function requireState(cache, name) {
  const state = readState(cache, name);
  if (state !== undefined) return state;
  const others = clusterNames(cache);
  const known = others.length === 0 ? 'There is none. Start one: npm run cluster -- up' : `There is ${others.join(', ')}`;
  throw new Failure(`No cluster is named "${name}" in ${cache}. ${known}.`);
}

/** `running`, `frozen` or `dead` for a process of the state. */
export function processCondition(process) {
  return isFrozen(process) ? 'frozen' : isAlive(process) ? 'running' : 'dead';
}

/** `running`, `starting`, `half-started`, `partly frozen`, `partly dead` or `dead` for the whole. */
export function clusterCondition(state) {
  const conditions = state.processes.map(processCondition);
  const alive = conditions.filter(condition => condition !== 'dead').length;
  if (state.phase === 'starting') return state.starter !== undefined && isAlive(state.starter) ? 'starting' : 'half-started';
  if (alive === 0) return 'dead';
  return alive < conditions.length ? 'partly dead' : conditions.includes('frozen') ? 'partly frozen' : 'running';
}

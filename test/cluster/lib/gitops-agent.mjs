// Argo CD's GitOps engine against a cluster: it applies what a repository has, heals what others change, and prunes what goes from Git.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { componentProgram } from '../../../tools/cluster/component-program.mjs';
import { freePorts } from '../../../tools/cluster/ports.mjs';
import { isAlive } from '../../../tools/cluster/process-identity.mjs';
import { lastLines, startProcess, stopProcess } from '../../../tools/cluster/processes.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

/**
 * A repository with a folder of manifests, and the engine that follows it.
 *
 * @param {import('./cluster.mjs').TestCluster} cluster
 * @param {{ cache: string, manifests: string, without?: string[], say?: (text: string) => void }} options
 * `manifests`: a folder whose content the repository begins with, but for `without`
 */
export async function startGitops(cluster, { cache, manifests, without = [], say }) {
  const { program } = await componentProgram(cache, 'gitops-agent', { say });
  const [port] = await freePorts(1);
  const repository = join(cluster.state.folder, 'repository');
  const folder = join(repository, 'app');
  rmSync(repository, { recursive: true, force: true });
  mkdirSync(repository, { recursive: true });
  cpSync(manifests, folder, { recursive: true, filter: path => !without.some(name => path === join(manifests, name)) });
  const git = (...args) => execFileSync('git', ['-c', 'user.name=platform', '-c', 'user.email=platform@example.com', ...args], { cwd: repository, stdio: 'pipe' });
  git('init', '--quiet');
  const commit = () => (git('add', '--all'), git('commit', '--quiet', '--allow-empty', '--message', 'Change'));
  commit();
  const log = join(cluster.state.folder, 'gitops.log');
  const start = () => startProcess(cluster.state.folder, {
    name: 'gitops-agent',
    command: [
      program, repository, '--path', 'app', '--kubeconfig', adminKubeconfig(cluster.state),
      '--default-namespace', 'default', '--resync-seconds', '5', '--port', String(port),
    ],
    log,
  }, { owned: true });
  const running = await firstPass(start, log);
  return {
    /** Changes the text of a file of the repository and commits it. */
    edit: (file, change) => {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
      commit();
    },
    remove: (file) => {
      rmSync(join(folder, file));
      commit();
    },
    /** Undoes the last commit by a new one, as people do. */
    revert: () => git('revert', '--no-edit', 'HEAD'),
    /** Resolves with the results of a pass that began after this call. */
    pass: async () => {
      // The pass that may be going on began with the files of before.
      const done = tablesOf(log).length;
      const tables = await passesDone(log, done + 2, running);
      return tables.at(-1);
    },
    stop: () => stopProcess(running),
  };
}

/**
 * Starts the engine until a pass is done. Within a pass its own agent never looks again at what it made, so that it waits for ever for the
 * first wave of a new installation; Argo CD's controller begins each pass anew.
 */
async function firstPass(start, log) {
  for (let waves = 0; waves < 8; waves++) {
    const looks = looksIn(log);
    const running = start();
    const done = await waitFor('the first pass of the GitOps engine', () => {
      if (tablesOf(log).length > 0) return { done: 'pass' };
      if (!isAlive(running)) throw new Error(`It ended: ${lastLines(log, 5)}`);
      return looksIn(log) - looks >= 6 ? { done: 'waits' } : lastLines(log, 3);
    }, { seconds: 240 });
    if (done === 'pass') return running;
    await stopProcess(running);
  }
  throw new Error(`No pass was done after eight starts: ${lastLines(log, 5)}`);
}

/** How often it looked whether a wave is healthy. */
function looksIn(log) {
  return existsSync(log) ? readFileSync(log, 'utf8').split('"Syncing"').length - 1 : 0;
}

async function passesDone(log, count, running) {
  return waitFor(`pass ${count} of the GitOps engine`, () => {
    const tables = tablesOf(log);
    if (tables.length >= count) return { done: tables };
    if (!isAlive(running)) throw new Error(`It ended: ${lastLines(log, 5)}`);
    return lastLines(log, 3);
  }, { seconds: 120 });
}

/** What each pass said: resource and result, by line. */
function tablesOf(log) {
  const tables = [];
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    if (/^RESOURCE +RESULT/.test(line)) tables.push([]);
    else if (tables.length > 0) {
      const [, resource, result] = /^(\S*\/\S+) {2,}(\S.*)$/.exec(line) ?? [];
      if (resource !== undefined && !/^[IWE]\d{4} /.test(line)) tables.at(-1).push({ resource, result });
    }
  }
  return tables;
}

// Argo CD's GitOps engine against a cluster: it applies what a repository has, heals what others change, and prunes what goes from Git.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
 * @param {{ cache: string, manifests: string, say?: (text: string) => void }} options `manifests`: a folder whose content the repository begins with
 */
export async function startGitops(cluster, { cache, manifests, say }) {
  const { program } = await componentProgram(cache, 'gitops-agent', { say });
  const [port] = await freePorts(1);
  const repository = join(cluster.state.folder, 'repository');
  const folder = join(repository, 'app');
  rmSync(repository, { recursive: true, force: true });
  mkdirSync(repository, { recursive: true });
  cpSync(manifests, folder, { recursive: true });
  const git = (...args) => execFileSync('git', ['-c', 'user.name=platform', '-c', 'user.email=platform@example.com', ...args], { cwd: repository, stdio: 'pipe' });
  git('init', '--quiet');
  const commit = () => (git('add', '--all'), git('commit', '--quiet', '--allow-empty', '--message', 'Change'));
  commit();
  const log = join(cluster.state.folder, 'gitops.log');
  const running = startProcess(cluster.state.folder, {
    name: 'gitops-agent',
    command: [program, repository, '--path', 'app', '--kubeconfig', adminKubeconfig(cluster.state), '--default-namespace', 'default', '--resync-seconds', '5', '--port', String(port)],
    log,
  }, { owned: true });
  try {
    await passesDone(log, 1, running);
  } catch (error) {
    await stopProcess(running);
    throw error;
  }
  return {
    folder,
    log,
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

/** The first pass lists every kind of the server with a throttled client, which takes a quarter of a minute on an idle machine. */
async function passesDone(log, count, running) {
  return waitFor(`pass ${count} of the GitOps engine`, () => {
    const tables = tablesOf(log);
    if (tables.length >= count) return { done: tables };
    if (!isAlive(running)) throw new Error(`It ended: ${lastLines(log, 5)}`);
    return lastLines(log, 3);
  }, { seconds: 300 });
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

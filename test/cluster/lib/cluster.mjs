// A cluster as a suite sees it: its own, started and ended with the suite, or one that somebody else keeps.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminClient, adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { ApiClient } from '../../../tools/cluster/api-client.mjs';
import { clientCertificate } from '../../../tools/cluster/certificates.mjs';
import { down, removeOrphans, up } from '../../../tools/cluster/cluster.mjs';
import { Failure } from '../../../tools/cluster/failure.mjs';
import { writeKubeconfig } from '../../../tools/cluster/kubeconfig.mjs';
import { cacheFolder } from '../../../tools/cluster/layout.mjs';
import { MINORS } from '../../../tools/cluster/versions.mjs';

const execute = promisify(execFile);

/**
 * @typedef {object} TestCluster
 * @property {string} label such as `1.36`, `1.34 (by 1.36)` or `1.36 all gates`, for tables
 * @property {string} minor minor whose API and gates it has
 * @property {boolean} own whether it was started for this run, so that faults and hand-made nodes are allowed
 * @property {ApiClient} api the administrator
 * @property {import('../../../tools/cluster/state.mjs').ClusterState} [state] absent if it is not ours
 * @property {string} [kubeconfig] of a cluster that is not ours
 * @property {(args: string[], options?: { input?: string, kubeconfig?: string }) => Promise<Answer>} kubectl
 *
 * @typedef {{ code: number, stdout: string, stderr: string }} Answer
 */

/**
 * Starts a cluster for a suite. It ends with this program, also if that is killed.
 *
 * @param {import('../../../tools/cluster/options.mjs').ClusterOptions & { labelled?: string }} options
 * @returns {Promise<TestCluster>}
 */
export async function startCluster({ labelled, ...options } = {}) {
  await removeOrphans(cacheFolder(options.cache));
  const state = await up({ name: `suite-${process.pid}`, owned: true, ...options });
  return {
    label: [state.emulate === undefined ? state.kubernetes : `${state.emulate} (by ${state.kubernetes})`, labelled].filter(Boolean).join(' '),
    minor: state.emulate ?? state.kubernetes,
    own: true,
    api: adminClient(state),
    state,
    kubectl: kubectlRunner(join(state.programs, 'kubectl'), adminKubeconfig(state)),
  };
}

/** Ends a cluster that startCluster started; leaves any other alone. */
export async function stopCluster(cluster, { keepLogs = false } = {}) {
  cluster.api.close();
  if (!cluster.own) return undefined;
  return down(cacheFolder(join(cluster.state.folder, '..', '..')), cluster.state.name, { keepLogs });
}

/** A cluster that somebody else keeps, reached through `kubectl proxy`, so that any way to log in works. */
export async function existingCluster(kubeconfig) {
  const { openProxy } = await import('./proxy.mjs');
  const { server, close } = await openProxy(kubeconfig);
  const api = new ApiClient({ server });
  const closeAgent = api.close.bind(api);
  api.close = () => (closeAgent(), close());
  let version;
  try {
    version = await versionOf(api, kubeconfig);
  } catch (error) {
    api.close();
    throw error;
  }
  return { label: `${version} (yours)`, minor: version, own: false, kubeconfig, api, kubectl: kubectlRunner('kubectl', kubeconfig) };
}

async function versionOf(api, kubeconfig) {
  const { status, body } = await api.request('GET', '/version');
  if (status !== 200) {
    throw new Failure(`The cluster of ${kubeconfig} does not answer: ${String(body?.message ?? body).trim()}. Check that "kubectl version" works with it.`);
  }
  const version = `${body.major}.${body.minor.replace(/\D.*/, '')}`;
  if (MINORS.includes(version)) return version;
  throw new Failure(`The cluster of ${kubeconfig} is Kubernetes ${version}; the suites know ${MINORS.join(', ')}. Take a cluster of one of these.`);
}

/** The kubeconfig and client of a user with a certificate of the cluster's CA. */
export async function certificateUser({ state }, { user, groups = [] }) {
  const pki = join(state.folder, 'pki');
  const name = `user-${user.replace(/[^a-z0-9-]/gi, '-')}`;
  await clientCertificate(pki, name, { user, groups });
  const access = { name: user, certificate: join(pki, `${name}.crt`), key: join(pki, `${name}.key`) };
  const kubeconfig = writeKubeconfig(join(state.folder, `${name}.kubeconfig`), {
    cluster: state.name,
    server: state.server,
    authority: join(pki, 'ca.crt'),
    user: access,
  });
  const text = file => readFileSync(file, 'utf8');
  return {
    kubeconfig,
    api: new ApiClient({ server: state.server, ca: text(join(pki, 'ca.crt')), cert: text(access.certificate), key: text(access.key) }),
  };
}

/**
 * The client of a service account.
 *
 * @param {TestCluster} cluster
 * @param {{ namespace: string, name: string, boundTo?: { kind: 'Pod' | 'Node' | 'Secret', name: string, uid?: string } }} account
 * a token bound to a Node, or to a pod that is on one, names that node to admission policies
 */
export async function serviceAccount({ api }, { namespace, name, boundTo }) {
  const spec = {
    audiences: [],
    expirationSeconds: 3600,
    ...(boundTo === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', ...boundTo } }),
  };
  const { status } = await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
  return { token: status.token, api: api.withToken(status.token) };
}

function kubectlRunner(program, adminFile) {
  return async (args, { input, kubeconfig = adminFile } = {}) => {
    const running = execute(program, args, { maxBuffer: 1 << 28, env: { PATH: process.env.PATH, HOME: cacheHome(), KUBECONFIG: kubeconfig } });
    running.child.stdin.on('error', () => {});
    running.child.stdin.end(input);
    try {
      return { code: 0, ...(await running) };
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, stdout: error.stdout, stderr: error.stderr };
    }
  };
}

let home;

/** kubectl caches what it discovers in its home; a folder of this run keeps clusters apart. */
function cacheHome() {
  if (home === undefined) {
    home = mkdtempSync(join(tmpdir(), 'cluster-suite-'));
    process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  }
  return home;
}

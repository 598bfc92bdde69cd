// Starts and stops whole clusters.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adminClient, adminKubeconfig } from './admin.mjs';
import { ApiClient } from './api-client.mjs';
import { makeCertificates } from './certificates.mjs';
import { AUDIT_POLICY, controlPlane, SERVER_NAMES, SERVICE_ADDRESS } from './control-plane.mjs';
import { controlPlaneProgram } from './control-plane-program.mjs';
import { Failure } from './failure.mjs';
import { writeKubeconfig } from './kubeconfig.mjs';
import { cacheFolder, clusterFolder, keptLogsFolder } from './layout.mjs';
import { checkOptions } from './options.mjs';
import { freePorts, requireFreePort } from './ports.mjs';
import { identify, isAlive } from './process-identity.mjs';
import { killMarked, startProcess, stopProcess } from './processes.mjs';
import { requireMachine } from './requirements.mjs';
import { clusterCondition, clusterNames, readState, writeState } from './state.mjs';
import { untilReady } from './steps.mjs';
import { releaseOf } from './versions.mjs';

/** Folders that `--keep-data` keeps. */
const DATA = ['etcd', 'pki'];

/**
 * Starts a cluster; on any failure nothing of it is left but its logs.
 *
 * @param {import('./options.mjs').ClusterOptions} given
 * @returns {Promise<import('./state.mjs').ClusterState>}
 */
export async function up(given = {}) {
  const options = checkOptions(given);
  const cache = cacheFolder(options.cache);
  const { name, say = () => {} } = options;
  await removeLeftBehind(cache, name, say);
  requireMachine(options);
  if (options.port !== undefined) await requireFreePort(options.port);
  const nodes = options.nodes > 0 ? await import('./node/nodes.mjs') : undefined;
  const programs = await controlPlaneProgram(cache, options.kubernetes, { say });
  const nodePrograms = await nodes?.nodePrograms(cache, say);

  const state = await claimFolder(cache, options, programs);
  const abort = new AbortController();
  const onSignal = () => abort.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    await nodes?.layNetwork(state, options.nodes, nodePrograms);
    await startControlPlane(state, abort.signal);
    for (const node of state.nodes) {
      abort.signal.throwIfAborted();
      say(`Starting ${node.name} …`);
      await nodes.startNode(state, node);
    }
    state.phase = 'running';
    writeState(state);
    return state;
  } catch (error) {
    const logs = await down(cache, name, { keepLogs: true });
    if (abort.signal.aborted) throw new Failure('Interrupted. Nothing is left running.');
    if (error instanceof Failure) throw new error.constructor(`Cluster "${name}" did not start: ${error.message}\nLogs: ${logs}`);
    throw error;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/**
 * Ends a cluster: processes, mounts, namespaces, cgroups and files; only what this tool made for that name.
 *
 * @returns {Promise<string | undefined>} folder of the kept logs
 */
export async function down(cache, name, { keepLogs = false } = {}) {
  const state = readState(cache, name);
  const folder = clusterFolder(cache, name);
  if (state === undefined && !existsSync(folder)) return undefined;
  if (state !== undefined) {
    if (state.nodes?.length > 0) await (await import('./node/nodes.mjs')).removeNodes(state);
    // An API server would wait for watches of nodes that are gone; etcd has all that it was told.
    for (const process of [...state.processes].reverse()) await stopProcess(process, { graceSeconds: process.name === 'etcd' ? 10 : 3 });
  }
  await killMarked(folder);
  const logs = keepLogs ? keep(cache, name, join(folder, 'logs')) : undefined;
  if (state?.keepData && state.phase === 'running') {
    for (const entry of readdirSync(folder)) if (!DATA.includes(entry)) rmSync(join(folder, entry), { recursive: true, force: true });
  } else {
    rmSync(folder, { recursive: true, force: true });
  }
  removeIfEmpty(join(cache, 'run'));
  return logs;
}

/** Removes clusters that ended with a program which was killed before it could tidy up: their namespaces, control groups and files. */
export async function removeOrphans(cache) {
  for (const name of clusterNames(cache)) {
    const state = readState(cache, name);
    if (state.owned && !isAlive(state.starter)) await down(cache, name);
  }
}

async function removeLeftBehind(cache, name, say = () => {}) {
  const state = readState(cache, name);
  if (state === undefined) return;
  const condition = clusterCondition(state);
  if (condition === 'running' || condition === 'starting' || condition === 'partly frozen') {
    throw new Failure(
      `Cluster "${name}" is ${condition} already, Kubernetes ${state.release}. ` +
        `End it with "npm run cluster -- down --name ${name}", or choose another --name.`,
    );
  }
  if (condition === 'partly dead') {
    throw new Failure(
      `Cluster "${name}" runs in part only; "npm run cluster -- status --name ${name}" says what died. ` +
        `End it first: npm run cluster -- down --name ${name}.`,
    );
  }
  say(`Removing what an earlier cluster "${name}" left behind (${condition}).`);
  await down(cache, name);
}

/** Makes the cluster's folder and writes the first state, so that a crash from here on can be cleaned up. */
async function claimFolder(cache, options, programs) {
  const folder = clusterFolder(cache, options.name);
  // Another up of that name may have come first while this one was building.
  await removeLeftBehind(cache, options.name, options.say);
  if (existsSync(folder) && !options.keepData) rmSync(folder, { recursive: true });
  const [api, etcd, peer, controllerManager, scheduler] = await freePorts(5);
  const ports = { api: options.port ?? api, etcd, peer, controllerManager, scheduler };
  const { name, kubernetes, emulate, featureGates, runtimeConfig } = options;
  const state = {
    name,
    folder,
    phase: 'starting',
    starter: identify(process.pid),
    owned: options.owned ?? false,
    kubernetes,
    release: releaseOf(kubernetes),
    emulate,
    featureGates,
    runtimeConfig,
    keepData: options.keepData ?? false,
    programs,
    address: '127.0.0.1',
    ports,
    processes: [],
    nodes: [],
  };
  try {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    writeState(state);
  } catch (error) {
    throw new Failure(`The folder ${folder} cannot be written (${error.code ?? error.message}). Name another cache folder: --cache DIR.`);
  }
  return state;
}

async function startControlPlane(state, signal) {
  const { folder, ports, address } = state;
  state.server = `https://${address}:${ports.api}`;
  // A certificate kept with the data must fit the address of this run.
  rmSync(join(folder, 'pki', 'kube-apiserver.crt'), { force: true });
  await makeCertificates(join(folder, 'pki'), { addresses: [...new Set([address, '127.0.0.1', SERVICE_ADDRESS])], names: SERVER_NAMES });
  const access = name => ({
    cluster: state.name,
    server: state.server,
    authority: join(folder, 'pki', 'ca.crt'),
    user: { name, certificate: join(folder, 'pki', `${name}.crt`), key: join(folder, 'pki', `${name}.key`) },
  });
  writeKubeconfig(adminKubeconfig(state), access('admin'));
  for (const name of ['kube-scheduler', 'kube-controller-manager']) writeKubeconfig(join(folder, `${name}.kubeconfig`), access(name));
  writeFileSync(join(folder, 'audit-policy.json'), JSON.stringify(AUDIT_POLICY));

  const client = adminClient(state);
  const start = component => {
    signal.throwIfAborted();
    const process = startProcess(folder, component, { owned: state.owned });
    state.processes.push(process);
    writeState(state);
    return process;
  };
  const [etcd, apiServer, ...others] = controlPlane(state);
  start(etcd);
  await untilReady(start(apiServer), async () => {
    signal.throwIfAborted();
    const { status, body } = await client.request('GET', '/readyz');
    return status === 200 ? { done: true } : body;
  });
  const started = others.map(start);
  for (const process of started) await untilReady(process, () => healthy(process, ports));
  await untilReady(started[0], async () => {
    await client.get('/api/v1/namespaces/default/serviceaccounts/default');
    return { done: true };
  });
  client.close();
}

/** Whether a controller manager or scheduler says of itself that it is ready. */
async function healthy({ name }, ports) {
  const [port, path] = name === 'kube-scheduler' ? [ports.scheduler, '/readyz'] : [ports.controllerManager, '/healthz'];
  const client = new ApiClient({ server: `https://127.0.0.1:${port}` });
  try {
    const { status, body } = await client.request('GET', path);
    return status === 200 ? { done: true } : body;
  } finally {
    client.close();
  }
}

function keep(cache, name, logs) {
  if (!existsSync(logs)) return undefined;
  const kept = keptLogsFolder(cache, name);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(dirname(kept), { recursive: true });
  try {
    renameSync(logs, kept);
  } catch {
    cpSync(logs, kept, { recursive: true });
  }
  return kept;
}

function removeIfEmpty(folder) {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

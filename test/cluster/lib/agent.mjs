// The node agent as users run it: its image, deployed by NodeAgent, on a real node.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { importImage, pathOnNode } from '../../../tools/cluster/node/nodes.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { loadEmitted } from './emitted.mjs';
import { untilServed } from './kinds.mjs';
import { objectPath } from './objects.mjs';
import { realNodes } from './real-node.mjs';
import { removeObjects } from './scratch.mjs';
import { NotTried } from './suite.mjs';

export const AGENT_DRIVER = 'sim.cdk8s-dra.dev';
export const AGENT_CLASS = 'agent-sim';
export const AGENT_NAMESPACE = 'node-agents';
export const FAMILY = 'sim';
const IMAGE = 'localhost/cdk8s-dra-node-agent:suite';
const DATA_FOLDER = `/var/lib/kubelet/plugins/${AGENT_DRIVER}`;

/** Four devices; containers see the name in PEER_DEVICES, as with the other drivers, and a node in /dev. */
const FLEET = {
  fleet: [0, 1, 2, 3].map(index => ({
    name: `sim-${index}`,
    capacity: { memory: { value: '80Gi' } },
    env: { PEER_DEVICES: `sim-${index}` },
    deviceNodes: [{ path: `/dev/sim${index}`, hostPath: '/dev/null' }],
    mounts: [{ hostPath: '/etc', containerPath: '/sim-etc', options: ['ro', 'rbind'] }],
  })),
  stateFolder: `${DATA_FOLDER}/simulated/state`,
  switchFolder: `${DATA_FOLDER}/simulated/switches`,
};

const worlds = new WeakMap();

/** The agent of a cluster, installed once. */
export async function agentWorld(cluster) {
  if (!worlds.has(cluster)) worlds.set(cluster, install(cluster));
  return worlds.get(cluster);
}

/** Removes what agentWorld installed. */
export async function removeAgent(cluster) {
  if (!worlds.has(cluster)) return;
  const { objects } = await worlds.get(cluster);
  await removeObjects(cluster, objects);
}

async function install(cluster) {
  const { agentOf, manifestsOf, REPORT_CRD } = loadEmitted();
  const [node] = realNodes(cluster);
  importImage(cluster.state, node, builtImage(cluster));
  const emit = what => {
    const manifests = manifestsOf(what, cluster.minor, {}, AGENT_NAMESPACE);
    if (!Array.isArray(manifests)) throw new Error(manifests);
    return manifests;
  };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: AGENT_NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: AGENT_CLASS },
      spec: { selectors: [{ cel: { expression: `device.driver == "${AGENT_DRIVER}"` } }] },
    },
    ...emit(REPORT_CRD),
  ];
  await apply(cluster, objects);
  await untilServed(cluster, emit(REPORT_CRD));
  const agent = emit(agentOf(AGENT_DRIVER, FAMILY, FLEET, { image: IMAGE, pool: 'suite', writesClaimStatus: true }));
  await apply(cluster, agent);
  await markNode(cluster, node, 'dra');
  const world = { node, objects: [...objects, ...agent] };
  await untilReady(cluster);
  return world;
}

async function apply(cluster, objects) {
  for (const object of objects) await cluster.api.apply(await objectPath(cluster.api, object), object);
}

/** Built from the working tree, once a run of suites. */
function builtImage({ state }) {
  const out = join(state.folder, 'agent-image');
  const file = join(out, 'node-agent.tar');
  if (existsSync(file)) return file;
  execFileSync(process.execPath, [join(ROOT, 'driver/build.mjs')], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    execFileSync(process.execPath, [join(ROOT, 'tools/image/main.mjs'), '--name', IMAGE, '--out', out], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new NotTried(`the image of the agent cannot be built here: ${String(error.stderr).trim().split('\n').at(-1)}`);
  }
  return file;
}

/** Sets owner, and `on` or `frozen`, on the node. */
export function markNode({ api }, node, owner, publish = 'on') {
  return api.request('PATCH', `/api/v1/nodes/${node.name}`, {
    metadata: {
      labels: { [`cdk8s-dra.dev/${FAMILY}-pool`]: 'suite', [`cdk8s-dra.dev/${FAMILY}-owner`]: owner },
      annotations: { [`cdk8s-dra.dev/${FAMILY}-publish`]: publish },
    },
  }, 'application/merge-patch+json');
}

/** Pods of the agent, the oldest first. */
export async function agentPods({ api }) {
  const { items } = await api.get(`/api/v1/namespaces/${AGENT_NAMESPACE}/pods`);
  return items.sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
}

/** Waits until the one agent is ready. */
export function untilReady(cluster, { seconds = 120 } = {}) {
  return waitFor(
    'the agent to be ready',
    async () => {
      const pods = await agentPods(cluster);
      const isReady = pod => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      if (pods.length === 1 && isReady(pods[0]) && pods[0].metadata.deletionTimestamp === undefined) return { done: pods[0] };
      return pods.map(({ metadata, status }) => [metadata.name, status.containerStatuses?.[0]?.state ?? status.phase]);
    },
    { seconds },
  );
}

export async function agentSlices({ api }) {
  return (await api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver=${AGENT_DRIVER}`)).items;
}

/** Waits until the slices hold so many devices; how long it took, in seconds. */
export async function untilOffered(cluster, count, { seconds = 60 } = {}) {
  const start = Date.now();
  await waitFor(
    `the agent to offer ${count} devices`,
    async () => {
      const devices = (await agentSlices(cluster)).flatMap(({ spec }) => spec.devices ?? []);
      return devices.length === count ? { done: true } : devices.map(({ name }) => name);
    },
    { seconds },
  );
  return (Date.now() - start) / 1000;
}

/** Records of claims, as the agent keeps them. */
export function claimRecords({ state }, node) {
  const folder = pathOnNode(state, node, `${DATA_FOLDER}/claims`);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter(name => name.endsWith('.json')).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** CDI files of the agent's claims. */
export function agentCdiFiles({ state }, node) {
  return readdirSync(pathOnNode(state, node, '/run/cdi')).filter(name => name.includes(AGENT_DRIVER));
}

/** Waits until nothing is prepared any more. */
export function untilReleased(cluster, node, { seconds = 90 } = {}) {
  return waitFor(
    'all claims to be unprepared',
    () => {
      const left = [...claimRecords(cluster, node).map(record => JSON.stringify(record).slice(0, 200)), ...agentCdiFiles(cluster, node)];
      return left.length === 0 ? { done: true } : left;
    },
    { seconds },
  );
}

/** Kills the processes of this cluster's agents as the kernel would for lack of memory, and says how many they were. */
export async function killAgent(cluster) {
  const isAgent = pid => /^\/usr\/local\/bin\/node\0(--[^\0]*\0)*\/opt\/cdk8s-dra\/node\.js\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  return (await agentPods(cluster)).flatMap(pod => killProcesses(pod, isAgent)).length;
}

/** Ends every process of a pod, as a loss of power does. */
export function killPod(pod) {
  killProcesses(pod, () => true);
}

/** Other clusters of this machine may have pods of the same name, but none of the same UID. */
function killProcesses({ metadata: { uid } }, isMeant) {
  const names = [uid, uid.replaceAll('-', '_')].map(name => `pod${name}`);
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
      if (!names.some(name => groups.includes(name)) || !isMeant(pid)) return false;
      process.kill(Number(pid), 'SIGKILL');
      return true;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Lets the agent believe a file of the node about which boot this is; answers how to write the next boot and how to end it. */
export async function pretendBoots(cluster, node) {
  const path = `/apis/apps/v1/namespaces/${AGENT_NAMESPACE}/daemonsets/${FAMILY}-agent`;
  const file = '/run/boot-id-of-suite';
  const write = id => writeFileSync(pathOnNode(cluster.state, node, file), `${id}\n`);
  write('first-boot');
  const replace = async change => {
    const { metadata: { uid } } = await untilReady(cluster);
    const daemonSet = await cluster.api.get(path);
    change(daemonSet.spec.template.spec);
    await cluster.api.request('PUT', path, daemonSet);
    await waitFor('another agent', async () => ((await agentPods(cluster)).some(pod => pod.metadata.uid === uid) ? 'the one before' : { done: true }), { seconds: 120 });
    await untilReady(cluster);
  };
  await replace(({ containers: [container], volumes }) => {
    volumes.push({ name: 'boot-id', hostPath: { path: file, type: 'File' } });
    container.volumeMounts.push({ name: 'boot-id', mountPath: '/host/proc/sys/kernel/random/boot_id', readOnly: true });
  });
  return {
    write,
    end: () => replace(spec => {
      spec.volumes = spec.volumes.filter(({ name }) => name !== 'boot-id');
      spec.containers[0].volumeMounts = spec.containers[0].volumeMounts.filter(({ name }) => name !== 'boot-id');
    }),
  };
}

/** What the node report says; undefined without one. */
export async function nodeReport({ api }, node) {
  const { status, body } = await api.request('GET', `/apis/cdk8s-dra.dev/v1alpha1/devicenodereports/${FAMILY}.${node.name}`);
  return status === 200 ? body : undefined;
}

export { DATA_FOLDER };

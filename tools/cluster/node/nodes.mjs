// Real nodes: containerd and kubelet, each node in its own mount, network and control group.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adminClient } from '../admin.mjs';
import { clientCertificate } from '../certificates.mjs';
import { SERVICE_ADDRESS } from '../control-plane.mjs';
import { writeKubeconfig } from '../kubeconfig.mjs';
import { identify } from '../process-identity.mjs';
import { killMarked, killProcess, startProcess, stopProcess } from '../processes.mjs';
import { nameOption, writeState } from '../state.mjs';
import { untilReady } from '../steps.mjs';
import { waitFor } from '../wait.mjs';
import { makeCgroup, processesIn, removeCgroup } from './cgroups.mjs';
import { fill, free, runInside, wipe } from './file-systems.mjs';
import { addAddress, addNodeNetwork, cutLink, healLink, planNetwork, removeAddress, removeNodeNetwork } from './network.mjs';
import { INSIDE, nodeFolder, writeNodeFiles } from './node-files.mjs';

export { nodePrograms } from './node-programs.mjs';

/** Makes the network of a cluster's nodes, before the API server listens in it. */
export async function layNetwork(state, count, programs) {
  const { address, nodes } = planNetwork(state.name, count);
  state.address = address;
  state.nodes = nodes.map(node => ({ ...node, programs, cgroup: `dra-${state.name}-${node.name}` }));
  // Known before it is made, so that a crash in between can be cleaned up.
  writeState(state);
  addAddress(address);
  for (const node of state.nodes) addNodeNetwork(node, { serviceAddress: SERVICE_ADDRESS, server: `${address}:${state.ports.api}` });
}

/** Starts a node; resolves when it is Ready and has renewed its lease. */
export async function startNode(state, node) {
  const folder = nodeFolder(state, node);
  const pki = join(state.folder, 'pki');
  const client = adminClient(state);
  mkdirSync(join(state.folder, 'logs', node.name), { recursive: true });
  writeNodeFiles(state, node);
  makeCgroup(node.cgroup);
  await clientCertificate(pki, node.name, { user: `system:node:${node.name}`, groups: ['system:nodes'] });
  const user = { name: `system:node:${node.name}`, certificate: join(pki, `${node.name}.crt`), key: join(pki, `${node.name}.key`) };
  const kubeconfig = writeKubeconfig(join(folder, 'kubeconfig'), { cluster: state.name, server: state.server, authority: join(pki, 'ca.crt'), user });
  await bindNodeRole(client);

  const namespace = start(state, node, 'namespace', [
    'nsenter',
    `--net=/run/netns/${node.namespace}`,
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    join(folder, 'setup.sh'),
  ]);
  await untilReady(namespace, () => (existsSync(join(folder, 'mounted')) ? { done: true } : 'not mounted'), { seconds: 30 });

  // Its own folder on the PATH, where it looks for its shim.
  const containerd = start(
    state,
    node,
    'containerd',
    enter(namespace, [join(node.programs, 'bin', 'containerd'), '--config', join(folder, 'containerd.toml')]),
    {
      PATH: `${join(node.programs, 'bin')}:${process.env.PATH}`,
    },
  );
  const ctr = containerdClient(node, namespace);
  await untilReady(containerd, () => (ctr('version') ? { done: true } : 'no answer'), { seconds: 60 });
  for (const image of ['pause', 'busybox']) ctr('images', 'import', '--local', join(node.programs, 'images', `${image}.tar`));

  const before = Date.now();
  const kubelet = start(
    state,
    node,
    'kubelet',
    enter(namespace, [
      join(state.programs, 'kubelet'),
      `--config=${join(folder, 'kubelet.json')}`,
      `--kubeconfig=${kubeconfig}`,
      `--root-dir=${INSIDE.kubelet}`,
      `--cert-dir=${join(folder, 'kubelet-pki')}`,
      `--hostname-override=${node.name}`,
      `--node-ip=${node.address}`,
      '--v=2',
    ]),
  );
  await untilReady(kubelet, () => nodeReady(client, node.name, before));
  client.close();
}

/** Ends all nodes and removes what they left outside the cluster's folder. */
export async function removeNodes(state) {
  const ofNodes = state.processes.filter(process => state.nodes.some(node => process.name.startsWith(`${node.name}/`)));
  // kubelet first: it would start again what ends.
  for (const process of ofNodes.filter(({ name }) => name.endsWith('/kubelet'))) await stopProcess(process);
  for (const node of state.nodes) await killContainers(node);
  for (const process of ofNodes.reverse()) await stopProcess(process, { graceSeconds: 3 });
  // Shims outlive containerd by design.
  const own = new Set(state.processes.filter(process => !ofNodes.includes(process)).map(({ pid }) => pid));
  await killMarked(state.folder, pid => !own.has(pid));
  for (const node of state.nodes) {
    await killContainers(node);
    await waitFor(`control group ${node.cgroup} to be empty`, () => (removeCgroup(node.cgroup) ? { done: true } : processesIn(node.cgroup)), {
      seconds: 20,
    });
    removeNodeNetwork(node);
    rmSync(nodeFolder(state, node), { recursive: true, force: true });
  }
  removeAddress(state.address);
}

/** Gives a node a further image, from a file that writeImage wrote. */
export function importImage(state, node, file) {
  containerdClient(node, namespaceOf(state, node))('images', 'import', '--local', file);
}

/**
 * Starts a further process on a node, such as a driver: it sees the node's folders and network, and ends with the node. Faults reach it
 * under its name, `node-1/NAME`.
 */
export function startOnNode(state, node, name, command) {
  return start(state, node, name, enter(namespaceOf(state, node), command));
}

/** Ends such a process for good. */
export async function stopOnNode(state, node, name) {
  const process = state.processes.find(entry => entry.name === `${node.name}/${name}`);
  if (process === undefined) return;
  await stopProcess(process);
  state.processes.splice(state.processes.indexOf(process), 1);
  writeState(state);
}

/** A path of a node as this machine sees it; symbolic links on the way, such as /var/run, are this machine's. */
export function pathOnNode(state, node, path) {
  return join('/proc', String(namespaceOf(state, node).pid), 'root', path);
}

/** Leaves no room on the file system where a directory of a node lies. */
export function fillDirectory(state, node, path) {
  const filled = fill(runInside(command => enter(namespaceOf(state, node), command)), path);
  return `${filled} of ${node.name} is full: nothing more can be written below it. Give it room again: npm run cluster -- fault free ${node.name} ${path}${nameOption(state)}`;
}

/** Gives room again. */
export function freeDirectory(state, node, path) {
  return `${free(runInside(command => enter(namespaceOf(state, node), command)), path)} of ${node.name} has room again.`;
}

/** Removes a file of a node, or all that a directory holds. */
export function wipeDirectory(state, node, path) {
  const left = wipe(runInside(command => enter(namespaceOf(state, node), command)), path);
  return `${path} of ${node.name} is wiped${left === 0 ? '' : `; ${left === 1 ? 'a mount' : `${left} mounts`} below it stay`}.`;
}

/** Takes a node's network away. */
export function cutNode(state, node) {
  cutLink(node);
  return `${node.name} is cut off; the control plane notices after about 20 s.`;
}

/** Gives a node its network back. */
export function healNode(state, node) {
  healLink(node);
  return `${node.name} is connected again.`;
}

function start(state, node, name, command, env) {
  const process = startProcess(
    state.folder,
    { name: `${node.name}/${name}`, command, log: join(state.folder, 'logs', node.name, `${name}.log`), env },
    { owned: state.owned },
  );
  state.processes.push(process);
  writeState(state);
  return process;
}

/** Runs `ctr` on a node. */
function containerdClient(node, namespace) {
  return (...args) => {
    const [program, ...rest] = enter(namespace, [
      join(node.programs, 'bin', 'ctr'),
      '--address',
      INSIDE.containerdSocket,
      '--namespace',
      'k8s.io',
      ...args,
    ]);
    return execFileSync(program, rest, { stdio: 'pipe', encoding: 'utf8', timeout: 60_000 });
  };
}

function namespaceOf(state, node) {
  return state.processes.find(({ name }) => name === `${node.name}/namespace`);
}

/** A command inside the node's mount and network namespaces. */
function enter({ pid }, command) {
  return ['nsenter', `--mount=/proc/${pid}/ns/mnt`, `--net=/proc/${pid}/ns/net`, ...command];
}

async function killContainers(node) {
  await Promise.all(processesIn(node.cgroup).map(pid => killProcess(identify(pid))));
}

/** Whether kubelet, and not the one before it, says that the node is ready. */
async function nodeReady(client, name, since) {
  const { status } = await client.get(`/api/v1/nodes/${name}`);
  const condition = status.conditions?.find(({ type }) => type === 'Ready');
  const { spec } = await client.get(`/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`);
  return condition?.status === 'True' && Date.parse(spec.renewTime) >= since ? { done: true } : (condition ?? 'no condition yet');
}

/**
 * RBAC for kubelets beside the Node authorizer. That one learns of a claim some milliseconds after the pod is bound; a kubelet that is quicker is
 * refused and waits 10 s. NodeRestriction stays in force.
 */
async function bindNodeRole(client) {
  const metadata = { name: 'dra-cluster-nodes' };
  await client.apply(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${metadata.name}`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
  });
}

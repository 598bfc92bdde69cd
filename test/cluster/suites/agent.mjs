// The node agent on a real kubelet and containerd, from its own image, deployed by its construct, with simulated devices.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fault } from '../../../tools/cluster/faults.mjs';
import { pathOnNode, wipeDirectory } from '../../../tools/cluster/node/nodes.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import {
  AGENT_CLASS, AGENT_DRIVER, AGENT_NAMESPACE, agentCdiFiles, agentPods, agentSlices, agentWorld, claimRecords, DATA_FOLDER, FAMILY, killAgent, markNode,
  killPod, nodeReport, pretendBoots, removeAgent, untilOffered, untilReady, untilReleased,
} from '../lib/agent.mjs';
import { startPeer } from '../lib/peer.mjs';
import { withPeerDriver } from '../lib/peer-driver.mjs';
import { withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';
import { claimsIn, claimTemplate, logOf, podsIn, templatesIn, untilEvent, untilRunning, workerPod } from '../lib/workers.mjs';

export const needs = { nodes: 1 };
export const cleanUp = removeAgent;

const contract = (id, text, run) => ({ id, text, where: 'lab', run: cluster => withAgent(cluster, world => run(cluster, world)) });

export const contracts = [
  contract('deploys', 'The agent starts unprivileged from its image, registers, offers its devices and is ready', deploys),
  contract('container', 'A container sees the environment, the device node and the mount of the device that the scheduler chose', container),
  contract('together', 'Pods that are made at once get different devices, and all are unprepared on deletion', together),
  contract('killed', 'An agent that is killed goes on with its records; the pod runs on and is unprepared', killed),
  contract('killed-while-preparing', 'A prepare that was killed half-way is undone or finished, and the pod runs', killedWhilePreparing),
  contract('killed-while-unpreparing', 'An unprepare that was killed half-way is finished', killedWhileUnpreparing),
  contract('reboot', 'After a reboot the devices of pods that come back are prepared anew, and what was half done is gone', reboot),
  contract('claim-status', 'The claim tells that its device is sick for as long as it is, written by the driver with the rights of its account', claimStatus),
  contract('slice-deleted', 'A slice that somebody deletes is back at once', sliceDeleted),
  contract('kubelet-restarts', 'After a restart of kubelet the devices are offered again, and the pod is unprepared', kubeletRestarts),
  contract('rolling-update', 'An update with two agents beside each other interrupts no pod that starts meanwhile', rollingUpdate),
  contract('force-deleted', 'A pod that was force-deleted while kubelet was down is unprepared, and its device is never given twice', forceDeleted),
  contract('disk-wiped', 'An agent whose records were wiped starts again, and the running pod can end', diskWiped),
  contract('other-owner', 'An agent whose node belongs to the device plugin offers nothing and refuses what arrives late', otherOwner),
  contract('frozen', 'A frozen agent gives nothing to new pods and leaves running ones alone', frozen),
  contract('sick-device', 'A sick device gets no new pod', sickDevice),
  contract('witness', 'The report tells what a foreign driver, a device plugin and the agent itself hold', witness),
];

async function withAgent(cluster, run) {
  const world = await agentWorld(cluster);
  return withNamespace(cluster, 'agent', async namespace => {
    await cluster.api.create(templatesIn(namespace), claimTemplate('sim', AGENT_CLASS));
    try {
      return await run({ ...world, namespace });
    } finally {
      await cluster.api.request('DELETE', podsIn(namespace));
      await untilReleased(cluster, world.node);
    }
  });
}

const worker = (name, more = {}) => workerPod(name, { claims: { sim: { template: 'sim' } }, ...more });

async function runWorker(cluster, namespace, name = 'worker', seconds = 60) {
  await cluster.api.create(podsIn(namespace), worker(name));
  return untilRunning(cluster, namespace, name, { seconds });
}

async function deviceOf(cluster, namespace, pod) {
  const claim = await cluster.api.get(`${claimsIn(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`);
  return claim.status.allocation.devices.results[0].device;
}

async function deploys(cluster, { node }) {
  const pod = await untilReady(cluster);
  await untilOffered(cluster, 4);
  const [slice] = await agentSlices(cluster);
  expect(slice.metadata.ownerReferences[0].kind === 'Node' && slice.spec.nodeName === node.name, `The slice is of ${JSON.stringify(slice.spec.pool)}.`);
  const { securityContext } = pod.spec.containers[0];
  expect(securityContext.privileged !== true && securityContext.capabilities.add === undefined, `The container is ${JSON.stringify(securityContext)}.`);
  return `${slice.metadata.name}, generation ${slice.spec.pool.generation}`;
}

async function container(cluster, { namespace }) {
  const script = 'test -c "/dev/$(echo $PEER_DEVICES | tr -d -)" && test -e /sim-etc && echo "$PEER_DEVICES"; trap "exit 0" TERM; while true; do sleep 0.1; done';
  const start = Date.now();
  await cluster.api.create(podsIn(namespace), worker('worker', { script }));
  const pod = await untilRunning(cluster, namespace, 'worker');
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const chosen = await deviceOf(cluster, namespace, pod);
  const seen = await logOf(cluster, namespace, 'worker');
  expect(seen === chosen, `Allocated ${chosen}, the container sees "${seen}".`);
  return `${seen}, running after ${seconds} s`;
}

async function together(cluster, { namespace, node }) {
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map(name => cluster.api.create(podsIn(namespace), worker(name))));
  const seen = [];
  for (const name of names) {
    await untilRunning(cluster, namespace, name);
    seen.push(await logOf(cluster, namespace, name));
  }
  expect(new Set(seen).size === 4, `The containers see ${seen.join(', ')}.`);
  expect(claimRecords(cluster, node).length === 4, 'Not every claim is on record.');
  await cluster.api.request('DELETE', podsIn(namespace));
  await untilReleased(cluster, node);
  return seen.sort().join(', ');
}

async function killed(cluster, { namespace, node }) {
  await runWorker(cluster, namespace);
  const before = (await untilReady(cluster)).status.containerStatuses[0].restartCount;
  expect((await killAgent(cluster)) === 1, 'There is not exactly one agent to kill.');
  await waitFor('the agent to be started again', async () => {
    const [pod] = await agentPods(cluster);
    return pod.status.containerStatuses?.[0]?.restartCount > before ? { done: true } : pod.status.containerStatuses;
  }, { seconds: 60 });
  await untilReady(cluster);
  expect((await cluster.api.get(`${podsIn(namespace)}/worker`)).status.phase === 'Running', 'The pod does not run any more.');
  await cluster.api.delete(`${podsIn(namespace)}/worker`);
  await untilReleased(cluster, node);
}

async function killedWhilePreparing(cluster, { namespace, node }) {
  await untilReady(cluster);
  const switches = switchesOn(cluster, node, 'all.slow-prepare', '4000');
  try {
    await cluster.api.create(podsIn(namespace), worker('worker'));
    await waitFor('a claim that is being prepared', () => (claimRecords(cluster, node).length > 0 ? { done: true } : 'no record'), { seconds: 60 });
    expect((await killAgent(cluster)) === 1, 'There is not exactly one agent to kill.');
  } finally {
    switches.off();
  }
  await untilRunning(cluster, namespace, 'worker', { seconds: 120 });
  const records = claimRecords(cluster, node);
  expect(records.length === 1, `${records.length} claims are on record.`);
  return logOf(cluster, namespace, 'worker');
}

async function killedWhileUnpreparing(cluster, { namespace, node }) {
  await untilReady(cluster);
  await runWorker(cluster, namespace);
  const switches = switchesOn(cluster, node, 'all.slow-unprepare', '4000');
  try {
    await cluster.api.delete(`${podsIn(namespace)}/worker`);
    await waitFor('a claim that is being given back', () => (releasingRecords(cluster, node).length > 0 ? { done: true } : 'none'), { seconds: 60 });
    expect((await killAgent(cluster)) === 1, 'There is not exactly one agent to kill.');
  } finally {
    switches.off();
  }
  await untilReleased(cluster, node, { seconds: 120 });
  await untilReady(cluster);
}

async function reboot(cluster, { namespace, node }) {
  const boots = await pretendBoots(cluster, node);
  try {
    const pod = worker('worker');
    await cluster.api.create(podsIn(namespace), { ...pod, spec: { ...pod.spec, restartPolicy: 'Always' } });
    const before = await untilRunning(cluster, namespace, 'worker', { seconds: 120 });
    const [agent] = await agentPods(cluster);
    await fault(cluster.state, 'kill', `${node.name}/kubelet`);
    for (const each of [before, agent]) killPod(each);
    boots.write('second-boot');
    await fault(cluster.state, 'restart', `${node.name}/kubelet`);
    const record = await waitFor('the claim to be prepared in the second boot', () => {
      const [one] = claimRecords(cluster, node).map(each => JSON.stringify(each));
      return one?.includes('second-boot') && one.includes('"prepared"') ? { done: one } : one ?? 'no record';
    }, { seconds: 240 });
    await waitFor('the container to run again', async () => {
      const { status } = await cluster.api.get(`${podsIn(namespace)}/worker`);
      const [container] = status.containerStatuses;
      return container.restartCount > 0 && container.state.running !== undefined ? { done: true } : container.state;
    }, { seconds: 240 });
    const seen = await logOf(cluster, namespace, 'worker');
    expect(seen === (await deviceOf(cluster, namespace, before)) && record.includes(seen), `The container sees "${seen}".`);
    await cluster.api.delete(`${podsIn(namespace)}/worker`);
    await untilReleased(cluster, node);
    return seen;
  } finally {
    await boots.end();
  }
}

async function claimStatus(cluster, { namespace, node }) {
  await untilOffered(cluster, 4);
  const pod = await runWorker(cluster, namespace);
  const device = await deviceOf(cluster, namespace, pod);
  const path = `${claimsIn(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`;
  const conditions = async () => {
    const { metadata, status } = await cluster.api.get(path);
    const entry = status.devices?.find(each => each.driver === AGENT_DRIVER && each.device === device);
    return { found: entry?.conditions ?? [], managers: metadata.managedFields.map(({ manager }) => manager) };
  };
  const switches = switchesOn(cluster, node, `${device}.unhealthy`, 'the fan is broken');
  let message;
  try {
    message = await waitFor('the claim to tell that its device is sick', async () => {
      const { found, managers } = await conditions();
      const sick = found.find(({ type, status }) => type === 'Healthy' && status === 'False');
      return sick !== undefined && managers.includes(AGENT_DRIVER) ? { done: sick.message } : { found, managers };
    }, { seconds: 90 });
  } finally {
    switches.off();
  }
  await waitFor('the claim to tell it no more', async () => {
    const { found } = await conditions();
    return found.length === 0 ? { done: true } : found;
  }, { seconds: 180 });
  return message;
}

async function sliceDeleted(cluster) {
  await untilOffered(cluster, 4);
  const [{ metadata }] = await agentSlices(cluster);
  const start = Date.now();
  await cluster.api.delete(`/apis/resource.k8s.io/v1/resourceslices/${metadata.name}`);
  await waitFor('another slice of that name', async () => {
    const [slice] = await agentSlices(cluster);
    return slice !== undefined && slice.metadata.uid !== metadata.uid ? { done: true } : 'none';
  });
  return `after ${((Date.now() - start) / 1000).toFixed(2)} s`;
}

async function kubeletRestarts(cluster, { namespace, node }) {
  await runWorker(cluster, namespace);
  const [{ metadata }] = await agentSlices(cluster);
  await fault(cluster.state, 'restart', `${node.name}/kubelet`);
  await waitFor('kubelet to wipe the slices and the agent to offer its devices again', async () => {
    const [slice] = await agentSlices(cluster);
    return slice !== undefined && slice.metadata.uid !== metadata.uid ? { done: true } : 'none';
  }, { seconds: 60 });
  await untilReady(cluster);
  await cluster.api.delete(`${podsIn(namespace)}/worker`);
  await untilReleased(cluster, node);
}

async function rollingUpdate(cluster, { namespace, node }) {
  const [before] = await agentPods(cluster);
  const path = `/apis/apps/v1/namespaces/${AGENT_NAMESPACE}/daemonsets/${FAMILY}-agent`;
  await cluster.api.request('PATCH', path, { spec: { template: { metadata: { annotations: { updated: String(Date.now()) } } } } }, 'application/merge-patch+json');
  const seen = [];
  // Pods come and go for as long as two agents are there.
  for (let round = 0; round < 3; round++) {
    const name = `during-${round}`;
    await runWorker(cluster, namespace, name, 120);
    seen.push(await logOf(cluster, namespace, name));
    await cluster.api.delete(`${podsIn(namespace)}/${name}`);
  }
  const after = await untilReady(cluster);
  expect(after.metadata.name !== before.metadata.name, 'No other agent came.');
  await untilReleased(cluster, node);
  expect((await agentSlices(cluster)).flatMap(({ spec }) => spec.devices).length === 4, 'The devices are not offered any more.');
  return `${seen.length} pods ran meanwhile`;
}

async function forceDeleted(cluster, { namespace, node }) {
  const pod = await runWorker(cluster, namespace);
  const device = await deviceOf(cluster, namespace, pod);
  await fault(cluster.state, 'kill', `${node.name}/kubelet`);
  let second;
  try {
    await cluster.api.request('DELETE', `${podsIn(namespace)}/worker`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    await waitFor('the claim to be gone from the API', async () => ((await cluster.api.get(claimsIn(namespace))).items.length === 0 ? { done: true } : 'there'), { seconds: 60 });
    // The scheduler takes the free device, which the first container still has.
    await cluster.api.create(podsIn(namespace), worker('second'));
  } finally {
    await fault(cluster.state, 'restart', `${node.name}/kubelet`);
  }
  second = await untilRunning(cluster, namespace, 'second', { seconds: 240 });
  const again = await deviceOf(cluster, namespace, second);
  const records = claimRecords(cluster, node);
  expect(records.length <= 2, `${records.length} claims are on record.`);
  return `first ${device}, then ${again}`;
}

async function diskWiped(cluster, { namespace, node }) {
  await runWorker(cluster, namespace);
  wipeDirectory(cluster.state, node, DATA_FOLDER);
  await killAgent(cluster);
  await untilReady(cluster);
  await cluster.api.delete(`${podsIn(namespace)}/worker`);
  await waitFor('the pod to end', async () => {
    const { items } = await cluster.api.get(podsIn(namespace));
    return items.length === 0 ? { done: true } : items[0].status.phase;
  }, { seconds: 90 });
  await runWorker(cluster, namespace, 'next');
  return `CDI files now: ${agentCdiFiles(cluster, node).length}`;
}

async function otherOwner(cluster, { namespace, node }) {
  await untilOffered(cluster, 4);
  try {
    await markNode(cluster, node, 'device-plugin');
    await untilOffered(cluster, 0);
    await waitFor('the report to name the owner', async () => {
      const report = await nodeReport(cluster, node);
      return report?.status?.owner === 'device-plugin' ? { done: true } : report?.status?.owner;
    });
  } finally {
    await markNode(cluster, node, 'dra');
  }
  await untilOffered(cluster, 4);
  return logOf(cluster, namespace, (await runWorker(cluster, namespace)).metadata.name);
}

async function frozen(cluster, { namespace, node }) {
  await untilOffered(cluster, 4);
  await runWorker(cluster, namespace, 'running');
  try {
    await markNode(cluster, node, 'dra', 'frozen');
    await waitFor('the devices to be frozen', async () => {
      const devices = (await agentSlices(cluster)).flatMap(({ spec }) => spec.devices ?? []);
      return devices.every(({ taints = [] }) => taints.some(({ key }) => key === 'cdk8s-dra.dev/frozen')) ? { done: true } : devices;
    });
    await cluster.api.create(podsIn(namespace), worker('waiting'));
    const message = await untilEvent(cluster, namespace, 'FailedScheduling', 'cannot allocate all claims');
    expect((await cluster.api.get(`${podsIn(namespace)}/running`)).status.phase === 'Running', 'The running pod does not run any more.');
    return message;
  } finally {
    await markNode(cluster, node, 'dra');
    await untilRunning(cluster, namespace, 'waiting', { seconds: 120 });
  }
}

async function sickDevice(cluster, { namespace, node }) {
  await untilOffered(cluster, 4);
  const switches = switchesOn(cluster, node, 'sim-0.unhealthy', 'the fan is broken');
  try {
    await waitFor('the sick device to be tainted or withdrawn', async () => {
      const devices = (await agentSlices(cluster)).flatMap(({ spec }) => spec.devices ?? []);
      const first = devices.find(({ name }) => name === 'sim-0');
      return first === undefined || first.taints?.some(({ key }) => key === 'cdk8s-dra.dev/isolated') ? { done: true } : first;
    }, { seconds: 90 });
    const pod = await runWorker(cluster, namespace);
    const device = await deviceOf(cluster, namespace, pod);
    expect(device !== 'sim-0', 'The sick device was given out.');
    return device;
  } finally {
    switches.off();
  }
}

const PLUGIN_RESOURCE = 'agent.peer.example.com/gpu';

async function witness(cluster, { namespace, node }) {
  const plugin = startPeer(cluster, { kind: 'peer-device-plugin', name: PLUGIN_RESOURCE, node, devices: 2 });
  try {
    return await withPeerDriver(cluster, async foreign => {
      await runWorker(cluster, namespace);
      await cluster.api.create(podsIn(foreign.namespace), workerPod('foreign', { claims: { gpu: { template: 'gpu' } } }));
      await untilRunning(cluster, foreign.namespace, 'foreign');
      await waitFor('kubelet to offer the devices of the plugin', async () => {
        const { status } = await cluster.api.get(`/api/v1/nodes/${node.name}`);
        return status.allocatable[PLUGIN_RESOURCE] === '2' ? { done: true } : status.allocatable;
      }, { seconds: 60 });
      await cluster.api.create(podsIn(namespace), workerPod('plugged', { limits: { [PLUGIN_RESOURCE]: '1' } }));
      await untilRunning(cluster, namespace, 'plugged');
      return waitFor('the report to name all three', async () => {
        const { status } = (await nodeReport(cluster, node)) ?? {};
        const drivers = new Set(status?.held?.map(({ driver }) => driver));
        const isWhole = drivers.has(AGENT_DRIVER) && drivers.has('gpu.peer.example.com') && status.pluginHeld.some(({ resource }) => resource === PLUGIN_RESOURCE);
        return isWhole ? { done: `${status.held.length} by claims, ${status.pluginHeldTotal} by plugins` } : status;
      }, { seconds: 90 });
    });
  } finally {
    await cluster.api.request('DELETE', podsIn(namespace));
    await plugin.stop();
  }
}

/** Names of the records of claims that are on their way out. */
function releasingRecords({ state }, node) {
  const folder = pathOnNode(state, node, `${DATA_FOLDER}/claims`);
  return readdirSync(folder).filter(name => name.endsWith('.releasing.json'));
}

/** A fault of the pretended hardware, until it is switched off. */
function switchesOn({ state }, node, name, content) {
  const folder = pathOnNode(state, node, `${DATA_FOLDER}/simulated/switches`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}`, content);
  return { off: () => rmSync(`${folder}/${name}`, { force: true }) };
}

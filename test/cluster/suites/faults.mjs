// What a driver, a device plugin and a node do when something breaks: the faults that later work is tried with, and what they look like.
import { rmSync, writeFileSync } from 'node:fs';
import { fault } from '../../../tools/cluster/faults.mjs';
import { pathOnNode } from '../../../tools/cluster/node/nodes.mjs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { startPeer } from '../lib/peer.mjs';
import { preparedFiles, untilUnprepared, withPeerDriver } from '../lib/peer-driver.mjs';
import { realNodes } from '../lib/real-node.mjs';
import { withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';
import { logOf, podsIn, untilEvent, untilRunning, workerPod } from '../lib/workers.mjs';

export const needs = { nodes: 1 };

const PLUGIN_RESOURCE = 'plugin.peer.example.com/gpu';

export const contracts = [
  {
    id: 'driver-hangs',
    text: 'A driver that hangs holds up pods with its devices and no others; they go on when it answers',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => driverHangs(cluster, world)),
  },
  {
    id: 'driver-crashes',
    text: 'A driver that dies takes no running pod along; a pod that ends then stays, without an event, until the driver is back to unprepare',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => driverCrashes(cluster, world)),
  },
  {
    id: 'driver-device-sick',
    text: 'A device that its driver calls sick shows in the status of the pod that has it',
    where: 'lab',
    since: '1.36',
    run: cluster => withPeerDriver(cluster, world => deviceSick(cluster, world)),
  },
  {
    id: 'plugin-runs',
    text: 'A pod with a device of a device plugin runs, and its container sees the device',
    where: 'lab',
    run: cluster => withPlugin(cluster, world => pluginRuns(cluster, world)),
  },
  {
    id: 'plugin-device-sick',
    text: 'A sick device of a plugin leaves what can be allocated, not the capacity, and comes back',
    where: 'lab',
    run: cluster => withPlugin(cluster, world => pluginDeviceSick(cluster, world)),
  },
  {
    id: 'plugin-fails',
    text: 'A pod whose device plugin fails ends at once, with the words of the plugin',
    where: 'lab',
    run: cluster => withPlugin(cluster, world => pluginFails(cluster, world)),
  },
  {
    id: 'plugin-hangs',
    text: 'A device plugin that hangs holds up every new pod of its node; they go on when it answers',
    where: 'lab',
    run: cluster => withPlugin(cluster, world => pluginHangs(cluster, world)),
  },
  {
    id: 'plugin-crashes',
    text: 'Without its plugin no device can be allocated; pods that run go on, and the devices come back with it',
    where: 'lab',
    run: cluster => withPlugin(cluster, world => pluginCrashes(cluster, world)),
  },
  {
    id: 'kubelet-restarts',
    text: 'A kubelet that starts again leaves pods with devices alone, and driver and plugin register again',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => withPlugin(cluster, plugin => kubeletRestarts(cluster, world, plugin))),
  },
  {
    id: 'directory-full',
    text: 'On a full file system a claim cannot be prepared, the event says why, and the pod runs once there is room',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => directoryFull(cluster, world)),
  },
  {
    id: 'kubelet-state-wiped',
    text: 'A kubelet that lost its record of claims neither prepares those of running pods again nor unprepares them: that is left to the driver',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => stateWiped(cluster, world)),
  },
  {
    id: 'node-cut',
    text: 'A node that is cut off becomes NotReady, its pods go on, and it is Ready again once it is back',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => nodeCut(cluster, world)),
  },
];

const WITH_CLAIM = { claims: { gpu: { template: 'gpu' } } };
const WITH_PLUGIN = { limits: { [PLUGIN_RESOURCE]: '1' } };

async function driverHangs(cluster, { namespace, peer }) {
  peer.switchOn('hang');
  try {
    await create(cluster, namespace, 'waits', WITH_CLAIM);
    await untilBound(cluster, namespace, 'waits');
    await create(cluster, namespace, 'other', {});
    await untilRunning(cluster, namespace, 'other');
    const { status } = await cluster.api.get(`${podsIn(namespace)}/waits`);
    expect(status.phase === 'Pending', `The pod with the claim is ${status.phase}.`);
  } finally {
    peer.switchOff('hang');
  }
  await untilRunning(cluster, namespace, 'waits');
}

async function driverCrashes(cluster, { namespace, peer, node }) {
  await running(cluster, namespace, 'worker', WITH_CLAIM);
  const path = `${podsIn(namespace)}/worker`;
  // The start may have had to wait for the driver's registration, and said so.
  const before = await wordsOfPreparing(cluster, namespace);
  await peer.crash();
  const { status } = await cluster.api.get(path);
  expect(status.phase === 'Running', `The pod is ${status.phase}.`);
  await cluster.api.delete(path);
  await waitFor("the pod's container to end", async () => {
    const pod = await cluster.api.get(path);
    return pod.status.containerStatuses[0].state.terminated === undefined ? pod.status : { done: true };
  });
  // Far longer than it takes with a driver.
  await sleep(6000);
  expect(preparedFiles(cluster, node).length === 1, 'The claim was unprepared without the driver.');
  expect((await cluster.api.get(path)).metadata.deletionTimestamp !== undefined, 'The pod is not being deleted.');
  const told = (await wordsOfPreparing(cluster, namespace)).filter(words => !before.includes(words));
  expect(told.length === 0, `An event says why: ${told.join('; ')}`);
  await peer.restart();
  await untilUnprepared(cluster, node);
  await untilGone(cluster, path);
}

/** Events about preparing and its undoing; one that was repeated counts as another. */
async function wordsOfPreparing(cluster, namespace) {
  const { items } = await cluster.api.get(`/api/v1/namespaces/${namespace}/events`);
  return items.filter(({ reason, message }) => /prepare/i.test(`${reason} ${message}`)).map(({ message, count }) => `${message} (${count ?? 1}×)`);
}

async function deviceSick(cluster, { namespace, peer }) {
  await running(cluster, namespace, 'worker', WITH_CLAIM);
  const device = await logOf(cluster, namespace, 'worker');
  await untilHealth(cluster, namespace, 'worker', 'Healthy');
  peer.switchOn('unhealthy', device);
  const told = await untilHealth(cluster, namespace, 'worker', 'Unhealthy');
  peer.switchOff('unhealthy');
  await untilHealth(cluster, namespace, 'worker', 'Healthy');
  return `${told.name} ${told.resources[0].resourceID}`;
}

async function pluginRuns(cluster, { namespace }) {
  await running(cluster, namespace, 'worker', WITH_PLUGIN);
  const seen = await logOf(cluster, namespace, 'worker');
  expect(/^gpu-[01]$/.test(seen), `The container sees "${seen}".`);
  return seen;
}

async function pluginDeviceSick(cluster, { namespace, peer, node }) {
  peer.switchOn('unhealthy', 'gpu-0');
  try {
    await untilAllocatable(cluster, node, '1');
    const { status } = await cluster.api.get(`/api/v1/nodes/${node.name}`);
    expect(status.capacity[PLUGIN_RESOURCE] === '2', `The capacity is ${status.capacity[PLUGIN_RESOURCE]}.`);
    await running(cluster, namespace, 'worker', WITH_PLUGIN);
    const seen = await logOf(cluster, namespace, 'worker');
    expect(seen === 'gpu-1', `The container sees "${seen}".`);
  } finally {
    peer.switchOff('unhealthy');
  }
  await untilAllocatable(cluster, node, '2');
}

async function pluginFails(cluster, { namespace, peer }) {
  peer.switchOn('fail', 'the fan is broken');
  try {
    await create(cluster, namespace, 'worker', WITH_PLUGIN);
    return await waitFor('the pod to fail', async () => {
      const { status } = await cluster.api.get(`${podsIn(namespace)}/worker`);
      if (status.phase !== 'Failed') return status;
      expect(status.reason === 'UnexpectedAdmissionError' && status.message.includes('the fan is broken'), `${status.reason}: ${status.message}`);
      return { done: status.message };
    });
  } finally {
    peer.switchOff('fail');
  }
}

async function pluginHangs(cluster, { namespace, peer }) {
  peer.switchOn('hang');
  try {
    await create(cluster, namespace, 'waits', WITH_PLUGIN);
    await untilBound(cluster, namespace, 'waits');
    await create(cluster, namespace, 'other', {});
    await untilBound(cluster, namespace, 'other');
    // Far longer than a pod takes to start here.
    await sleep(8000);
    for (const name of ['waits', 'other']) {
      const { status } = await cluster.api.get(`${podsIn(namespace)}/${name}`);
      expect(status.phase === 'Pending', `Pod ${name} is ${status.phase}.`);
    }
  } finally {
    peer.switchOff('hang');
  }
  for (const name of ['waits', 'other']) await untilRunning(cluster, namespace, name);
}

async function pluginCrashes(cluster, { namespace, peer, node }) {
  await running(cluster, namespace, 'worker', WITH_PLUGIN);
  await peer.crash();
  await untilAllocatable(cluster, node, '0');
  const { status } = await cluster.api.get(`${podsIn(namespace)}/worker`);
  expect(status.phase === 'Running', `The pod is ${status.phase}.`);
  await peer.restart();
  await untilAllocatable(cluster, node, '2');
}

async function kubeletRestarts(cluster, { namespace, node }, plugin) {
  await running(cluster, namespace, 'with-claim', WITH_CLAIM);
  await running(cluster, plugin.namespace, 'with-plugin', WITH_PLUGIN);
  const before = await started(cluster, namespace, 'with-claim', plugin.namespace);
  await fault(cluster.state, 'restart', `${node.name}/kubelet`);
  await create(cluster, namespace, 'second', WITH_CLAIM);
  await untilAllocatable(cluster, node, '2');
  await running(cluster, plugin.namespace, 'second', WITH_PLUGIN);
  await untilRunning(cluster, namespace, 'second', { seconds: 90 });
  const after = await started(cluster, namespace, 'with-claim', plugin.namespace);
  expect(before === after, `Containers before and after:\n${before}\n${after}`);
}

async function directoryFull(cluster, { namespace, node }) {
  await fault(cluster.state, 'fill', node.name, '/var/run/cdi');
  let message;
  try {
    expect(refusesBytes(pathOnNode(cluster.state, node, '/run/probe')), 'A file could be written.');
    await create(cluster, namespace, 'worker', WITH_CLAIM);
    message = await untilEvent(cluster, namespace, 'FailedPrepareDynamicResources', 'no space left on device');
  } finally {
    await fault(cluster.state, 'free', node.name, '/var/run/cdi');
  }
  await untilRunning(cluster, namespace, 'worker');
  return message;
}

async function stateWiped(cluster, { namespace, node }) {
  await running(cluster, namespace, 'worker', WITH_CLAIM);
  const path = `${podsIn(namespace)}/worker`;
  const { status: before } = await cluster.api.get(path);
  await fault(cluster.state, 'kill', `${node.name}/kubelet`);
  await fault(cluster.state, 'wipe', node.name, '/var/lib/kubelet/dra_manager_state');
  await fault(cluster.state, 'restart', `${node.name}/kubelet`);
  await running(cluster, namespace, 'after', {});
  const { status: after } = await cluster.api.get(path);
  expect(after.containerStatuses[0].containerID === before.containerStatuses[0].containerID, 'The container was started again.');
  await cluster.api.delete(path);
  await untilGone(cluster, path);
  await sleep(3000);
  const left = preparedFiles(cluster, node);
  // The contract after this finds no claim of it.
  await fault(cluster.state, 'wipe', node.name, '/var/run/cdi');
  expect(left.length === 1, `CDI files after the pod has gone: ${left.join(', ') || 'none'}.`);
}

async function nodeCut(cluster, { namespace, node }) {
  await running(cluster, namespace, 'worker', WITH_CLAIM);
  const start = Date.now();
  await fault(cluster.state, 'cut', node.name);
  let seconds;
  try {
    await untilReady(cluster, node, 'Unknown');
    seconds = ((Date.now() - start) / 1000).toFixed(0);
  } finally {
    await fault(cluster.state, 'heal', node.name);
  }
  await untilReady(cluster, node, 'True');
  const { status } = await cluster.api.get(`${podsIn(namespace)}/worker`);
  expect(status.phase === 'Running' && status.containerStatuses[0].restartCount === 0, JSON.stringify(status));
  return `NotReady after ${seconds} s`;
}

/** Starts the device plugin and waits until the node has its devices. */
async function withPlugin(cluster, run) {
  const [node] = realNodes(cluster);
  const peer = startPeer(cluster, { kind: 'peer-device-plugin', name: PLUGIN_RESOURCE, node, devices: 2 });
  try {
    await untilAllocatable(cluster, node, '2');
    return await withNamespace(cluster, 'plugin', namespace => run({ namespace, peer, node }));
  } finally {
    await peer.stop();
    await untilAllocatable(cluster, node, '0');
  }
}

function untilAllocatable(cluster, node, amount) {
  return waitFor(
    `the node to offer ${amount} devices of the plugin`,
    async () => {
      const { status } = await cluster.api.get(`/api/v1/nodes/${node.name}`);
      return status.allocatable[PLUGIN_RESOURCE] === amount ? { done: true } : status.allocatable;
    },
    { seconds: 60 },
  );
}

function untilReady(cluster, node, wanted) {
  return waitFor(
    `the condition Ready of ${node.name} to be ${wanted}`,
    async () => {
      const { status } = await cluster.api.get(`/api/v1/nodes/${node.name}`);
      const ready = status.conditions.find(({ type }) => type === 'Ready');
      return ready.status === wanted ? { done: true } : ready;
    },
    { seconds: 90, every: 250 },
  );
}

function untilHealth(cluster, namespace, name, health) {
  return waitFor(
    `the pod's status to call its device ${health}`,
    async () => {
      const { status } = await cluster.api.get(`${podsIn(namespace)}/${name}`);
      const told = status.containerStatuses?.[0]?.allocatedResourcesStatus ?? [];
      const found = told.find(({ resources }) => resources?.some(resource => resource.health === health));
      return found === undefined ? told : { done: found };
    },
    { seconds: 60 },
  );
}

function untilGone(cluster, path) {
  return waitFor(
    `${path} to be gone`,
    async () => {
      const { status, body } = await cluster.api.request('GET', path);
      return status === 404 ? { done: true } : body.status;
    },
    { seconds: 60 },
  );
}

function untilBound(cluster, namespace, name) {
  return waitFor(`pod ${name} to be bound`, async () => {
    const { spec, status } = await cluster.api.get(`${podsIn(namespace)}/${name}`);
    return spec.nodeName === undefined ? status : { done: true };
  });
}

function create(cluster, namespace, name, worker) {
  return cluster.api.create(podsIn(namespace), workerPod(name, worker));
}

async function running(cluster, namespace, name, worker) {
  await create(cluster, namespace, name, worker);
  return untilRunning(cluster, namespace, name);
}

/** Ids of the containers, which change when one is started again. */
async function started(cluster, namespace, name, pluginNamespace) {
  const pods = [await cluster.api.get(`${podsIn(namespace)}/${name}`), await cluster.api.get(`${podsIn(pluginNamespace)}/with-plugin`)];
  return pods.map(({ status }) => status.containerStatuses[0].containerID).join(' ');
}

function refusesBytes(file) {
  try {
    writeFileSync(file, 'x'.repeat(8192));
    return false;
  } catch (error) {
    return error.code === 'ENOSPC';
  } finally {
    rmSync(file, { force: true });
  }
}

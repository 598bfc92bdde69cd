// Pods with devices on a real kubelet and containerd, prepared by a foreign driver.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { preparedFiles, publishedDevices, untilPublished, withPeerDriver } from '../lib/peer-driver.mjs';
import { expect } from '../lib/suite.mjs';
import { claimsIn, logOf, podsIn, untilEvent, untilRunning, workerPod } from '../lib/workers.mjs';

export const needs = { nodes: 1 };

export const contracts = [
  {
    id: 'pod-runs',
    text: 'A pod with a claim runs, and its container sees the devices that the scheduler chose',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => podRuns(cluster, world)),
  },
  {
    id: 'unprepared',
    text: "The claim is unprepared and deleted after its pod's deletion",
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => unprepared(cluster, world)),
  },
  {
    id: 'prepare-fails',
    text: "A failing driver shows its words in the pod's events, and the pod runs once the driver works",
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => prepareFails(cluster, world)),
  },
  {
    id: 'withdrawn',
    text: 'A device that its driver withdraws is allocated no more',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => withdrawn(cluster, world)),
  },
];

async function podRuns(cluster, { namespace }) {
  const start = Date.now();
  const pod = await runningWorker(cluster, namespace);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const claim = await cluster.api.get(`${claimsIn(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`);
  const device = claim.status.allocation.devices.results[0].device;
  const seen = await logOf(cluster, namespace, 'worker');
  expect(seen === device, `Allocated ${device}, the container sees "${seen}".`);
  return `${device}, running after ${seconds} s`;
}

async function unprepared(cluster, { namespace, node }) {
  await runningWorker(cluster, namespace);
  const prepared = preparedFiles(cluster, node);
  expect(prepared.length === 1, `CDI files while the pod runs: ${prepared.join(', ') || 'none'}.`);
  const start = Date.now();
  await cluster.api.delete(`${podsIn(namespace)}/worker`);
  await waitFor(
    'the claim to be unprepared and deleted',
    async () => {
      const files = preparedFiles(cluster, node);
      const { items } = await cluster.api.get(claimsIn(namespace));
      return files.length === 0 && items.length === 0 ? { done: true } : { files, claims: items.map(claim => claim.metadata.name) };
    },
    { seconds: 60 },
  );
  return `after ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

async function prepareFails(cluster, { namespace, peer }) {
  peer.switchOn('fail', 'the fan is broken');
  await createWorker(cluster, namespace);
  const message = await untilEvent(cluster, namespace, 'FailedPrepareDynamicResources', 'the fan is broken');
  peer.switchOff('fail');
  await untilRunning(cluster, namespace, 'worker');
  return message;
}

async function withdrawn(cluster, { namespace, peer }) {
  peer.switchOn('unhealthy', 'gpu-0\ngpu-1\ngpu-2\n');
  try {
    await untilPublished(cluster, 1);
    await runningWorker(cluster, namespace);
    const seen = await logOf(cluster, namespace, 'worker');
    expect(seen === 'gpu-3', `The container sees "${seen}", published are ${(await publishedDevices(cluster)).join(', ')}.`);
  } finally {
    peer.switchOff('unhealthy');
  }
}

function createWorker(cluster, namespace) {
  return cluster.api.create(podsIn(namespace), workerPod('worker', { claims: { gpu: { template: 'gpu' } } }));
}

async function runningWorker(cluster, namespace) {
  await createWorker(cluster, namespace);
  return untilRunning(cluster, namespace, 'worker');
}

// Job, Deployment and StatefulSet with devices on a real node: how claims come and go with the pods of a controller.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { untilUnprepared, withPeerDriver } from '../lib/peer-driver.mjs';
import { expect } from '../lib/suite.mjs';
import { claimsIn, logOf, podsIn, workerSpec } from '../lib/workers.mjs';
import { createWorkload, deployment, job, restartWorkload, statefulSet, untilRolledOut, workloadPath } from '../lib/workloads.mjs';

export const needs = { nodes: 1 };

const WITH_DEVICE = { claims: { gpu: { template: 'gpu' } } };

export const contracts = [
  {
    id: 'job-takes-turns',
    text: 'The 64 pods of a Job take turns on 8 devices: no device is in two containers at once, and all are unprepared in the end',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => jobTakesTurns(cluster, world), { devices: 8 }),
  },
  {
    id: 'deployment-rolls',
    text: 'A Deployment is rolled with a spare device: each new pod gets a claim of its own, the old claims go and are unprepared',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => deploymentRolls(cluster, world)),
  },
  {
    id: 'deployment-without-spare',
    text: 'A Deployment that holds every device cannot surge: the roll stands still until pods may be unavailable instead',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => deploymentWithoutSpare(cluster, world), { devices: 2 }),
  },
  {
    id: 'statefulset-claims',
    text: 'Each pod of a StatefulSet has a claim from the template; a pod that is replaced gets a new one, the others keep theirs',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => statefulSetClaims(cluster, world), { devices: 3 }),
  },
  {
    id: 'statefulset-shrinks',
    text: 'A StatefulSet that is scaled down gives back the device of the pod that goes',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => statefulSetShrinks(cluster, world), { devices: 2 }),
  },
];

/** Prints the device, and when the container began and ended by the node's clock. */
const TURN = 'echo "$PEER_DEVICES"; cat /proc/uptime; sleep 0.2; cat /proc/uptime';

async function jobTakesTurns(cluster, { namespace, node }) {
  const start = Date.now();
  const work = job('train', { pods: 64, spec: workerSpec({ ...WITH_DEVICE, script: TURN }) });
  await createWorkload(cluster, namespace, work);
  await waitFor(
    'the 64 pods to have run',
    async () => {
      const { status } = await cluster.api.get(workloadPath(namespace, work));
      expect((status.failed ?? 0) === 0, `${status.failed} pods failed.`);
      return status.succeeded === 64 ? { done: true } : status;
    },
    { seconds: 240, every: 500 },
  );
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const turns = await turnsOf(cluster, namespace);
  const overlaps = turns.filter(one => turns.some(other => other !== one && other.device === one.device && one.began < other.ended && other.began < one.ended));
  expect(overlaps.length === 0, `Containers that shared a device: ${JSON.stringify(overlaps)}`);
  const used = new Set(turns.map(({ device }) => device));
  expect(turns.length === 64 && used.size === 8, `${turns.length} containers saw ${[...used].sort().join(', ')}.`);
  await untilUnprepared(cluster, node);
  return `after ${seconds} s`;
}

async function turnsOf(cluster, namespace) {
  const { items } = await cluster.api.get(podsIn(namespace));
  const turns = [];
  for (const { metadata } of items) {
    const [device, ...times] = (await logOf(cluster, namespace, metadata.name)).split('\n');
    const [began, ended] = times.map(line => Number(line.split(' ')[0]));
    turns.push({ pod: metadata.name, device, began, ended });
  }
  return turns;
}

async function deploymentRolls(cluster, { namespace, node }) {
  const workload = deployment('serve', { replicas: 2, surge: 1, unavailable: 0, spec: workerSpec(WITH_DEVICE) });
  await createWorkload(cluster, namespace, workload);
  const before = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  await restartWorkload(cluster, namespace, workload, 'two');
  const after = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  for (const [pod, { seen, device }] of [...before, ...after]) expect(seen === device, `Pod ${pod} was allocated ${device} and sees "${seen}".`);
  const kept = [...after.values()].filter(({ claim }) => [...before.values()].some(other => other.claim === claim));
  expect(kept.length === 0, `Claims of old pods that new ones have: ${JSON.stringify(kept)}`);
  await untilUnprepared(cluster, node, 2);
  const { items } = await cluster.api.get(claimsIn(namespace));
  const claims = items.map(claim => claim.metadata.name).sort();
  expect(claims.join() === [...after.values()].map(({ claim }) => claim).sort().join(), `Claims after the roll: ${claims.join(', ')}.`);
  const devices = held => [...held.values()].map(({ device }) => device).sort().join(', ');
  return `${devices(before)}, then ${devices(after)}`;
}

async function deploymentWithoutSpare(cluster, { namespace, node }) {
  const workload = deployment('serve', { replicas: 2, surge: 1, unavailable: 0, spec: workerSpec(WITH_DEVICE) });
  await createWorkload(cluster, namespace, workload);
  await untilRolledOut(cluster, namespace, workload);
  await restartWorkload(cluster, namespace, workload, 'two');
  const words = await waitFor('the new pod to be pending', async () => {
    const { items } = await cluster.api.get(podsIn(namespace));
    const message = items.map(({ status }) => status.conditions?.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False')?.message);
    const found = message.find(text => text?.includes('cannot allocate all claims'));
    return found === undefined ? items.map(({ metadata, status }) => `${metadata.name} ${status.phase}`) : { done: found };
  });
  const { status } = await cluster.api.get(workloadPath(namespace, workload));
  expect(status.readyReplicas === 2, `The roll took pods away: ${JSON.stringify(status)}`);
  await cluster.api.patch(workloadPath(namespace, workload), { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } });
  await untilRolledOut(cluster, namespace, workload);
  await untilUnprepared(cluster, node, 2);
  return words;
}

async function statefulSetClaims(cluster, { namespace, node }) {
  const workload = statefulSet('shard', { replicas: 2, spec: workerSpec(WITH_DEVICE) });
  await createWorkload(cluster, namespace, workload);
  const before = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  expect([...before.keys()].sort().join() === 'shard-0,shard-1', `Pods: ${[...before.keys()].join(', ')}.`);
  for (const [pod, { claim, owner, uid }] of before) {
    expect(claim.startsWith(`${pod}-gpu-`), `The claim of ${pod} is called ${claim}.`);
    expect(owner === uid, `The claim of ${pod} is not owned by it.`);
  }
  await cluster.api.delete(`${podsIn(namespace)}/shard-0`);
  await waitFor('shard-0 to be replaced', async () => {
    const { status, body } = await cluster.api.request('GET', `${podsIn(namespace)}/shard-0`);
    return status === 200 && body.metadata.uid !== before.get('shard-0').uid ? { done: true } : (body.status ?? body.message);
  });
  const after = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  expect(after.get('shard-0').claim !== before.get('shard-0').claim, 'The new shard-0 has the claim of the old one.');
  expect(after.get('shard-0').owner === after.get('shard-0').uid, 'The claim of the new shard-0 is not owned by it.');
  expect(after.get('shard-1').claim === before.get('shard-1').claim, 'shard-1 lost its claim.');
  await untilUnprepared(cluster, node, 2);
  return `${before.get('shard-0').claim}, then ${after.get('shard-0').claim}`;
}

async function statefulSetShrinks(cluster, { namespace, node }) {
  const workload = statefulSet('shard', { replicas: 2, spec: workerSpec(WITH_DEVICE) });
  await createWorkload(cluster, namespace, workload);
  const before = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  await cluster.api.patch(workloadPath(namespace, workload), { spec: { replicas: 1 } });
  const after = await heldBy(cluster, namespace, await untilRolledOut(cluster, namespace, workload));
  expect(after.get('shard-0')?.claim === before.get('shard-0').claim, 'shard-0 lost its claim.');
  await untilUnprepared(cluster, node, 1);
  await waitFor('the claim of shard-1 to go', async () => {
    const { items } = await cluster.api.get(claimsIn(namespace));
    const names = items.map(claim => claim.metadata.name);
    return names.join() === after.get('shard-0').claim ? { done: true } : names;
  });
}

/** By pod: its claim, whose owner that is, the allocated device, and what the container sees. */
async function heldBy(cluster, namespace, pods) {
  const held = new Map();
  for (const { metadata, status } of pods) {
    const claim = status.resourceClaimStatuses[0].resourceClaimName;
    const { metadata: ofClaim, status: allocated } = await cluster.api.get(`${claimsIn(namespace)}/${claim}`);
    const { device } = allocated.allocation.devices.results[0];
    const seen = await logOf(cluster, namespace, metadata.name);
    held.set(metadata.name, { claim, device, seen, uid: metadata.uid, owner: ofClaim.ownerReferences[0].uid });
  }
  return held;
}

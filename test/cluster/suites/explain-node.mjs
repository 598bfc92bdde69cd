// Pods that have a node and do not start, or do not go: what explain says of them, and what it offers, on a real kubelet.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { PEER_DRIVER, publishedDevices, untilUnprepared, withPeerDriver } from '../lib/peer-driver.mjs';
import { expect } from '../lib/suite.mjs';
import { podsIn, untilEvent, untilRunning, workerPod } from '../lib/workers.mjs';
import { explain, judge } from '../pending/trial.mjs';

export const needs = { nodes: 1 };

const FAILED = 'FailedPrepareDynamicResources';

export const contracts = [
  {
    // C-013 C-088
    id: 'driver-dead',
    text: 'A pod that was bound while the slices of a dead driver were still there is told so, and runs once the driver is back',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => driverDead(cluster, world)),
  },
  {
    id: 'prepare-failed',
    text: "A pod whose devices cannot be prepared is told the driver's words, and runs once the driver works",
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => prepareFailed(cluster, world)),
  },
  {
    // C-002
    id: 'ending-without-driver',
    text: 'A pod that cannot end because its driver is gone is told so, and goes once the driver is back',
    where: 'lab',
    run: cluster => withPeerDriver(cluster, world => endingWithoutDriver(cluster, world)),
  },
];

async function driverDead(cluster, { namespace, peer }) {
  await peer.crash();
  // Kubelet takes the slices away half a minute after the driver went; until then the scheduler knows nothing of it.
  expect((await publishedDevices(cluster)).length > 0, 'The slices went with the driver.');
  try {
    await create(cluster, namespace);
    await untilEvent(cluster, namespace, FAILED, PEER_DRIVER);
    await told(cluster, namespace, { cause: 'driver-not-registered', says: [`no driver ${PEER_DRIVER}`], help: [`repair-driver: start driver ${PEER_DRIVER} on node`] });
  } finally {
    await peer.restart();
  }
  await untilRunning(cluster, namespace, 'worker');
}

async function prepareFailed(cluster, { namespace, peer }) {
  peer.switchOn('fail', 'the fan is broken');
  try {
    await create(cluster, namespace);
    await untilEvent(cluster, namespace, FAILED, 'the fan is broken');
    await told(cluster, namespace, { cause: 'prepare-failed', says: ['the fan is broken'], help: ['repair-driver: read the log of the driver on node'] });
  } finally {
    peer.switchOff('fail');
  }
  await untilRunning(cluster, namespace, 'worker');
}

async function endingWithoutDriver(cluster, { namespace, node, peer }) {
  await create(cluster, namespace);
  await untilRunning(cluster, namespace, 'worker');
  await peer.crash();
  try {
    await cluster.api.delete(`${podsIn(namespace)}/worker`);
    await waitFor(
      'the slices of the driver to go',
      async () => {
        const devices = await publishedDevices(cluster);
        return devices.length === 0 ? { done: true } : devices;
      },
      { seconds: 60 },
    );
    await told(cluster, namespace, {
      cause: 'pod-deleting',
      says: [`driver ${PEER_DRIVER} publishes nothing for node ${node.name}`],
      help: [`repair-driver: start driver ${PEER_DRIVER} on node ${node.name} again`],
    });
  } finally {
    await peer.restart();
  }
  await waitFor(
    'the pod to go',
    async () => {
      const { status, body } = await cluster.api.request('GET', `${podsIn(namespace)}/worker`);
      return status === 404 ? { done: true } : body.status;
    },
    { seconds: 90 },
  );
  await untilUnprepared(cluster, node);
}

function create(cluster, namespace) {
  return cluster.api.create(podsIn(namespace), workerPod('worker', { claims: { gpu: { template: 'gpu' } } }));
}

/** Throws unless explain says what is expected of the worker. */
async function told(cluster, namespace, expected) {
  const folder = join(ROOT, 'build', 'cluster');
  const file = join(folder, `collected-${process.pid}.json`);
  mkdirSync(folder, { recursive: true });
  try {
    judge(await explain(cluster, { pod: { namespace, name: 'worker' } }, file), expected);
  } finally {
    rmSync(file, { force: true });
  }
}

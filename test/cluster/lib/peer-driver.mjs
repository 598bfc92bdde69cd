// A foreign driver on a real node, with its class, for one contract after the other.
import { readdirSync } from 'node:fs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { cdiFolder, startPeer } from './peer.mjs';
import { realNodes } from './real-node.mjs';
import { removeObjects, withNamespace } from './scratch.mjs';
import { claimTemplate, templatesIn } from './workers.mjs';

export const PEER_DRIVER = 'gpu.peer.example.com';
export const PEER_CLASS = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'peer-gpu' },
  spec: { selectors: [{ cel: { expression: `device.driver == "${PEER_DRIVER}"` } }] },
};

/**
 * Starts a driver with devices gpu-0 and so on, its class, and a namespace with a claim template `gpu` for one device; removes all of it
 * whatever happens.
 *
 * @param {(world: { namespace: string, peer: object, node: object }) => Promise<string | void>} run
 */
export async function withPeerDriver(cluster, run, { devices = 4 } = {}) {
  const [node] = realNodes(cluster);
  const peer = startPeer(cluster, { kind: 'peer-dra-driver', name: PEER_DRIVER, node, devices });
  await cluster.api.apply(`/apis/resource.k8s.io/v1/deviceclasses/${PEER_CLASS.metadata.name}`, PEER_CLASS);
  try {
    await untilPublished(cluster, devices);
    const said = await withNamespace(cluster, 'peer', async namespace => {
      await cluster.api.create(templatesIn(namespace), claimTemplate('gpu', PEER_CLASS.metadata.name));
      return run({ namespace, peer, node });
    });
    // The driver must live until kubelet has told it to unprepare, which comes after the pod object is gone.
    await untilUnprepared(cluster, node);
    return said;
  } catch (error) {
    // Claims that are left would fail the contracts after this one; the failure to show is the first.
    await untilUnprepared(cluster, node).catch(() => undefined);
    throw error;
  } finally {
    await peer.stop();
    await removeObjects(cluster, [PEER_CLASS, ...(await slices(cluster)).map(slice => ({ ...slice, ...KIND_OF_SLICE }))]);
  }
}

/** Names of the devices in the driver's slices. */
export async function publishedDevices(cluster) {
  return (await slices(cluster)).flatMap(slice => slice.spec.devices.map(device => device.name));
}

/** Waits until the slices hold that many devices. */
export function untilPublished(cluster, count, { seconds = 60 } = {}) {
  return waitFor(
    `the driver to publish ${count} devices`,
    async () => {
      const devices = await publishedDevices(cluster);
      return devices.length === count ? { done: devices } : devices;
    },
    { seconds },
  );
}

/** CDI files of prepared claims. */
export function preparedFiles(cluster, node) {
  return readdirSync(cdiFolder(cluster, node)).filter(name => name.startsWith(`peer.${PEER_DRIVER}-`));
}

/** Waits until so many claims are prepared, none by default. */
export function untilUnprepared(cluster, node, count = 0) {
  return waitFor(
    `${count === 0 ? 'all' : `all but ${count}`} claims to be unprepared`,
    () => {
      const left = preparedFiles(cluster, node);
      return left.length === count ? { done: true } : left;
    },
    { seconds: 90 },
  );
}

/** Items of a list carry no kind of their own. */
const KIND_OF_SLICE = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' };

async function slices(cluster) {
  return (await cluster.api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver=${PEER_DRIVER}`)).items;
}

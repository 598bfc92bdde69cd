// Pods with devices on a real kubelet and containerd, prepared by a foreign driver.
import { readdirSync } from 'node:fs';
import { IMAGES } from '../../../tools/cluster/node/node-programs.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { cdiFolder, startPeer } from '../lib/peer.mjs';
import { removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect, NotTried } from '../lib/suite.mjs';

export const needs = { nodes: 1 };

const DRIVER = 'gpu.peer.example.com';
const CLASS = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'peer-gpu' },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
};
const PLUGIN_RESOURCE = 'plugin.peer.example.com/gpu';

export const contracts = [
  {
    id: 'pod-runs',
    text: 'A pod with a claim runs, and its container sees the devices that the scheduler chose',
    where: 'lab',
    run: cluster => withDriver(cluster, podRuns),
  },
  {
    id: 'unprepared',
    text: "The claim is unprepared and deleted after its pod's deletion",
    where: 'lab',
    run: cluster => withDriver(cluster, unprepared),
  },
  {
    id: 'prepare-fails',
    text: "A failing driver shows its words in the pod's events, and the pod runs once the driver works",
    where: 'lab',
    run: cluster => withDriver(cluster, prepareFails),
  },
  {
    id: 'unhealthy',
    text: 'A device that its driver withdraws is allocated no more',
    where: 'lab',
    run: cluster => withDriver(cluster, withdrawn),
  },
  { id: 'device-plugin', text: 'A pod with a device of a device plugin runs beside', where: 'lab', run: devicePlugin },
];

async function withDriver(cluster, run) {
  const [node] = realNodes(cluster);
  const peer = startPeer(cluster, { kind: 'peer-dra-driver', name: DRIVER, node });
  await cluster.api.apply(`/apis/resource.k8s.io/v1/deviceclasses/${CLASS.metadata.name}`, CLASS);
  try {
    await waitFor('the driver to publish its devices', async () => {
      const slices = await slicesOf(cluster);
      return slices.length > 0 ? { done: true } : 'no slice';
    });
    return await withNamespace(cluster, 'node', namespace => run(cluster, namespace, peer, node));
  } finally {
    // The driver must live until kubelet has told it to unprepare, which comes after the pod object is gone.
    await waitFor(
      'all claims to be unprepared',
      () => {
        const left = preparedFiles(cluster, node);
        return left.length === 0 ? { done: true } : left;
      },
      { seconds: 90 },
    );
    await peer.stop();
    await removeObjects(cluster, [CLASS, ...(await slicesOf(cluster)).map(slice => ({ ...slice, ...KIND_OF_SLICE }))]);
  }
}

/** CDI files of prepared claims. */
function preparedFiles(cluster, node) {
  return readdirSync(cdiFolder(cluster, node)).filter(name => name.startsWith(`peer.${DRIVER}-`));
}

/** Items of a list carry no kind of their own. */
const KIND_OF_SLICE = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' };

async function slicesOf(cluster) {
  return (await cluster.api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver=${DRIVER}`)).items;
}

async function podRuns(cluster, namespace) {
  const start = Date.now();
  await createPod(cluster, namespace);
  const pod = await untilRunning(cluster, namespace);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const claim = await cluster.api.get(`${claims(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`);
  const device = claim.status.allocation.devices.results[0].device;
  const seen = await logOf(cluster, namespace);
  expect(seen === device, `Allocated ${device}, the container sees "${seen}".`);
  return `${device}, running after ${seconds} s`;
}

async function unprepared(cluster, namespace, peer, node) {
  await createPod(cluster, namespace);
  await untilRunning(cluster, namespace);
  const prepared = preparedFiles(cluster, node);
  expect(prepared.length === 1, `CDI files while the pod runs: ${prepared.join(', ') || 'none'}.`);
  const start = Date.now();
  await cluster.api.delete(`/api/v1/namespaces/${namespace}/pods/worker`);
  await waitFor(
    'the claim to be unprepared and deleted',
    async () => {
      const files = preparedFiles(cluster, node);
      const { items } = await cluster.api.get(claims(namespace));
      return files.length === 0 && items.length === 0 ? { done: true } : { files, claims: items.map(claim => claim.metadata.name) };
    },
    { seconds: 60 },
  );
  return `after ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

async function prepareFails(cluster, namespace, peer) {
  peer.switchOn('fail', 'the fan is broken');
  await createPod(cluster, namespace);
  const message = await waitFor(
    'an event with the words of the driver',
    async () => {
      const { items } = await cluster.api.get(`/api/v1/namespaces/${namespace}/events`);
      const event = items.find(item => item.reason === 'FailedPrepareDynamicResources' && item.message.includes('the fan is broken'));
      return event === undefined ? items.map(item => item.reason) : { done: event.message };
    },
    { seconds: 60 },
  );
  peer.switchOff('fail');
  await untilRunning(cluster, namespace);
  return message;
}

async function withdrawn(cluster, namespace, peer) {
  peer.switchOn('unhealthy', 'gpu-0\ngpu-1\ngpu-2\n');
  try {
    await waitFor('the slice to have one device', async () => {
      const devices = (await slicesOf(cluster)).flatMap(slice => slice.spec.devices.map(device => device.name));
      return devices.length === 1 ? { done: true } : devices;
    });
    await createPod(cluster, namespace);
    await untilRunning(cluster, namespace);
    const seen = await logOf(cluster, namespace);
    expect(seen === 'gpu-3', `The container sees "${seen}".`);
  } finally {
    peer.switchOff('unhealthy');
  }
}

async function devicePlugin(cluster) {
  const [node] = realNodes(cluster);
  const peer = startPeer(cluster, { kind: 'peer-device-plugin', name: PLUGIN_RESOURCE, node, devices: 2 });
  try {
    await waitFor('the node to have the resource', async () => {
      const { status } = await cluster.api.get(`/api/v1/nodes/${node.name}`);
      return status.allocatable[PLUGIN_RESOURCE] === '2' ? { done: true } : status.allocatable;
    });
    return await withNamespace(cluster, 'node', async namespace => {
      await cluster.api.create(`/api/v1/namespaces/${namespace}/pods`, podObject({ limits: { [PLUGIN_RESOURCE]: '1' } }));
      await untilRunning(cluster, namespace);
      const seen = await logOf(cluster, namespace);
      expect(/^gpu-[01]$/.test(seen), `The container sees "${seen}".`);
      return seen;
    });
  } finally {
    await peer.stop();
  }
}

function realNodes({ state }) {
  if (state.nodes.length === 0) throw new NotTried('real nodes need root');
  return state.nodes;
}

async function createPod(cluster, namespace) {
  await cluster.api.create(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaimtemplates`, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'gpu' },
    spec: {
      spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: CLASS.metadata.name, allocationMode: 'ExactCount', count: 1 } }] } },
    },
  });
  const pod = podObject({ claims: [{ name: 'gpu' }] });
  pod.spec.resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }];
  await cluster.api.create(`/api/v1/namespaces/${namespace}/pods`, pod);
}

/** Says which devices it sees, then waits, and ends at once when told to. */
function podObject(resources) {
  const command = ['sh', '-c', 'echo "$PEER_DEVICES"; trap "exit 0" TERM; while true; do sleep 0.1; done'];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'worker' },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [{ name: 'main', image: IMAGES.busybox, imagePullPolicy: 'Never', command, resources }],
    },
  };
}

function untilRunning(cluster, namespace) {
  return waitFor(
    'the pod to run',
    async () => {
      const pod = await cluster.api.get(`/api/v1/namespaces/${namespace}/pods/worker`);
      return pod.status.phase === 'Running' ? { done: pod } : pod.status;
    },
    { seconds: 60 },
  );
}

async function logOf(cluster, namespace) {
  return waitFor('the container to say what it sees', async () => {
    const { status, body } = await cluster.api.request('GET', `/api/v1/namespaces/${namespace}/pods/worker/log`);
    return status === 200 && String(body).trim() !== '' ? { done: String(body).trim() } : body;
  });
}

function claims(namespace) {
  return `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
}

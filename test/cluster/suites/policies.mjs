// Policies and permissions that we emit for a driver, tried as the driver's own account.
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { serviceAccount } from '../lib/cluster.mjs';
import { makeNode, nodeObject } from '../lib/hand-made-node.mjs';
import { objectPath, readManifests } from '../lib/objects.mjs';
import { refusal, removeObjects } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';

const MANIFESTS = join(ROOT, 'examples', 'ml-platform', 'golden', '25-drivers', 'dra-example-driver.yaml');
const ACCOUNT = { namespace: 'dra-drivers', name: 'dra-example-driver' };
const DRIVER = 'gpu.example.com';
const SLICES = '/apis/resource.k8s.io/v1/resourceslices';
const NODES = ['policy-node-1', 'policy-node-2'];

/** What a driver of one node may and may not write, with the words of the refusal. */
const WRITES = [
  { id: 'own-slice', text: 'A driver may create a slice of its own node', write: account => account.create(slice({})) },
  { id: 'own-slice-update', text: 'A driver may update and delete a slice of its own node', write: account => account.updateAndDelete(slice({})) },
  {
    id: 'other-node',
    text: 'A driver may not create a slice of another node',
    write: account => account.create(slice({ nodeName: NODES[1] })),
    message: `A driver on node '${NODES[0]}' may write slices of that node only, not of node '${NODES[1]}'.`,
  },
  {
    id: 'no-node',
    text: 'A driver may not create a slice for the whole cluster',
    write: account => account.create(slice({ allNodes: true })),
    message: `A driver on node '${NODES[0]}' may write slices of that node only, not of the cluster.`,
  },
  {
    id: 'other-driver',
    text: 'A driver may not create a slice of another driver',
    write: account => account.create(slice({ driver: 'other.example.com' })),
    message: `This account may write slices of driver ${DRIVER} only.`,
  },
  {
    id: 'other-node-delete',
    text: 'A driver may not delete a slice of another node',
    write: account => account.deleteOfAdmin(slice({ nodeName: NODES[1] })),
    message: `A driver on node '${NODES[0]}' may write slices of that node only, not of node '${NODES[1]}'.`,
  },
  {
    id: 'other-node-update',
    text: 'A driver may not update a slice of another node',
    write: account => account.updateOfAdmin(slice({ nodeName: NODES[1] })),
    message: `A driver on node '${NODES[0]}' may write slices of that node only, not of node '${NODES[1]}'.`,
  },
];

/** Rights of the driver's account: the ones that it needs, and ones that it must not have. */
const RIGHTS = [
  [true, 'get', 'resource.k8s.io', 'resourceclaims'],
  [true, 'create', 'resource.k8s.io', 'resourceslices'],
  [true, 'watch', 'resource.k8s.io', 'resourceslices'],
  [true, 'delete', 'resource.k8s.io', 'resourceslices'],
  [true, 'get', '', 'nodes'],
  [false, 'list', 'resource.k8s.io', 'resourceclaims'],
  [false, 'update', 'resource.k8s.io', 'resourceclaims'],
  [false, 'update', 'resource.k8s.io', 'resourceclaims', 'status'],
  [false, 'delete', 'resource.k8s.io', 'resourceclaims'],
  [false, 'deletecollection', 'resource.k8s.io', 'resourceslices'],
  [false, 'list', '', 'nodes'],
  [false, 'patch', '', 'nodes'],
  [false, 'get', '', 'secrets'],
  [false, 'get', '', 'pods'],
];

export const contracts = [
  ...WRITES.map(({ id, text, write, message }) => ({
    id,
    text,
    where: 'lab',
    run: cluster => withDriver(cluster, () => tryWrite(cluster, write, message)),
  })),
  {
    id: 'no-token-node',
    text: 'A token that names no node may write no slice',
    where: 'lab',
    run: cluster =>
      withDriver(cluster, async () => {
        const { api } = await serviceAccount(cluster, ACCOUNT);
        return refusedWith(
          () => api.create(`${SLICES}?dryRun=All`, slice({})),
          "The token of this account names no node. Use the token that kubelet mounts into the driver's pod.",
        );
      }),
  },
  {
    id: 'pod-token',
    text: "The token of a driver's pod names the pod's node",
    where: 'lab',
    run: cluster => withDriver(cluster, () => tryPodToken(cluster)),
  },
  {
    id: 'others-untouched',
    text: 'The policy stands in the way of no other account',
    where: 'lab',
    run: cluster =>
      withDriver(cluster, async () => {
        const words = await refusal(() => cluster.api.create(`${SLICES}?dryRun=All`, slice({ nodeName: NODES[1], driver: 'other.example.com' })));
        expect(words === undefined, `The administrator was refused: ${words}`);
      }),
  },
  {
    id: 'rights',
    text: "The driver's account has the rights that it needs, and no others that matter",
    where: 'lab',
    run: cluster => withDriver(cluster, () => tryRights(cluster)),
  },
];

function slice({ driver = DRIVER, nodeName = NODES[0], allNodes }) {
  const where = allNodes ? { allNodes } : { nodeName };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'policy-slice' },
    spec: { driver, ...where, pool: { name: 'policy-pool', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'gpu-0' }] },
  };
}

/** The driver's objects and two nodes are installed once per cluster. */
const installed = new WeakMap();

/** Removes them, so that other suites find the cluster empty. */
export async function cleanUp(cluster) {
  if (!installed.has(cluster)) return;
  await removeObjects(cluster, [...driverObjects(), ...NODES.map(nodeObject)]);
}

function driverObjects() {
  return readManifests(MANIFESTS)
    .map(({ object }) => object)
    .filter(({ kind }) => kind !== 'DaemonSet');
}

async function withDriver(cluster, run) {
  if (!installed.has(cluster)) installed.set(cluster, install(cluster));
  await installed.get(cluster);
  return run(cluster);
}

async function install(cluster) {
  for (const object of driverObjects()) await cluster.api.apply(await objectPath(cluster.api, object), object);
  for (const node of NODES) await makeNode(cluster, node);
  const { api } = await nodeAccount(cluster);
  // A policy takes effect a moment after it is written.
  await waitFor('the policy to take effect', async () =>
    (await refusal(() => api.create(`${SLICES}?dryRun=All`, slice({ driver: 'other.example.com' })))) ? { done: true } : 'still allowed',
  );
}

async function nodeAccount(cluster) {
  const { metadata } = await cluster.api.get(`/api/v1/nodes/${NODES[0]}`);
  return serviceAccount(cluster, { ...ACCOUNT, boundTo: { kind: 'Node', name: NODES[0], uid: metadata.uid } });
}

async function tryWrite(cluster, write, message) {
  const { api } = await nodeAccount(cluster);
  const asAdmin = async (object, run) => {
    const stored = await cluster.api.create(SLICES, object);
    try {
      return await run(stored);
    } finally {
      await removeObjects(cluster, [object]);
    }
  };
  const changed = stored => ({ ...stored, spec: { ...stored.spec, pool: { ...stored.spec.pool, generation: 2 } } });
  const deeds = {
    create: object => api.create(`${SLICES}?dryRun=All`, object),
    updateAndDelete: async object => {
      const stored = await api.create(SLICES, object);
      await api.replace(`${SLICES}/${object.metadata.name}`, changed(stored));
      await api.delete(`${SLICES}/${object.metadata.name}`);
    },
    deleteOfAdmin: object => asAdmin(object, () => api.delete(`${SLICES}/${object.metadata.name}`)),
    updateOfAdmin: object => asAdmin(object, stored => api.replace(`${SLICES}/${object.metadata.name}`, changed(stored))),
  };
  if (message !== undefined) return refusedWith(() => write(deeds), message);
  const words = await refusal(() => write(deeds));
  expect(words === undefined, `Refused: ${words}`);
}

async function refusedWith(request, message) {
  const words = await refusal(request);
  expect(words !== undefined, `It went through; the refusal "${message}" was promised.`);
  expect(words.includes(message), `Refused with other words than promised.\nPromised: ${message}\nGot:      ${words}`);
  return words;
}

async function tryPodToken(cluster) {
  const pods = `/api/v1/namespaces/${ACCOUNT.namespace}/pods`;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'driver', namespace: ACCOUNT.namespace },
    spec: { serviceAccountName: ACCOUNT.name, nodeName: NODES[0], containers: [{ name: 'driver', image: 'registry.example.com/driver:1' }] },
  };
  const { metadata } = await cluster.api.create(pods, pod);
  try {
    const { api } = await serviceAccount(cluster, { ...ACCOUNT, boundTo: { kind: 'Pod', name: 'driver', uid: metadata.uid } });
    const words = await refusal(() => api.create(`${SLICES}?dryRun=All`, slice({})));
    expect(words === undefined, `Refused on its own node: ${words}`);
    return await refusedWith(
      () => api.create(`${SLICES}?dryRun=All`, slice({ nodeName: NODES[1] })),
      `A driver on node '${NODES[0]}' may write slices of that node only, not of node '${NODES[1]}'.`,
    );
  } finally {
    await cluster.api.request('DELETE', `${pods}/driver`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  }
}

async function tryRights(cluster) {
  const wrong = [];
  for (const [allowed, verb, group, resource, subresource] of RIGHTS) {
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: `system:serviceaccount:${ACCOUNT.namespace}:${ACCOUNT.name}`,
        resourceAttributes: { verb, group, resource, subresource, namespace: 'default' },
      },
    };
    const { status } = await cluster.api.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    const isAllowed = status.allowed === true;
    if (isAllowed !== allowed)
      wrong.push(
        `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} ${isAllowed ? 'is allowed, and must not be' : 'is missing'}`,
      );
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${RIGHTS.length} rights asked`;
}

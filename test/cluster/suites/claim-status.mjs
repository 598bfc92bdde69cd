// DriverInstallation with writesClaimStatus: whose claims a driver may write the device status of.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { serviceAccount } from '../lib/cluster.mjs';
import { loadEmitted } from '../lib/emitted.mjs';
import { makeNode, nodeObject, sliceObject } from '../lib/hand-made-node.mjs';
import { objectPath } from '../lib/objects.mjs';
import { refusal, removeObjects } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';

const { installationOf, manifestsOf } = loadEmitted();

const DRIVER = 'gpu.status.example.com';
const NAMESPACE = 'claim-status';
const NODES = ['status-node-1', 'status-node-2'];
const CLAIM = `/apis/resource.k8s.io/v1/namespaces/${NAMESPACE}/resourceclaims/gpu`;
const OBJECTS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'status-gpu' },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
  },
  sliceObject({ name: 'status-slice', driver: DRIVER, node: NODES[0], devices: [{ name: 'gpu-0' }] }),
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'gpu', namespace: NAMESPACE },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'status-gpu', allocationMode: 'ExactCount', count: 1 } }] } },
  },
];

export const contracts = [
  {
    id: 'own-node',
    text: 'A driver may write the device status of a claim on its node',
    where: 'lab',
    run: cluster => withClaim(cluster, async write => expect((await write(NODES[0], 'driver')) === undefined, await write(NODES[0], 'driver'))),
  },
  {
    id: 'other-node',
    text: 'A driver may not write the device status of a claim on another node',
    where: 'lab',
    since: '1.36',
    run: cluster => withClaim(cluster, async write => refusedWith(await write(NODES[1], 'driver'), /forbidden|not authorized|not permitted/i)),
  },
  {
    id: 'no-node',
    text: 'A token without a node may write no device status',
    where: 'lab',
    since: '1.36',
    run: cluster => withClaim(cluster, async write => refusedWith(await write(undefined, 'driver'), /forbidden|not authorized|not permitted/i)),
  },
  {
    id: 'without-right',
    text: 'An installation without writesClaimStatus may write no device status',
    where: 'lab',
    run: cluster => withClaim(cluster, async write => refusedWith(await write(NODES[0], 'reader'), /cannot patch resource "resourceclaims\/status"/)),
  },
  {
    id: 'allocation',
    text: 'A driver may not allocate: the rest of the status is out of its reach',
    where: 'lab',
    since: '1.36',
    run: cluster =>
      withClaim(cluster, async write =>
        refusedWith(await write(NODES[0], 'driver', { reservedFor: null }), /forbidden|not authorized|not permitted/i),
      ),
  },
];

export async function cleanUp(cluster) {
  if (!prepared.has(cluster)) return;
  const { installed } = await prepared.get(cluster);
  await cluster.api.request('DELETE', `/api/v1/namespaces/${NAMESPACE}/pods`, {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
  });
  await removeObjects(cluster, [...OBJECTS, ...installed, ...NODES.map(nodeObject)]);
}

/** A claim that is allocated on the first node, and the accounts, made once per cluster. */
const prepared = new WeakMap();

async function withClaim(cluster, run) {
  if (!prepared.has(cluster)) prepared.set(cluster, prepare(cluster));
  await prepared.get(cluster);
  const write = async (node, name, more = {}) => {
    const boundTo = node === undefined ? undefined : { kind: 'Node', name: node, uid: (await cluster.api.get(`/api/v1/nodes/${node}`)).metadata.uid };
    const { api } = await serviceAccount(cluster, { namespace: NAMESPACE, name, boundTo });
    const devices = [{ driver: DRIVER, pool: NODES[0], device: 'gpu-0', data: { checked: true } }];
    return refusal(() => api.patch(`${CLAIM}/status?dryRun=All`, { status: { devices, ...more } }));
  };
  return run(write);
}

async function prepare(cluster) {
  for (const object of OBJECTS) await cluster.api.apply(await objectPath(cluster.api, object), object);
  for (const node of NODES) await makeNode(cluster, node);
  const installed = [...accountOf(cluster, 'driver', { writesClaimStatus: true }), ...accountOf(cluster, 'reader', { writesClaimStatus: false })];
  for (const object of installed) await cluster.api.apply(await objectPath(cluster.api, object), object);
  await cluster.api.create(`/api/v1/namespaces/${NAMESPACE}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'worker' },
    spec: {
      containers: [{ name: 'main', image: 'registry.example.com/worker:1', resources: { claims: [{ name: 'gpu' }] } }],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
    },
  });
  await waitFor('the claim to be allocated', async () => {
    const { status } = await cluster.api.get(CLAIM);
    return status?.reservedFor === undefined ? (status ?? 'no status') : { done: true };
  });
  return { installed };
}

/** Account and rights of an installation, under a name of their own. */
function accountOf({ minor }, name, props) {
  const objects = manifestsOf(installationOf(DRIVER, props), minor, {}, NAMESPACE);
  expect(Array.isArray(objects), objects);
  return objects
    .filter(({ kind }) => ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding'].includes(kind))
    .map(object => ({
      ...object,
      metadata: { ...object.metadata, name: object.kind === 'ServiceAccount' ? name : `claim-status-${name}` },
      ...(object.kind === 'ClusterRoleBinding'
        ? { roleRef: { ...object.roleRef, name: `claim-status-${name}` }, subjects: [{ ...object.subjects[0], name }] }
        : {}),
    }));
}

function refusedWith(words, pattern) {
  expect(words !== undefined, 'It went through.');
  expect(pattern.test(words), `Refused with other words: ${words}`);
  return words;
}

// The life of a claim up to a bound pod, with nodes and slices made by hand.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { sliceObject, withNode } from '../lib/hand-made-node.mjs';
import { refusal, removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';
import { createWorkload, job } from '../lib/workloads.mjs';

const DRIVER = 'gpu.allocation.example.com';
const CLASS = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'allocation-gpu' },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
};
const CLAIM_SPEC = {
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: CLASS.metadata.name, allocationMode: 'ExactCount', count: 1 } }] },
};

export const contracts = [
  {
    id: 'template-bound',
    text: 'A pod with a claim template gets its claim, a device of the node, and the node',
    where: 'lab',
    run: cluster => withPool(cluster, {}, templateBound),
  },
  {
    id: 'claim-goes-with-pod',
    text: 'The claim made from a template goes with its pod',
    where: 'lab',
    run: cluster => withPool(cluster, {}, claimGoesWithPod),
  },
  {
    id: 'job-of-64',
    text: 'A Job of 64 pods with a claim template gets 64 devices, none of them twice',
    where: 'lab',
    run: cluster => withPool(cluster, { devices: 64 }, jobOf64),
  },
  {
    id: 'quota',
    text: 'A quota on a device class refuses the claim over it, and names itself',
    where: 'lab',
    run: cluster => withPool(cluster, {}, quota),
  },
  {
    id: 'extended-resource',
    text: "A pod that asks for a class's extended resource gets a claim from the scheduler",
    where: 'lab',
    since: '1.36',
    run: cluster => withPool(cluster, { extendedResourceName: 'allocation.example.com/gpu' }, extendedResource),
  },
  { id: 'admin-access-label', text: 'Admin access needs the label of its namespace', where: 'lab', run: adminAccess },
];

async function withPool(cluster, { devices = 2, ...classFields }, run) {
  return withNode(cluster, 'allocation-node', async node => {
    const objects = [
      { ...CLASS, spec: { ...CLASS.spec, ...classFields } },
      sliceObject({
        name: 'allocation-slice',
        driver: DRIVER,
        node,
        devices: Array.from({ length: devices }, (_, index) => ({ name: `gpu-${index}` })),
      }),
    ];
    await cluster.api.create('/apis/resource.k8s.io/v1/deviceclasses', objects[0]);
    await cluster.api.create('/apis/resource.k8s.io/v1/resourceslices', objects[1]);
    try {
      return await withNamespace(cluster, 'allocation', namespace => run(cluster, namespace, node));
    } finally {
      await removeObjects(cluster, objects);
    }
  });
}

async function templateBound(cluster, namespace, node) {
  const start = Date.now();
  const pod = await boundPod(cluster, namespace);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const claim = await cluster.api.get(`${claims(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`);
  const [result] = claim.status.allocation.devices.results;
  expect(result.driver === DRIVER && result.pool === node && ['gpu-0', 'gpu-1'].includes(result.device), `Allocated ${JSON.stringify(result)}.`);
  expect(claim.status.reservedFor[0].uid === pod.metadata.uid, `Reserved for ${JSON.stringify(claim.status.reservedFor)}.`);
  expect(claim.metadata.ownerReferences[0].uid === pod.metadata.uid, `Owned by ${JSON.stringify(claim.metadata.ownerReferences)}.`);
  return `${result.device} of ${result.pool}, bound after ${seconds} s`;
}

async function claimGoesWithPod(cluster, namespace) {
  const pod = await boundPod(cluster, namespace);
  const claim = `${claims(namespace)}/${pod.status.resourceClaimStatuses[0].resourceClaimName}`;
  // No kubelet is there to say that the containers have ended.
  await cluster.api.delete(`/api/v1/namespaces/${namespace}/pods/worker`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await waitFor('the claim to go', async () => {
    const { status, body } = await cluster.api.request('GET', claim);
    return status === 404 ? { done: true } : body.status;
  });
}

async function jobOf64(cluster, namespace) {
  const start = Date.now();
  await createTemplate(cluster, namespace);
  await createWorkload(cluster, namespace, job('train', { pods: 64, spec: podSpec() }));
  await waitFor(
    '64 pods to be bound',
    async () => {
      const { items } = await cluster.api.get(`/api/v1/namespaces/${namespace}/pods`);
      const bound = items.filter(({ spec }) => spec.nodeName !== undefined).length;
      return bound === 64 ? { done: true } : `${items.length} pods, ${bound} of them bound`;
    },
    { seconds: 90, every: 500 },
  );
  const { items } = await cluster.api.get(claims(namespace));
  const devices = new Set(items.map(({ status }) => status.allocation.devices.results[0].device));
  expect(items.length === 64 && devices.size === 64, `${items.length} claims hold ${devices.size} different devices.`);
  return `bound after ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

async function quota(cluster, namespace) {
  const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const key = `${CLASS.metadata.name}.deviceclass.resource.k8s.io/devices`;
  await cluster.api.create(quotas, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'devices' }, spec: { hard: { [key]: '1' } } });
  await waitFor('the quota to be counted', async () => {
    const { status } = await cluster.api.get(`${quotas}/devices`);
    return status.used?.[key] === '0' ? { done: true } : status;
  });
  const claim = name => ({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name }, spec: CLAIM_SPEC });
  await cluster.api.create(claims(namespace), claim('first'));
  const words = await refusal(() => cluster.api.create(claims(namespace), claim('second')));
  expect(words?.includes(`exceeded quota: devices, requested: ${key}=1, used: ${key}=1, limited: ${key}=1`), `Got ${words ?? 'no refusal'}.`);
  return words;
}

async function extendedResource(cluster, namespace) {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const resources = { limits: { 'allocation.example.com/gpu': '1' } };
  await cluster.api.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'worker' },
    spec: { containers: [{ ...CONTAINER, resources }] },
  });
  const pod = await untilBound(cluster, pods);
  const name = pod.status.extendedResourceClaimStatus?.resourceClaimName;
  expect(name?.startsWith('worker-extended-resources-'), `The pod's status names ${JSON.stringify(pod.status.extendedResourceClaimStatus)}.`);
  return name;
}

async function adminAccess(cluster) {
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'watch' },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'any', allocationMode: 'All', adminAccess: true } }] } },
  };
  const words = await withNamespace(cluster, 'admin', namespace => refusal(() => cluster.api.create(`${claims(namespace)}?dryRun=All`, claim)));
  expect(words?.includes('resource.kubernetes.io/admin-access: true'), `Got ${words ?? 'no refusal'}.`);
  const labelled = await withNamespace(cluster, 'admin', namespace => refusal(() => cluster.api.create(`${claims(namespace)}?dryRun=All`, claim)), {
    'resource.kubernetes.io/admin-access': 'true',
  });
  expect(labelled === undefined, `Refused in a namespace with the label: ${labelled}`);
  return words;
}

const CONTAINER = { name: 'main', image: 'registry.example.com/worker:1' };

async function boundPod(cluster, namespace) {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await createTemplate(cluster, namespace);
  await cluster.api.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'worker' }, spec: podSpec() });
  return untilBound(cluster, pods);
}

function createTemplate(cluster, namespace) {
  return cluster.api.create(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaimtemplates`, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'gpu' },
    spec: { spec: CLAIM_SPEC },
  });
}

function podSpec() {
  return {
    containers: [{ ...CONTAINER, resources: { claims: [{ name: 'gpu' }] } }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
  };
}

function untilBound(cluster, pods) {
  return waitFor('the pod to be bound', async () => {
    const pod = await cluster.api.get(`${pods}/worker`);
    return pod.spec.nodeName === undefined ? pod.status : { done: pod };
  });
}

function claims(namespace) {
  return `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
}

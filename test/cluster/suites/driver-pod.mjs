// A driver installed by DriverInstallation on a real node: account, rights, policy, folders and token all have to fit.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeImage } from '../../../tools/cluster/node/image.mjs';
import { IMAGES } from '../../../tools/cluster/node/node-programs.mjs';
import { importImage } from '../../../tools/cluster/node/nodes.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { loadEmitted } from '../lib/emitted.mjs';
import { objectPath } from '../lib/objects.mjs';
import { cdiFolder } from '../lib/peer.mjs';
import { realNodes } from '../lib/real-node.mjs';
import { removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';

export const needs = { nodes: 1 };

const { installationOf, manifestsOf } = loadEmitted();

const DRIVER = 'gpu.installed.example.com';
const NAMESPACE = 'installed-driver';
const IMAGE = 'localhost/peer-dra-driver:1';
const OWN_OBJECTS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'installed-gpu' },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
  },
];

export const contracts = [
  {
    id: 'publishes',
    text: 'The driver starts in its DaemonSet and publishes the slice of its node, past policy and rights',
    where: 'lab',
    run: cluster => withDriver(cluster, node => publishes(cluster, node)),
  },
  {
    id: 'prepares',
    text: 'A pod with a claim runs with a device that the driver prepared, and is unprepared on deletion',
    where: 'lab',
    run: cluster => withDriver(cluster, node => prepares(cluster, node)),
  },
];

export async function cleanUp(cluster) {
  if (!installed.has(cluster)) return;
  await removeObjects(cluster, await installed.get(cluster));
}

const installed = new WeakMap();

async function withDriver(cluster, run) {
  const [node] = realNodes(cluster);
  if (!installed.has(cluster)) installed.set(cluster, install(cluster, node));
  await installed.get(cluster);
  return run(node);
}

async function install(cluster, node) {
  const { state, api, minor } = cluster;
  const file = join(state.folder, 'peer-dra-driver.tar');
  writeImage(file, { name: IMAGE, files: { 'bin/peer-dra-driver': join(state.programs, 'cp') }, entrypoint: ['/bin/peer-dra-driver'] });
  importImage(state, node, file);
  const emitted = manifestsOf(
    installationOf(DRIVER, { image: IMAGE, command: ['/bin/peer-dra-driver'], args: [`--name=${DRIVER}`, '--node=$(NODE_NAME)'] }),
    minor,
    {},
    NAMESPACE,
  );
  expect(Array.isArray(emitted), emitted);
  const objects = [...OWN_OBJECTS, ...emitted];
  for (const object of objects) await api.apply(await objectPath(api, object), object);
  return objects;
}

async function publishes(cluster, node) {
  const start = Date.now();
  const slice = await waitFor(
    'the slice of the driver',
    async () => {
      const { items } = await cluster.api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver=${DRIVER}`);
      if (items.length > 0) return { done: items[0] };
      const pods = await cluster.api.get(`/api/v1/namespaces/${NAMESPACE}/pods`);
      return pods.items.map(({ status }) => status.containerStatuses ?? status);
    },
    { seconds: 60 },
  );
  const { spec, metadata } = slice;
  expect(spec.nodeName === node.name, `The slice is of node ${spec.nodeName}.`);
  expect(metadata.ownerReferences?.[0]?.kind === 'Node', `The slice is owned by ${JSON.stringify(metadata.ownerReferences)}.`);
  return `${spec.devices.length} devices after ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

function prepares(cluster, node) {
  return withNamespace(cluster, 'installed', async namespace => {
    const { api } = cluster;
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await api.create(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'gpu' },
      spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'installed-gpu', allocationMode: 'ExactCount', count: 1 } }] } },
    });
    await api.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'worker' },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'main',
            image: IMAGES.busybox,
            imagePullPolicy: 'Never',
            command: ['sh', '-c', 'test -n "$PEER_DEVICES"'],
            resources: { claims: [{ name: 'gpu' }] },
          },
        ],
        resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
      },
    });
    const phase = await waitFor(
      'the pod to end',
      async () => {
        const { status } = await api.get(`${pods}/worker`);
        return ['Succeeded', 'Failed'].includes(status.phase) ? { done: status.phase } : status;
      },
      { seconds: 60 },
    );
    expect(phase === 'Succeeded', 'The container saw no device.');
    await api.delete(`${pods}/worker`);
    await waitFor('the claim to be unprepared', () => {
      const files = readdirSync(cdiFolder(cluster, node)).filter(name => name.includes(DRIVER));
      return files.length === 0 ? { done: true } : files;
    });
  });
}

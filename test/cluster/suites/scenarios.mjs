// Random clusters and pods: the scheduler puts each pod where our allocator says, with the devices that it says, or nowhere if it says so.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { loadModel } from '../../../tools/load-model.mjs';
import { makeNode } from '../lib/hand-made-node.mjs';
import { removeObjects, withNamespace } from '../lib/scratch.mjs';
import { loadSource } from '../lib/source.mjs';
import { NotTried } from '../lib/suite.mjs';

const { Target } = await loadModel('target/index.ts');
const { FEATURES, ScenarioSource, devicesText, poolsIn, predict } = await loadSource('test/cluster/scenarios/index.ts');

/** Rounds of a contract, each with a cluster of its own, and pods of a round, one after the other. */
const ROUNDS = 3;
const PODS = 6;
const SEED = Number(process.env.SEED ?? 1);

/** The scheduler learns of an object a moment after it was written; a pod that fits only then is tried again. */
const MOMENT = 300;

export const contracts = [...Object.keys(FEATURES), 'mixed'].map((name, index) => ({
  id: name,
  text: `Random pods get the node and the devices that our allocator foresees: ${name.replaceAll('-', ' ')}`,
  where: 'lab',
  run: cluster => tryFeature(cluster, name, SEED * 1000 + index * 10),
}));

async function tryFeature(cluster, name, seed) {
  const target = Target.parse(cluster.minor, cluster.state.featureGates ?? '');
  const isOn = gate => target.isOn(gate, 'kube-scheduler');
  const missing = (FEATURES[name]?.gates ?? []).filter(gate => !isOn(gate));
  if (missing.length > 0) throw new NotTried(`needs ${missing.join(', ')}`);
  const counts = { bound: 0, refused: 0 };
  const rounds = name === 'mixed' ? ROUNDS * 2 : ROUNDS;
  for (let round = 0; round < rounds; round++) {
    const source = new ScenarioSource(name, seed + round, cluster.minor, isOn);
    await tryRound(cluster, source, `${name}, seed ${seed + round}`, counts);
  }
  return `${counts.bound} pods bound as foreseen, ${counts.refused} refused as foreseen`;
}

async function tryRound(cluster, source, label, counts) {
  const { nodes, classes, slices } = source.cluster();
  const { api } = cluster;
  const made = [];
  try {
    for (const object of classes) {
      made.push({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: object.metadata });
      await api.create('/apis/resource.k8s.io/v1/deviceclasses', object);
    }
    for (const { metadata, spec, status } of nodes) {
      made.push({ apiVersion: 'v1', kind: 'Node', metadata });
      await makeNode(cluster, metadata.name);
      await api.patch(`/api/v1/nodes/${metadata.name}`, { metadata: { labels: metadata.labels }, spec });
      await api.patch(`/api/v1/nodes/${metadata.name}/status`, { status: { capacity: status.allocatable, ...status } });
    }
    for (const object of slices) {
      // What the API server refuses is not part of the cluster.
      const { status } = await api.request('POST', '/apis/resource.k8s.io/v1/resourceslices', object);
      if (status < 300) made.push(object);
    }
    await withNamespace(
      cluster,
      'scenario',
      async namespace => {
        try {
          await tryPods(cluster, source, namespace, label, counts);
        } finally {
          await removeClaims(cluster, namespace);
        }
      },
      { 'resource.kubernetes.io/admin-access': 'true' },
    );
  } finally {
    await removeObjects(cluster, made);
  }
}

async function tryPods(cluster, source, namespace, label, counts) {
  const shared = [];
  for (let index = 0; index < PODS; index++) {
    const own = [];
    for (let i = source.once(3) ? 2 : 1; i > 0; i--) own.push(await createClaim(cluster, source, namespace, `claim-${index}-${i}`));
    const claims = shared.length > 0 && source.once(6) ? [...own, source.pick(shared)] : own;
    const name = `pod-${index}`;
    const pod = source.pod(name, claims);
    await sleep(MOMENT);
    const before = await objectsOf(cluster, namespace);
    const wanted = { ...pod, metadata: { namespace, name, uid: 'new' } };
    const question = { objects: [...before, wanted], namespace, name, kubernetes: cluster.minor, gates: cluster.state.featureGates ?? '' };
    const prediction = predict(question);
    await cluster.api.create(`/api/v1/namespaces/${namespace}/pods`, pod);
    const outcome = await outcomeOf(cluster, namespace, name, own, prediction);
    // Of random orders of pools the one that was seen is tried as well.
    const difference = differenceOf(prediction, outcome) && differenceOf(predict(question, outcome.pools), outcome);
    if (difference !== undefined) throw new Error(told(label, name, { difference, prediction, outcome, objects: question.objects }));
    if (outcome.node === undefined) {
      counts.refused++;
      await removePod(cluster, namespace, name, own);
    } else {
      counts.bound++;
      shared.push(...own);
    }
  }
}

/** A claim that the server takes. */
async function createClaim({ api }, source, namespace, name) {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status } = await api.request('POST', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`, source.claim(name));
    if (status < 300) return name;
  }
  throw new Error('The server refused fifty claims.');
}

const LISTS = [
  ['v1', 'Node', '/api/v1/nodes'],
  ['v1', 'Pod', '/api/v1/pods'],
  ['resource.k8s.io/v1', 'DeviceClass', '/apis/resource.k8s.io/v1/deviceclasses'],
  ['resource.k8s.io/v1', 'ResourceSlice', '/apis/resource.k8s.io/v1/resourceslices'],
  ['resource.k8s.io/v1', 'ResourceClaim', '/apis/resource.k8s.io/v1/resourceclaims'],
];

async function objectsOf({ api }) {
  const lists = await Promise.all(LISTS.map(async ([apiVersion, kind, path]) => (await api.get(path)).items.map(item => ({ apiVersion, kind, ...item }))));
  return lists.flat();
}

/** What the scheduler made of a pod: its node and devices, or its words. */
async function outcomeOf({ api }, namespace, name, own, { nodes }) {
  const isForeseen = Object.keys(nodes).length > 0;
  return waitFor(
    `the scheduler to decide about ${name}`,
    async () => {
      const pod = await api.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
      const claims = await Promise.all(own.map(claim => api.get(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/${claim}`)));
      // Devices with binding conditions are given before the pod is bound.
      const node = pod.spec.nodeName ?? pod.status.nominatedNodeName;
      if (node !== undefined && claims.every(({ status }) => status?.allocation !== undefined)) {
        const results = claims.map(({ status }) => status.allocation.devices.results ?? []);
        return { done: { node, devices: results.map(devicesText).join('; '), pools: poolsIn(results.flat()) } };
      }
      const words = (pod.status.conditions ?? []).find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message;
      // A refusal from before the last object was seen is not the last word on a pod that fits.
      return words === undefined || isForeseen ? { words } : { done: { words } };
    },
    { seconds: 20 },
  ).catch(error => ({ words: error.message }));
}

/** In which way the outcome is none of those foreseen. */
function differenceOf({ nodes, fails, errors, cause }, { node, devices }) {
  const fits = Object.keys(nodes).length > 0;
  if (fits !== (cause === 'DRA203') && errors.length === 0) return `explain says ${cause}, the allocator ${fits ? 'that the pod fits' : 'that it does not'}`;
  if (node === undefined) return fits && errors.length === 0 ? 'the pod was refused' : undefined;
  if (fails || !(node in nodes)) return `the pod went to ${node}`;
  return nodes[node].includes(devices) ? undefined : 'the pod got other devices';
}

/** The message, and everything that is needed to look at the difference in a file. */
function told(label, name, { difference, prediction, outcome, objects }) {
  const file = join(ROOT, 'build', 'cluster', `scenario-${label.replaceAll(/[^a-z0-9]+/g, '-')}-${name}.json`);
  mkdirSync(join(ROOT, 'build', 'cluster'), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })}\n`);
  const { nodes, errors, cause } = prediction;
  return [
    `${label}, ${name}: ${difference}. The cluster before it is in ${file}.`,
    `Foreseen: ${cause}; ${Object.entries(nodes).map(([node, forms]) => `${node} with ${forms.join(' | ')}`).join('\n  ') || 'nowhere'}${errors.length === 0 ? '' : `; errors: ${errors.join(' | ')}`}`,
    `Seen: ${outcome.node === undefined ? outcome.words : `${outcome.node} with ${outcome.devices}`}`,
  ].join('\n');
}

/** The scheduler looks so often whether the devices of a pod are ready; until then it does not see that the pod is gone. */
const BINDING_POLL = 5500;

/**
 * Removes the pods and claims of a round, and waits for it. A pod that waits for binding conditions holds its devices in the memory of the
 * scheduler (since 1.37 also once they are written), where the next round, with devices of the same names, would meet them.
 */
async function removeClaims({ api }, namespace) {
  const { items: pods } = await api.get(`/api/v1/namespaces/${namespace}/pods`);
  const isWaiting = pods.some(({ spec, status }) => spec.nodeName === undefined && status.nominatedNodeName !== undefined);
  await api.request('DELETE', `/api/v1/namespaces/${namespace}/pods`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await api.request('DELETE', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`);
  await waitFor(`the claims of namespace ${namespace} to be gone`, async () => {
    const { items } = await api.get(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`);
    return items.length === 0 ? { done: true } : items.map(({ metadata, status }) => `${metadata.name}: ${JSON.stringify(status)}`);
  });
  if (isWaiting) await sleep(BINDING_POLL);
}

async function removePod({ api }, namespace, name, own) {
  await api.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  for (const claim of own) await api.request('DELETE', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/${claim}`);
  await waitFor(`${name} and its claims to be gone`, async () => {
    const answers = await Promise.all([
      api.request('GET', `/api/v1/namespaces/${namespace}/pods/${name}`),
      ...own.map(claim => api.request('GET', `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/${claim}`)),
    ]);
    return answers.every(({ status }) => status === 404) ? { done: true } : answers.map(({ status }) => status);
  });
}

// What we emit under the software that platforms run beside it: Argo CD's GitOps engine, which heals and prunes, and Kueue, which counts.
import { join } from 'node:path';
import { Lacking } from '../../../tools/cluster/failure.mjs';
import { cacheFolder, ROOT } from '../../../tools/cluster/layout.mjs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { startGitops } from '../lib/gitops-agent.mjs';
import { startKueue } from '../lib/kueue.mjs';
import { collectionPath, objectPath, readManifests, title } from '../lib/objects.mjs';
import { withNamespace } from '../lib/scratch.mjs';
import { expect, NotApplicable, NotTried } from '../lib/suite.mjs';

/** Builds a GitOps engine and Kueue first. */
export const onlyByName = true;

/** A platform repository with pools, policies and workloads, as it is committed. */
const PLATFORM = join(ROOT, 'examples', 'ml-platform', 'golden');

/** Workloads are another application: they wait for devices, and an engine waits with them before it ends a pass. */
const TEAMS = '50-teams';

const platformManifests = () => readManifests(PLATFORM).filter(({ file }) => !file.startsWith(join(PLATFORM, TEAMS)));

export const contracts = [
  {
    id: 'second-pass',
    text: 'A second pass of the GitOps engine over the example platform changes no object',
    where: 'lab',
    run: cluster => withPlatform(cluster, secondPass),
  },
  {
    id: 'hold-survives',
    text: 'A DeviceHold that a person makes survives self-heal and prune, and what it says stays as it is',
    where: 'lab',
    run: cluster => withPlatform(cluster, holdSurvives),
  },
  {
    id: 'bridge-survives',
    text: 'The name that the controller writes on a class, and the DeviceRouting, survive self-heal',
    where: 'lab',
    run: cluster => withPlatform(cluster, bridgeSurvives),
  },
  {
    id: 'revert',
    text: 'A promotion that is reverted in Git goes back and deletes no object; a pool whose file is removed is not pruned',
    where: 'lab',
    run: cluster => withPlatform(cluster, revert),
  },
  {
    id: 'kueue-counts',
    text: 'Kueue counts devices of both ways of a pool under the names and flavors that we render, each up to its quota',
    where: 'lab',
    run: cluster => withKueue(cluster, kueueCounts),
  },
  {
    id: 'kueue-quota-moves',
    text: 'Quota that moves with a hand-over at constant sum lets the work that waits on the other way in, and ends nothing',
    where: 'lab',
    run: cluster => withKueue(cluster, quotaMoves),
  },
  {
    id: 'kueue-old-name',
    text: 'Kueue counts a request for the old name that a class serves as the class, and lets work that waited under the old name in so',
    where: 'lab',
    run: cluster => withKueue(cluster, oldNameServed),
  },
];

/** One engine for all contracts, since its start takes long; the last of them changes the repository. */
let gitops;

async function withPlatform(cluster, run) {
  gitops ??= await startPlatform(cluster);
  return run(cluster, gitops);
}

async function startPlatform(cluster) {
  const namespaces = platformManifests().map(({ object }) => object.metadata.namespace).filter(Boolean);
  for (const name of new Set(namespaces)) await cluster.api.request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return built(() => startGitops(cluster, { cache: cacheFolder(), manifests: PLATFORM, without: [TEAMS], say: text => console.error(text) }));
}

export async function cleanUp() {
  await gitops?.stop();
  await kueue?.stop();
  gitops = undefined;
  kueue = undefined;
}

/** What this machine cannot build is no fault of ours. */
async function built(start) {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Lacking) throw new NotTried(error.message);
    throw error;
  }
}

/** Every object of the platform that the server has, with its resourceVersion. */
async function versions({ api }) {
  const found = new Map();
  for (const { object } of platformManifests()) {
    const path = await objectPath(api, object);
    const { status, body } = path === undefined ? { status: 404 } : await api.request('GET', path);
    // Its status lives: a DaemonSet's counts pods.
    if (status === 200) found.set(title(object), { uid: body.metadata.uid, generation: body.metadata.generation ?? body.metadata.resourceVersion });
  }
  return found;
}

async function secondPass(cluster, gitops) {
  const first = await gitops.pass();
  const refused = first.filter(({ result }) => /invalid|error|fail|refus|forbid|denied/i.test(result));
  expect(refused.length === 0, refused.map(({ resource, result }) => `${resource}: ${result}`).join('\n'));
  const before = await versions(cluster);
  const total = platformManifests().length;
  expect(before.size === total, `The server has ${before.size} of ${total} objects.`);
  const results = await gitops.pass();
  const changed = results.filter(({ result }) => !/unchanged/.test(result));
  expect(changed.length === 0, changed.map(({ resource, result }) => `${resource}: ${result}`).join('\n'));
  const after = await versions(cluster);
  for (const [name, { generation }] of before) expect(after.get(name)?.generation === generation, `${name} was changed.`);
  return `${total} objects unchanged`;
}

async function holdSurvives(cluster, gitops) {
  const path = '/apis/cdk8s-dra.dev/v1alpha1/deviceholds';
  const hold = {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceHold',
    metadata: { name: 'a100-night' },
    spec: { migration: 'a100', level: 'Door', classes: ['gpu-large'], reason: 'two owners suspected', by: 'on-call' },
  };
  const { metadata } = await cluster.api.create(path, hold);
  try {
    await gitops.pass();
    await gitops.pass();
    const { status, body } = await cluster.api.request('GET', `${path}/a100-night`);
    expect(status === 200, 'The hold was pruned.');
    expect(body.metadata.resourceVersion === metadata.resourceVersion, 'The hold was changed.');
  } finally {
    await cluster.api.request('DELETE', `${path}/a100-night`);
  }
}

async function bridgeSurvives(cluster, gitops) {
  const classPath = '/apis/resource.k8s.io/v1/deviceclasses/gpu-large';
  const routingPath = '/apis/cdk8s-dra.dev/v1alpha1/deviceroutings/default';
  const apply = (path, object) => cluster.api.request('PATCH', `${path}?fieldManager=cdk8s-dra&force=true`, object, 'application/apply-patch+yaml');
  const written = await apply(classPath, { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu-large' }, spec: { extendedResourceName: 'example.com/gpu' } });
  expect(written.status < 300, JSON.stringify(written.body));
  const isServed = written.body.spec.extendedResourceName !== undefined;
  const routing = { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec: { classes: { 'gpu-large': { door: 'Open', message: 'Open.' } } } };
  const routed = await apply(routingPath, routing);
  expect(routed.status < 300, JSON.stringify(routed.body));
  await gitops.pass();
  await gitops.pass();
  const { body: kept } = await cluster.api.request('GET', classPath);
  expect(!isServed || kept.spec.extendedResourceName === 'example.com/gpu', 'The name was taken off the class.');
  const { body: still } = await cluster.api.request('GET', routingPath);
  expect(still.spec?.classes?.['gpu-large']?.door === 'Open', 'The DeviceRouting was changed.');
  await cluster.api.request('DELETE', routingPath);
  return isServed ? '' : 'this server drops extendedResourceName; DeviceRouting alone was tried';
}

async function revert(cluster, gitops) {
  const [pool] = platformManifests().filter(({ object }) => object.kind === 'DeviceMigration' && object.spec.phase === 'Canary');
  const file = pool.file.slice(PLATFORM.length + 1);
  const path = await objectPath(cluster.api, pool.object);
  const phase = async () => (await cluster.api.get(path)).spec.phase;
  const before = await versions(cluster);
  gitops.edit(file, text => text.replace('phase: Canary', 'phase: Expand'));
  await gitops.pass();
  expect((await phase()) === 'Expand', `The promotion did not arrive: ${await phase()}.`);
  gitops.revert();
  await gitops.pass();
  expect((await phase()) === 'Canary', `The revert did not arrive: ${await phase()}.`);
  gitops.remove(file);
  await gitops.pass();
  await gitops.pass();
  const after = await versions(cluster);
  for (const [name, { uid }] of before) expect(after.get(name)?.uid === uid, `${name} was deleted.`);
  return `${before.size} objects kept`;
}

/** A platform with queues; what KueueQuota makes of it is what Kueue gets here. */
const QUEUED = join(ROOT, 'examples', 'queued-teams');
const objectsIn = (...path) => readManifests(join(QUEUED, ...path)).map(({ object }) => object);
const ofKind = (objects, kind) => objects.filter(object => object.kind === kind);

let kueue;

async function withKueue(cluster, run) {
  kueue ??= await startCounting(cluster);
  return withNamespace(cluster, 'kueue', async namespace => {
    await setQuota(cluster, 'golden');
    const objects = objectsIn('golden');
    for (const object of [...ofKind(objects, 'LocalQueue'), ...ofKind(objects, 'ResourceClaimTemplate')]) {
      const moved = { ...object, metadata: { ...object.metadata, namespace } };
      await cluster.api.create(await collectionPath(cluster.api, moved), moved);
    }
    try {
      return await run(cluster, namespace);
    } finally {
      await removeJobs(cluster, namespace);
    }
  });
}

/** Kueue with the names and flavors of the pool. */
async function startCounting(cluster) {
  const [configuration] = objectsIn('golden.plan', 'kueue');
  const started = await built(() => startKueue(cluster, { cache: cacheFolder(), configuration, say: text => console.error(text) }));
  const objects = objectsIn('golden');
  for (const object of [...ofKind(objects, 'DeviceClass'), ...ofKind(objects, 'ResourceFlavor')]) await cluster.api.apply(await objectPath(cluster.api, object), object);
  return started;
}

/** Jobs hold quota until Kueue has seen them go. */
async function removeJobs({ api }, namespace) {
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
  await api.request('DELETE', `/apis/batch/v1/namespaces/${namespace}/jobs`, options);
  await waitFor('the quota to be free', async () => {
    const { status } = await api.get(`${KUEUE}/clusterqueues/team`);
    const used = (status?.flavorsReservation ?? []).flatMap(({ resources }) => resources.map(({ total }) => Number(total)));
    return used.every(total => total === 0) ? { done: true } : used;
  }, { seconds: 60 });
}

const KUEUE = '/apis/kueue.x-k8s.io/v1beta2';

/** Brings the queue to what a folder of the example says. */
async function setQuota({ api }, ...folder) {
  const [queue] = ofKind(objectsIn(...folder), 'ClusterQueue');
  const { status, body } = await api.request('PATCH', `${KUEUE}/clusterqueues/team?fieldManager=cdk8s-dra&force=true`, queue, 'application/apply-patch+yaml');
  expect(status < 300, JSON.stringify(body));
}

/** A Job of the example under another name. */
async function submit({ api }, namespace, name, way) {
  const [job] = ofKind(objectsIn('golden'), 'Job').filter(({ metadata }) => metadata.name === WAYS[way]);
  await api.create(`/apis/batch/v1/namespaces/${namespace}/jobs`, { ...job, metadata: { ...job.metadata, name, namespace } });
}

const WAYS = { legacy: 'by-old-name', dra: 'by-claim' };

/** Jobs that Kueue let run, sorted. */
async function admitted({ api }, namespace) {
  const { items } = await api.get(`/apis/batch/v1/namespaces/${namespace}/jobs`);
  return items.filter(({ spec }) => spec.suspend === false).map(({ metadata }) => metadata.name).sort();
}

async function untilAdmitted(cluster, namespace, wanted) {
  await waitFor(`Kueue to admit ${wanted.join(', ')}`, async () => {
    const names = await admitted(cluster, namespace);
    return names.join() === [...wanted].sort().join() ? { done: true } : names;
  }, { seconds: 30 });
}

function usedOf({ status }) {
  const used = (status.flavorsReservation ?? []).flatMap(({ name, resources }) => resources.map(({ name: resource, total }) => `${name} ${resource}: ${total}`));
  return used.sort().join('; ');
}

async function kueueCounts(cluster, namespace) {
  for (const [name, way] of [['old-1', 'legacy'], ['old-2', 'legacy'], ['new-1', 'dra']]) await submit(cluster, namespace, name, way);
  await untilAdmitted(cluster, namespace, ['old-1', 'old-2', 'new-1']);
  await submit(cluster, namespace, 'old-3', 'legacy');
  await submit(cluster, namespace, 'new-2', 'dra');
  await sleep(3000);
  await untilAdmitted(cluster, namespace, ['old-1', 'old-2', 'new-1']);
  const queue = await cluster.api.get(`${KUEUE}/clusterqueues/team`);
  const used = usedOf(queue);
  expect(used === 'a100-dra a100-devices: 1; a100-plugin example.com/gpu: 2', used);
  return used;
}

async function quotaMoves(cluster, namespace) {
  await submit(cluster, namespace, 'old-1', 'legacy');
  await submit(cluster, namespace, 'new-1', 'dra');
  await untilAdmitted(cluster, namespace, ['new-1', 'old-1']);
  await submit(cluster, namespace, 'new-2', 'dra');
  await sleep(2000);
  await untilAdmitted(cluster, namespace, ['new-1', 'old-1']);
  await setQuota(cluster, 'golden.plan', 'a100', 'phases', '3-Expand.yaml');
  await untilAdmitted(cluster, namespace, ['new-1', 'new-2', 'old-1']);
}

/** As the controller does in Expand: the class serves the old name, and the quota of both ways stands under the class. */
async function oldNameServed(cluster, namespace) {
  for (const name of ['old-1', 'old-2', 'old-3']) await submit(cluster, namespace, name, 'legacy');
  await waitFor('two of three to be let in', async () => {
    const names = await admitted(cluster, namespace);
    return names.length === 2 ? { done: true } : names;
  }, { seconds: 30 });
  const serve = resource => cluster.api.request('PATCH', '/apis/resource.k8s.io/v1/deviceclasses/a100-large', { spec: { extendedResourceName: resource } }, 'application/merge-patch+json');
  const { status, body } = await serve('example.com/gpu');
  expect(status < 300, JSON.stringify(body));
  if (body.spec.extendedResourceName === undefined) throw new NotApplicable('this server drops extendedResourceName');
  try {
    await setQuota(cluster, 'golden.plan', 'a100', 'phases', '3-Expand.yaml');
    await untilAdmitted(cluster, namespace, ['old-1', 'old-2', 'old-3']);
    await submit(cluster, namespace, 'new-1', 'dra');
    await submit(cluster, namespace, 'old-4', 'legacy');
    const all = ['new-1', 'old-1', 'old-2', 'old-3', 'old-4'];
    await untilAdmitted(cluster, namespace, all);
    await submit(cluster, namespace, 'old-5', 'legacy');
    await submit(cluster, namespace, 'new-2', 'dra');
    await sleep(3000);
    await untilAdmitted(cluster, namespace, all);
    // What was let in before keeps its place under the old name.
    const used = usedOf(await cluster.api.get(`${KUEUE}/clusterqueues/team`));
    expect(used === 'a100-dra a100-devices: 3; a100-plugin example.com/gpu: 2', used);
    return used;
  } finally {
    await serve(null);
  }
}

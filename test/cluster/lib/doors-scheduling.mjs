// Policies met by the real scheduler and the real controllers: claims, fences, gangs.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { claim, CLOSED, IMPLICIT } from './doors-requests.mjs';
import {
  ACCESS,
  ALL_OPEN,
  DRIVER,
  HOLDS,
  holdObject,
  NODE,
  PLAIN,
  podSpec,
  podWith,
  ROUTING,
  setAccess,
  setRouting,
  TENANT,
  untilAllowed,
  untilRefused,
} from './doors-world.mjs';
import { refusal } from './scratch.mjs';
import { expect, NotApplicable } from './suite.mjs';
import { claimsIn, podsIn, untilEvent } from './workers.mjs';
import { job, workloadPath } from './workloads.mjs';

/** Runs with all doors open, then closes them again, and waits until the policies see it. */
export async function opening({ cluster, anna }, run) {
  const closed = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['closed'] }));
  await setRouting(cluster, ALL_OPEN);
  try {
    await untilAllowed(closed);
    return await run();
  } finally {
    await setRouting(cluster, ROUTING);
    await untilRefused(closed, CLOSED);
  }
}

/** Deletes work and its pods, which no kubelet ends. */
export async function removeWork({ cluster }, namespace, ...paths) {
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
  for (const path of paths) await cluster.api.request('DELETE', path, options);
  await cluster.api.request('DELETE', podsIn(namespace), { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await waitFor(
    `pods and claims of ${namespace} to be gone`,
    async () => {
      const pods = await cluster.api.get(podsIn(namespace));
      const claims = await cluster.api.get(claimsIn(namespace));
      if (pods.items.length + claims.items.length === 0) return { done: true };
      await cluster.api.request('DELETE', podsIn(namespace), { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
      await cluster.api.request('DELETE', claimsIn(namespace));
      return `${pods.items.length} pods, ${claims.items.length} claims`;
    },
    { seconds: 60, every: 300 },
  );
}

export async function consumers(world) {
  const { cluster, anna } = world;
  try {
    await anna.create(claimsIn(TENANT), claim(['doors-open'], { name: 'shared' }));
    await anna.create(podsIn(TENANT), podWith({ claims: ['shared'] }, { name: 'first' }));
    await untilBound(cluster, TENANT, 'first');
    await anna.create(podsIn(TENANT), podWith({ claims: ['shared'] }, { name: 'second' }));
    const words = 'Claim shared may be shared by 1 pods in namespace doors-vision, and would have 2. Give each pod a claim of its own';
    const message = await untilEvent(cluster, TENANT, 'FailedScheduling', words);
    await setAccess(cluster, { ...ACCESS, limits: { consumersPerClaim: 2 } });
    await untilBound(cluster, TENANT, 'second');
    return message;
  } finally {
    await setAccess(cluster, ACCESS);
    await removeWork(world, TENANT, `${claimsIn(TENANT)}/shared`);
  }
}

/** Waits until a pod has a node; the seconds that it took. */
async function untilBound({ api }, namespace, name, { seconds = 60 } = {}) {
  const start = Date.now();
  await waitFor(
    `pod ${name} to be bound`,
    async () => {
      const { spec, status } = await api.get(`${podsIn(namespace)}/${name}`);
      return spec.nodeName === undefined ? status.conditions : { done: true };
    },
    { seconds },
  );
  return ((Date.now() - start) / 1000).toFixed(1);
}

export const FENCE = {
  raise: ({ cluster }) => setRouting(cluster, { ...ROUTING, fencedPools: [{ driver: DRIVER, pools: [...Array.from({ length: 2000 }, (_, index) => `pool-${index}`), NODE] }] }),
  lift: ({ cluster }) => setRouting(cluster, ROUTING),
  words: 'is fenced: its node changes owner, and nothing new is allocated there until that is done. The pod waits and takes this or another device as soon as one may be had.',
};

export const HOLD_FENCE = {
  raise: ({ hanna }) => hanna.create(HOLDS, holdObject('doors-fence', { level: 'Allocation', fence: [{ driver: DRIVER, pools: [NODE] }] })),
  lift: ({ hanna }) => hanna.delete(`${HOLDS}/doors-fence`),
  words: 'is held by DeviceHold doors-fence on pool doors: Devices are given out twice. (by hanna). It ends with: kubectl delete devicehold doors-fence. The pod waits and is tried again then.',
  async mild({ hanna, cluster }) {
    await hanna.create(HOLDS, holdObject('doors-mild', { level: 'Door', fence: [{ driver: DRIVER }] }));
    try {
      await cluster.api.create(podsIn(PLAIN), podWith({ templates: ['open'] }, { name: 'mild' }));
      await untilBound(cluster, PLAIN, 'mild');
    } finally {
      await hanna.delete(`${HOLDS}/doors-mild`);
    }
  },
};

export async function fence(world, { raise, lift, words, mild }) {
  const { cluster } = world;
  let isRaised = false;
  try {
    await mild?.(world);
    await cluster.api.create(podsIn(PLAIN), podWith({ templates: ['open'] }, { name: 'running' }));
    await untilBound(cluster, PLAIN, 'running');
    await cluster.api.create(claimsIn(PLAIN), claim(['doors-open'], { name: 'probe' }));
    await raise(world);
    isRaised = true;
    await untilRefused(() => allocateByHand(world), words);
    await cluster.api.create(podsIn(PLAIN), podWith({ templates: ['open'] }, { name: 'waiting' }));
    const message = await untilEvent(cluster, PLAIN, 'FailedScheduling', words);
    await cluster.api.request('DELETE', `${podsIn(PLAIN)}/running`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    await waitFor('the claim of the pod that ended to go', async () => {
      const { items } = await cluster.api.get(claimsIn(PLAIN));
      const left = items.filter(({ metadata }) => metadata.name.startsWith('running-'));
      return left.length === 0 ? { done: true } : left.map(({ status }) => status);
    });
    const { spec } = await cluster.api.get(`${podsIn(PLAIN)}/waiting`);
    expect(spec.nodeName === undefined, `The waiting pod is on ${spec.nodeName}.`);
    await lift(world);
    isRaised = false;
    return `bound ${await untilBound(cluster, PLAIN, 'waiting')} s after lifting; ${message}`;
  } finally {
    if (isRaised) await lift(world);
    await removeWork(world, PLAIN, `${claimsIn(PLAIN)}/probe`);
  }
}

/** Writes the allocation of the claim `probe` as a scheduler would, to see whether a fence is in force. */
async function allocateByHand({ cluster }) {
  const stored = await cluster.api.get(`${claimsIn(PLAIN)}/probe`);
  const results = [{ request: 'r0', driver: DRIVER, pool: NODE, device: 'gpu-127' }];
  return cluster.api.replace(`${claimsIn(PLAIN)}/probe/status?dryRun=All`, { ...stored, status: { allocation: { devices: { results } } } });
}

export async function bridge(world) {
  const { cluster, anna } = world;
  try {
    const before = await cluster.api.create(podsIn(TENANT), podWith({ limits: { [`${IMPLICIT}doors-open`]: '1' } }, { name: 'bridged' })).catch(error => error);
    if (before instanceof Error) throw new NotApplicable(before.message);
    const seconds = await untilBound(cluster, TENANT, 'bridged');
    const { items } = await anna.get(claimsIn(TENANT));
    const made = items.find(({ metadata }) => metadata.annotations?.['resource.kubernetes.io/extended-resource-claim'] !== undefined);
    expect(made !== undefined, `Claims: ${JSON.stringify(items.map(({ metadata }) => metadata))}`);
    return `bound after ${seconds} s with ${made.metadata.name}`;
  } finally {
    await removeWork(world, TENANT);
  }
}

export async function gang(world) {
  const { cluster, anna } = world;
  const work = job('gang', { pods: 64, spec: podSpec({ templates: ['closed'] }) });
  const path = workloadPath(TENANT, work);
  const bound = async () => (await cluster.api.get(podsIn(TENANT))).items.filter(({ spec, metadata }) => spec.nodeName !== undefined && metadata.deletionTimestamp === undefined);
  const untilAllBound = () =>
    waitFor(
      '64 pods to be bound',
      async () => {
        const pods = await bound();
        return pods.length === 64 ? { done: pods } : `${pods.length} bound`;
      },
      { seconds: 120, every: 250 },
    );
  try {
    const pods = await opening(world, async () => {
      await anna.create(`/apis/batch/v1/namespaces/${TENANT}/jobs`, work);
      return untilAllBound();
    });
    const again = await refusal(() => anna.create(`/apis/batch/v1/namespaces/${TENANT}/jobs?dryRun=All`, { ...work, metadata: { name: 'another' } }));
    expect(again?.includes(CLOSED), `Another Job under the closed door: ${again}`);
    const [lost] = pods;
    const start = Date.now();
    await cluster.api.request('DELETE', `${podsIn(TENANT)}/${lost.metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    await waitFor('the lost pod to be gone', async () => ((await cluster.api.request('GET', `${podsIn(TENANT)}/${lost.metadata.name}`)).status === 404 ? { done: true } : 'there'));
    const healed = await untilAllBound();
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    const fresh = healed.filter(({ metadata }) => !uids.has(metadata.uid));
    expect(fresh.length === 1, `${fresh.length} pods are new.`);
    const index = pod => pod.metadata.annotations['batch.kubernetes.io/job-completion-index'];
    expect(index(fresh[0]) === index(lost), `Worker ${index(lost)} was lost, worker ${index(fresh[0])} came.`);
    return `worker ${index(lost)} was bound again after ${((Date.now() - start) / 1000).toFixed(1)} s`;
  } finally {
    await removeWork(world, TENANT, path);
  }
}


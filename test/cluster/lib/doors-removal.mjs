// Parameters and their CRDs taken away under policies that are in force.
import {
  ACCESS,
  HOLDS,
  holdObject,
  LEFT_OUT,
  LEGACY,
  PLAIN,
  podWith,
  ROUTING,
  setAccess,
  setRouting,
  TENANT,
  untilAllowed,
  untilInForce,
  untilRefused,
} from './doors-world.mjs';
import { installKinds } from './kinds.mjs';
import { refusal, removeObjects } from './scratch.mjs';
import { expect } from './suite.mjs';
import { claimSpec, claimsIn, podsIn } from './workers.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

/** Without DeviceRouting, holds or DeviceAccess. */
export async function parameterRemoval(world) {
  const { cluster, anna } = world;
  const closed = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['closed'] }));
  try {
    await cluster.api.delete('/apis/cdk8s-dra.dev/v1alpha1/deviceroutings/default');
    await untilAllowed(closed);
    await plainWorkPasses(world);
    await cluster.api.delete(`/apis/cdk8s-dra.dev/v1alpha1/namespaces/${TENANT}/deviceaccesses/default`);
    const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'mine' }, spec: claimSpec('doors-open') };
    const words = await untilRefused(() => anna.create(`${claimsIn(TENANT)}?dryRun=All`, claim), 'no params found');
    await plainWorkPasses(world);
    return words;
  } finally {
    await setRouting(cluster, ROUTING);
    await setAccess(cluster, ACCESS);
    await untilInForce(world);
  }
}

/** With each of the CRDs deleted in turn; the policies stay. */
export async function crdRemoval(world) {
  const { cluster } = world;
  const told = [];
  for (const kind of ['DeviceRouting', 'DeviceHold', 'DeviceAccess']) {
    const crd = world.crds.find(({ spec }) => spec.names.kind === kind);
    try {
      await removeObjects(cluster, [crd]);
      // The API server notices after a moment; every request in between must pass too.
      const end = Date.now() + 15_000;
      let rounds = 0;
      while (Date.now() < end) {
        await plainWorkPasses(world);
        rounds++;
      }
      // In a namespace that is no tenant's, claims go all the way.
      await allocateAndRelease(world);
      if (kind === 'DeviceAccess') {
        const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'mine' }, spec: claimSpec('doors-open') };
        const words = await refusal(() => world.anna.create(`${claimsIn(TENANT)}?dryRun=All`, claim));
        expect(words?.includes('cdk8s-dra-access'), `A claim of a tenant without the CRD: ${words}`);
      }
      told.push(`${kind}: ${rounds} rounds`);
    } finally {
      await installKinds(cluster, [crd]);
      if (kind === 'DeviceRouting') await setRouting(cluster, ROUTING);
      if (kind === 'DeviceAccess') await setAccess(cluster, ACCESS);
    }
  }
  await untilInForceAgain(world);
  return told.join(', ');
}

/** The policies find their parameters again by themselves. */
async function untilInForceAgain(world) {
  const start = Date.now();
  await untilInForce(world);
  const { cluster, anna } = world;
  await cluster.api.create(HOLDS, holdObject('doors-again', { resources: ['doors.example.com/nic'] }));
  try {
    await untilRefused(() => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ limits: { 'doors.example.com/nic': '1' } })), 'doors-again', { seconds: 60 });
  } finally {
    await cluster.api.delete(`${HOLDS}/doors-again`);
  }
  return Date.now() - start;
}

/** Pods and workloads without devices, everywhere. */
async function plainWorkPasses({ anna, cluster }) {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'plain' },
    spec: { template: { spec: podWith({ limits: { cpu: '1' } }).spec } },
  };
  for (const namespace of [TENANT, LEFT_OUT, PLAIN, 'kube-system']) {
    const client = namespace === 'kube-system' ? cluster.api : anna;
    for (const [path, object] of [
      [podsIn(namespace), podWith({ limits: { cpu: '1', memory: '1Gi' } })],
      [`/apis/batch/v1/namespaces/${namespace}/jobs`, job],
    ]) {
      const words = await refusal(() => client.create(`${path}?dryRun=All`, object));
      expect(words === undefined, `${object.kind} without devices in ${namespace}: ${words}`);
    }
  }
  expect((await refusal(() => cluster.api.create(`${podsIn('kube-system')}?dryRun=All`, podWith({ limits: { [LEGACY]: '1' } })))) === undefined, 'kube-system');
}

async function allocateAndRelease({ cluster }) {
  const pods = podsIn(PLAIN);
  await cluster.api.create(pods, podWith({ templates: ['open'] }, { name: 'through' }));
  await waitFor('a pod with a claim to be bound', async () => {
    const { spec, status } = await cluster.api.get(`${pods}/through`);
    return spec.nodeName === undefined ? status.conditions : { done: true };
  });
  await cluster.api.request('DELETE', `${pods}/through`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await waitFor('its claim to go', async () => {
    const { items } = await cluster.api.get(claimsIn(PLAIN));
    return items.length === 0 ? { done: true } : items.map(({ metadata }) => metadata.name);
  });
}

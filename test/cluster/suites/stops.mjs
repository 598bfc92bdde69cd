// hold, release, rollback, status and route of kubectl-dra against real policies, with the account of somebody who may hold and nothing else.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { certificateUser } from '../lib/cluster.mjs';
import { makeNode, nodeObject, sliceObject } from '../lib/hand-made-node.mjs';
import { installKinds } from '../lib/kinds.mjs';
import { objectPath } from '../lib/objects.mjs';
import { kubectlDra } from '../lib/program.mjs';
import { refusal, removeObjects, withNamespace } from '../lib/scratch.mjs';
import { loadSource } from '../lib/source.mjs';
import { expect } from '../lib/suite.mjs';
import { claimTemplate, podsIn, templatesIn, workerSpec } from '../lib/workers.mjs';
import { createWorkload, job } from '../lib/workloads.mjs';

const DRIVER = 'stops.example.com';
const NODE = 'stops-node';
const POOL = 'stops';
const CLASS = 'stops-gpu';
const OURS = 'cdk8s-dra.dev/v1alpha1';
const HOLDS = `/apis/${OURS}/deviceholds`;

export const contracts = [
  {
    id: 'door',
    text: 'Under a hold of level Door a new Job is refused with the reason, a lost pod of an older one is replaced, and after the release the Job comes in',
    where: 'lab',
    run: cluster => withWork(cluster, doorContract),
  },
  {
    id: 'allocation',
    text: 'Under a hold of level Allocation a new pod waits and running ones go on, and after the release it is bound',
    where: 'lab',
    run: cluster => withWork(cluster, allocationContract),
  },
  {
    id: 'two-people',
    text: 'Two people hold one pool; it is free when both are released',
    where: 'lab',
    run: cluster => withWork(cluster, twoPeople),
  },
  {
    id: 'rollback',
    text: 'A rollback holds the pool, saves the evidence, which explain and status read, and says that nodes are left',
    where: 'lab',
    run: cluster => withWork(cluster, rollbackContract),
  },
  {
    id: 'route',
    text: 'route --write makes the DeviceRouting that the server takes, and a second run finds nothing to do',
    where: 'lab',
    run: cluster => withWork(cluster, routeContract),
  },
  {
    id: 'bridge-name',
    text: 'A name is put on a class and taken off by server-side apply, and stays off under a hold of level Allocation',
    where: 'lab',
    since: '1.36',
    run: cluster => withWork(cluster, bridgeContract),
  },
];

const worlds = new WeakMap();

export async function cleanUp(cluster) {
  if (!worlds.has(cluster)) return;
  const { objects } = await worlds.get(cluster);
  await removeObjects(cluster, objects);
}

function worldOf(cluster) {
  if (!worlds.has(cluster)) worlds.set(cluster, makeWorld(cluster));
  return worlds.get(cluster);
}

/** Objects in force, and Hanna, who may hold. */
async function makeWorld(cluster) {
  const { stopObjects } = await loadSource('test/cluster/lib/stop-objects.ts');
  const installed = stopObjects(cluster.minor);
  const crds = installed.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const others = installed.filter(({ kind }) => kind !== 'CustomResourceDefinition');
  await installKinds(cluster, crds);
  const mine = [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'stops-on-call' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cdk8s-dra-hold' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'stops-hanna' }],
    },
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: CLASS },
      spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
    },
    migration('Canary'),
  ];
  for (const object of [...others, ...mine]) await apply(cluster, object);
  await makeNode(cluster, NODE);
  await cluster.api.patch(`/api/v1/nodes/${NODE}`, { metadata: { labels: { pool: POOL, 'cdk8s-dra.dev/gpu-owner': 'dra' } } });
  const devices = Array.from({ length: 8 }, (_, index) => ({ name: `gpu-${index}` }));
  const slice = sliceObject({ name: 'stops-slice', driver: DRIVER, node: NODE, devices });
  await apply(cluster, slice);
  const hanna = await certificateUser(cluster, { user: 'stops-hanna' });
  await untilInForce(cluster);
  return { objects: [...crds, ...mine, nodeObject(NODE), slice, ...others], hanna };
}

function migration(phase) {
  return {
    apiVersion: OURS,
    kind: 'DeviceMigration',
    metadata: { name: POOL },
    spec: {
      family: 'gpu',
      driver: DRIVER,
      nodes: { matchLabels: { pool: POOL } },
      deviceClassNames: [CLASS],
      legacy: { resources: [{ name: 'stops.example.com/gpu' }] },
      canary: { nodes: 1, namespaces: ['default'] },
      phase,
    },
  };
}

/** A policy counts a moment after it is written. */
async function untilInForce(cluster) {
  const name = 'stops-first';
  await cluster.api.create(HOLDS, {
    apiVersion: OURS,
    kind: 'DeviceHold',
    metadata: { name },
    spec: { migration: POOL, level: 'Door', classes: [CLASS], reason: 'first' },
  });
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'stops-probe' },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: CLASS } }] } },
  };
  const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims?dryRun=All';
  await waitFor('the hold policy to be in force', async () => {
    const words = await refusal(() => cluster.api.create(path, claim));
    return words?.includes('is held by DeviceHold') ? { done: true } : words;
  });
  await cluster.api.request('DELETE', `${HOLDS}/${name}`);
  await waitFor('the first hold to be over', async () => {
    const words = await refusal(() => cluster.api.create(path, claim));
    return words === undefined ? { done: true } : words;
  });
}

async function apply(cluster, object) {
  await cluster.api.apply(await objectPath(cluster.api, object), object);
}

/** A namespace with a template and a running Job of two pods; no hold is left of it. */
async function withWork(cluster, run) {
  const { hanna } = await worldOf(cluster);
  return withNamespace(cluster, 'stops', async namespace => {
    await waitFor('the hold of the contract before to be over for templates', async () => {
      const words = await refusal(() => cluster.api.create(templatesIn(namespace), claimTemplate('trainer', CLASS)));
      return words === undefined ? { done: true } : words;
    });
    await createWorkload(cluster, namespace, trainer('running', 2));
    await untilBound(cluster, namespace, 'running', 2);
    const dra = async (args, { kubeconfig = hanna.kubeconfig } = {}) => kubectlDra([...args, '--kubeconfig', kubeconfig]);
    try {
      return await run({ cluster, namespace, dra });
    } finally {
      for (const { metadata } of (await cluster.api.get(HOLDS)).items) await cluster.api.request('DELETE', `${HOLDS}/${metadata.name}`);
    }
  });
}

function trainer(name, pods) {
  return job(name, { pods, spec: workerSpec({ claims: { gpus: { template: 'trainer' } } }) });
}

/** The pods of a Job that the scheduler has bound, once there are so many. No kubelet is here: bound is as far as they come. */
function untilBound({ api }, namespace, name, count) {
  return waitFor(`${count} pods of Job ${name} to be bound`, async () => {
    const { items } = await api.get(`${podsIn(namespace)}?labelSelector=job-name%3D${name}`);
    const bound = items.filter(({ spec, metadata }) => spec.nodeName !== undefined && metadata.deletionTimestamp === undefined);
    return bound.length === count ? { done: bound } : items.map(({ metadata, spec, status }) => `${metadata.name} ${spec.nodeName} ${JSON.stringify(status.conditions)}`);
  });
}

/** A refused dry run of the Job, once the hold has reached every policy evaluator. */
function untilRefused({ api }, namespace, name) {
  return waitFor('a new Job to be refused', async () => {
    const words = await refusal(() => api.create(`/apis/batch/v1/namespaces/${namespace}/jobs?dryRun=All`, trainer(name, 1)));
    return words === undefined ? 'it was let in' : { done: words };
  });
}

function untilLetIn({ api }, namespace, name) {
  return waitFor('a new Job to be let in', async () => {
    const words = await refusal(() => api.create(`/apis/batch/v1/namespaces/${namespace}/jobs?dryRun=All`, trainer(name, 1)));
    return words === undefined ? { done: true } : words;
  });
}

async function doorContract({ cluster, namespace, dra }) {
  const held = await dra(['hold', POOL, '--reason', 'xid 79', '--ticket', 'INC-1']);
  expect(held.code === 0, `hold ended with ${held.code}: ${held.stdout}${held.stderr}`);
  expect(held.stdout.startsWith(`${POOL} is held: new work is refused, by DeviceHold ${POOL}-1`), held.stdout);
  expect(!held.stdout.includes('not known'), `Hanna may not see whether the policies are there: ${held.stdout}`);
  expect(held.stdout.includes('Running work is untouched: 2 pods with 2 devices by claims'), held.stdout);
  const words = await untilRefused(cluster, namespace, 'late');
  expect(words.includes('xid 79 (by stops-hanna, INC-1)'), words);
  const [lost] = await untilBound(cluster, namespace, 'running', 2);
  await cluster.api.request('DELETE', `${podsIn(namespace)}/${lost.metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await waitFor('the lost pod to be replaced', async () => {
    const pods = await untilBound(cluster, namespace, 'running', 2);
    return pods.every(({ metadata }) => metadata.uid !== lost.metadata.uid) ? { done: true } : 'still there';
  });
  const released = await dra(['release', POOL]);
  expect(released.code === 0 && released.stdout.startsWith(`${POOL} is released`), `${released.stdout}${released.stderr}`);
  await untilLetIn(cluster, namespace, 'late');
}

async function allocationContract({ cluster, namespace, dra }) {
  const held = await dra(['hold', POOL, '--reason', 'two owners', '--level', 'Allocation']);
  expect(held.code === 0, `${held.stdout}${held.stderr}`);
  expect(held.stdout.includes(`Job ${namespace}/running (2 pods)`), held.stdout);
  await untilRefused(cluster, namespace, 'late');
  // A replacement is let in, and waits for devices.
  const [lost] = await untilBound(cluster, namespace, 'running', 2);
  await cluster.api.request('DELETE', `${podsIn(namespace)}/${lost.metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
  await waitFor('the replacement to be refused devices', async () => {
    const { items } = await cluster.api.get(`/api/v1/namespaces/${namespace}/events?fieldSelector=reason%3DFailedScheduling`);
    return items.some(({ message }) => message.includes('held by DeviceHold')) ? { done: true } : items.map(({ message }) => message);
  });
  const { stdout } = await dra(['status', POOL]);
  expect(/1 pod waits for devices|\(\+1\)/.test(stdout), stdout);
  const start = Date.now();
  // The account of the platform, which may touch pods and classes.
  const released = await dra(['release', POOL], { kubeconfig: adminKubeconfig(cluster.state) });
  expect(released.code === 0 && released.stdout.includes('touched 1 waiting pod and 1 class'), `${released.stdout}${released.stderr}`);
  await untilBound(cluster, namespace, 'running', 2);
  return `bound ${((Date.now() - start) / 1000).toFixed(1)} s after the release began`;
}

async function twoPeople({ cluster, namespace, dra }) {
  await dra(['hold', POOL, '--reason', 'mine']);
  const second = await dra(['hold', POOL, '--reason', 'yours', '--by', 'bob']);
  expect(second.stdout.includes(`stops-hanna holds it too`), second.stdout);
  const one = await dra(['release', POOL, '--name', `${POOL}-1`]);
  expect(one.code === 1 && one.stdout.startsWith(`${POOL} is STILL HELD`), one.stdout);
  // Policies hear of the release a moment later, and name the first hold until then.
  await waitFor('the second hold to be the one that refuses', async () => {
    const refusal = await untilRefused(cluster, namespace, 'late');
    return refusal.includes('yours (by bob)') ? { done: true } : refusal;
  });
  expect((await dra(['release', POOL])).code === 0, 'the last release');
  await untilLetIn(cluster, namespace, 'late');
}

async function rollbackContract({ cluster, dra }) {
  const folder = join(ROOT, 'build', 'cluster');
  mkdirSync(folder, { recursive: true });
  const evidence = join(folder, `evidence-${process.pid}.json`);
  rmSync(evidence, { force: true });
  try {
    const { code, stdout, stderr } = await dra(['rollback', POOL, '--reason', 'drill', '--evidence', evidence], { kubeconfig: adminKubeconfig(cluster.state) });
    expect(code === 1 && stdout.startsWith(`The rollback of ${POOL} has begun: nothing new starts on it.`), `${code} ${stdout}${stderr}`);
    expect(stdout.includes('0 of 1 nodes belong to the device plugin, 1 is to be given back.'), stdout);
    expect(readFileSync(evidence, 'utf8').includes('"kind":"ResourceClaim"'), 'no claims in the evidence');
    const { stdout: status } = await kubectlDra(['status', '--from', evidence]);
    expect(status.includes('give its nodes back as they empty'), status);
  } finally {
    rmSync(evidence, { force: true });
  }
}

async function routeContract({ cluster, dra }) {
  const admin = { kubeconfig: adminKubeconfig(cluster.state) };
  try {
    const { code, stdout, stderr } = await dra(['route', '--write'], admin);
    expect(code === 0 && stdout.includes('write DeviceRouting'), `${stdout}${stderr}`);
    const { spec } = await cluster.api.get(`/apis/${OURS}/deviceroutings/default`);
    expect(spec.classes[CLASS].door === 'Canary', JSON.stringify(spec));
    const again = await dra(['route'], admin);
    // Templates of the contracts before may still be on their way out; their doors are none of ours.
    expect(!/^ {2}\w+ +(class|resource|driver|bridge) /m.test(again.stdout), again.stdout);
    const forbidden = await dra(['route', '--write']);
    expect(forbidden.code !== 1 || forbidden.stderr !== '', 'Hanna wrote the routing');
  } finally {
    await cluster.api.request('DELETE', `/apis/${OURS}/deviceroutings/default`);
  }
}

async function bridgeContract({ cluster, dra }) {
  const admin = { kubeconfig: adminKubeconfig(cluster.state) };
  const name = async () => (await cluster.api.get(`/apis/resource.k8s.io/v1/deviceclasses/${CLASS}`)).spec.extendedResourceName;
  try {
    await apply(cluster, migration('Expand'));
    await dra(['route', '--write'], admin);
    expect((await name()) === 'stops.example.com/gpu', `the class carries ${await name()}`);
    const held = await dra(['hold', POOL, '--reason', 'x', '--level', 'Allocation'], admin);
    expect(held.stdout.includes(`took stops.example.com/gpu off class ${CLASS}`), held.stdout);
    expect((await name()) === undefined, `the class still carries ${await name()}`);
    const left = await dra(['route'], admin);
    expect(!left.stdout.includes('bridge'), `route would put it back: ${left.stdout}`);
    // Hanna may not write classes: what she cannot do is said, and put on again it is not.
    const released = await dra(['release', POOL]);
    expect(released.code === 1 && released.stdout.includes(`put stops.example.com/gpu back on class ${CLASS}`), released.stdout);
    await dra(['route', '--write'], admin);
    expect((await name()) === 'stops.example.com/gpu', `the class carries ${await name()}`);
  } finally {
    await apply(cluster, migration('Canary'));
    await dra(['route', '--write'], admin);
    await cluster.api.request('DELETE', `/apis/${OURS}/deviceroutings/default`);
  }
}

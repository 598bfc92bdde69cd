// What steers work while pools move: ClaimRewriting, by which workloads come out with a claim instead of the old resource, and taints on devices of a driver that owns no node yet.
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { certificateUser } from '../lib/cluster.mjs';
import { loadEmitted } from '../lib/emitted.mjs';
import { makeNode, nodeObject, sliceObject } from '../lib/hand-made-node.mjs';
import { installKinds } from '../lib/kinds.mjs';
import { objectPath } from '../lib/objects.mjs';
import { refusal, removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';
import { claimTemplate, podsIn, templatesIn } from '../lib/workers.mjs';

const DRIVER = 'routing.example.com';
const RESOURCE = 'routing.example.com/gpu.shared';
const CLASS = 'routing-gpu';
const NODE = 'routing-node';
const LABEL = 'cdk8s-dra.dev/rewrite-to-claims';
const ANNOTATION = 'cdk8s-dra.dev/rewritten-from';
const OPEN = { classes: { [CLASS]: { door: 'Open', message: `Class ${CLASS} is open.` } } };

const lab = (id, text, run, labels) => ({ id, text, where: 'lab', since: '1.36', run: async cluster => within(await worldOf(cluster), run, labels) });

export const contracts = [
  lab('rewritten', 'A Job, CronJob, Deployment, StatefulSet or bare pod that asks for the old resource comes out with a claim, in its own namespace and by label', rewritten),
  lab('kept', 'What has no label, is by claim already, has no devices or asks for a number without a template is stored as it was sent', kept),
  lab('namespace', 'The label of a namespace means every workload in it but those that say false', byNamespace, { [LABEL]: 'true' }),
  lab('once', 'What came out goes in again unchanged, and an update of an older workload is not rewritten', once),
  lab('door', 'A workload is rewritten as soon as the door of the class lets it in, and not before', doors),
  lab('hold', 'While the class is held what comes out is refused with the reason, and takes the old way where the workload says false', held),
  lab('runs', 'A pod of a rewritten Job gets a claim and is bound to a node with devices', runs),
  lab('no-parameter', 'Without the DeviceRouting, and without its CRD, workloads are made as they are sent', withoutParameter),
];

contracts.push({
  id: 'not-yet',
  text: 'The scheduler leaves devices of a driver alone until the first of its pools is in Canary, and takes them then; a claim that is allocated stays',
  where: 'lab',
  since: '1.37',
  run: cluster => withNamespace(cluster, 'routing', namespace => notYet(cluster, namespace)),
});

let world;

async function worldOf(cluster) {
  world ??= await makeWorld(cluster);
  return world;
}

async function makeWorld(cluster) {
  const emitted = loadEmitted();
  const crds = emitted.manifestsOf(emitted.MIGRATION_CRDS, cluster.minor, {}, 'routing');
  const objects = emitted.manifestsOf(emitted.claimRewritingOf({ driver: DRIVER, resource: RESOURCE, deviceClass: CLASS, claims: { 1: 'gpu-1', 2: 'gpu-2' } }), cluster.minor, {}, 'routing');
  if (typeof objects === 'string') throw new Error(objects);
  const judging = emitted.manifestsOf(emitted.policiesOf({ policies: ['Door', 'Hold'] }), cluster.minor, {}, 'routing');
  const policies = [...judging, ...objects].filter(({ apiVersion }) => apiVersion.startsWith('admissionregistration'));
  const others = [
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: CLASS }, spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] } },
    ...tenant(),
  ];
  await installKinds(cluster, crds);
  for (const object of others) await cluster.api.apply(await objectPath(cluster.api, object), object);
  await makeNode(cluster, NODE);
  const slice = sliceObject({ name: 'routing-slice', driver: DRIVER, node: NODE, devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }] });
  await cluster.api.apply(await objectPath(cluster.api, slice), slice);
  await setRouting(cluster, OPEN);
  for (const object of policies) await cluster.api.apply(await objectPath(cluster.api, object), object);
  const { api: rita } = await certificateUser(cluster, { user: 'routing-rita' });
  return { cluster, rita, remove: () => removeObjects(cluster, [...crds, ...others, nodeObject(NODE), slice, ...policies]) };
}

/** Somebody who may do everything in namespaces, and is no administrator. */
function tenant() {
  const rbac = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'] }];
  return [
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'routing-tenant' }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'routing-tenant' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'routing-tenant' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'routing-rita' }],
    },
  ];
}

export async function cleanUp() {
  await world?.remove();
  world = undefined;
}

function setRouting({ api }, spec) {
  return api.apply(ROUTING, { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec });
}

const ROUTING = '/apis/cdk8s-dra.dev/v1alpha1/deviceroutings/default';

async function within(world, run, labels) {
  return withNamespace(world.cluster, 'routing', async namespace => {
    for (const count of [1, 2]) await world.cluster.api.create(templatesIn(namespace), claimTemplate(`gpu-${count}`, CLASS, count));
    await untilRewritten(world, namespace, true);
    return run(world, namespace);
  }, labels);
}

/** Policies and parameters take effect a moment after they are written. */
async function untilRewritten(world, namespace, wanted) {
  await waitFor(`a Job ${wanted ? 'to be' : 'not to be'} rewritten`, async () => {
    const made = await make(world, namespace, 'Job', podSpec({ limits: { [RESOURCE]: '1' } }), ASKED);
    return isRewritten(made) === wanted ? { done: true } : specOf(made);
  }, { every: 50 });
}

const ASKED = { labels: { [LABEL]: 'true' } };

const KINDS = {
  Pod: { apiVersion: 'v1', path: 'pods' },
  Job: { apiVersion: 'batch/v1', path: 'jobs' },
  CronJob: { apiVersion: 'batch/v1', path: 'cronjobs' },
  Deployment: { apiVersion: 'apps/v1', path: 'deployments' },
  StatefulSet: { apiVersion: 'apps/v1', path: 'statefulsets' },
};

function pathOf(namespace, kind) {
  const { apiVersion, path } = KINDS[kind];
  return `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/namespaces/${namespace}/${path}`;
}

function podSpec(resources, more = {}) {
  return { containers: [{ name: 'main', image: 'registry.example.com/main:1', ...(resources === undefined ? {} : { resources }) }], ...more };
}

function objectOf(kind, spec, metadata = {}) {
  const common = { apiVersion: KINDS[kind].apiVersion, kind, metadata: { name: 'train', ...metadata } };
  if (kind === 'Pod') return { ...common, spec: { ...spec, restartPolicy: 'Never' } };
  const template = { metadata: { labels: { app: 'train' } }, spec: { ...spec, ...(kind.endsWith('Job') ? { restartPolicy: 'Never' } : {}) } };
  if (kind === 'Job') return { ...common, spec: { template } };
  if (kind === 'CronJob') return { ...common, spec: { schedule: '@daily', jobTemplate: { spec: { template } } } };
  return { ...common, spec: { selector: { matchLabels: { app: 'train' } }, template, ...(kind === 'StatefulSet' ? { serviceName: 'train' } : {}) } };
}

/** What the server would store. */
async function make({ rita }, namespace, kind, spec, metadata) {
  return rita.request('POST', `${pathOf(namespace, kind)}?dryRun=All&fieldValidation=Strict`, objectOf(kind, spec, metadata)).then(({ status, body }) => {
    expect(status < 300, `${kind}: ${body.message}`);
    return body;
  });
}

function specOf({ kind, spec }) {
  return kind === 'Pod' ? spec : kind === 'CronJob' ? spec.jobTemplate.spec.template.spec : spec.template.spec;
}

function isRewritten({ metadata }) {
  return metadata.annotations?.[ANNOTATION] !== undefined;
}

/** Claims of the pod and of each container, and what is left of the old resource. */
function devicesOf(object) {
  const { containers, resourceClaims = [] } = specOf(object);
  return JSON.stringify({
    pod: resourceClaims.map(({ name, resourceClaimTemplateName }) => `${name} ${resourceClaimTemplateName}`),
    containers: containers.map(({ resources = {} }) => ({
      claims: (resources.claims ?? []).map(({ name }) => name),
      left: ['limits', 'requests'].flatMap(list => Object.keys(resources[list] ?? {})),
    })),
  });
}

async function rewritten(world, namespace) {
  const ask = (units, list = ['limits']) => Object.fromEntries(list.map(each => [each, { [RESOURCE]: units, cpu: '1' }]));
  const one = JSON.stringify({ pod: ['rewriting-0 gpu-1'], containers: [{ claims: ['rewriting-0'], left: ['cpu'] }] });
  const both = JSON.stringify({ pod: ['rewriting-0 gpu-2'], containers: [{ claims: ['rewriting-0'], left: ['cpu', 'cpu'] }] });
  const wrong = [];
  const tell = (what, got, wanted) => {
    if (got !== wanted) wrong.push(`${what}: ${got} instead of ${wanted}`);
  };
  for (const kind of Object.keys(KINDS)) {
    // The server copies limits of a pod into its requests.
    const made = await make(world, namespace, kind, podSpec(ask('1')), ASKED);
    tell(kind, devicesOf(made), kind === 'Pod' ? one.replace('"cpu"', '"cpu","cpu"') : one);
    tell(`${kind} says so`, made.metadata.annotations?.[ANNOTATION], RESOURCE);
    tell(`${kind} with requests and annotations`, devicesOf(await make(world, namespace, kind, podSpec(ask('2', ['limits', 'requests'])), { ...ASKED, annotations: { a: 'b' } })), both);
  }
  const several = {
    containers: [{ name: 'idle', image: 'x' }, ...['1', '2'].map(units => ({ name: `c${units}`, image: 'x', resources: { ...ask(units), claims: [{ name: 'nic' }] } }))],
    resourceClaims: [{ name: 'nic', resourceClaimTemplateName: 'nic' }],
  };
  tell('several containers and a claim', devicesOf(await make(world, namespace, 'Job', several, ASKED)), JSON.stringify({
    pod: ['nic nic', 'rewriting-1 gpu-1', 'rewriting-2 gpu-2'],
    containers: [{ claims: [], left: [] }, { claims: ['nic', 'rewriting-1'], left: ['cpu'] }, { claims: ['nic', 'rewriting-2'], left: ['cpu'] }],
  }));
  const again = await make(world, namespace, 'Job', podSpec(ask('1')), { ...ASKED, annotations: { [ANNOTATION]: 'example.com/nic' } });
  tell('rewritten by another policy too', again.metadata.annotations[ANNOTATION], `example.com/nic,${RESOURCE}`);
  expect(wrong.length === 0, wrong.join('\n'));
}

async function kept(world, namespace) {
  const asking = units => podSpec({ limits: { [RESOURCE]: units } });
  const byClaim = podSpec({ claims: [{ name: 'mine' }] }, { resourceClaims: [{ name: 'mine', resourceClaimTemplateName: 'gpu-1' }] });
  const init = { ...asking('1'), initContainers: [{ name: 'init', image: 'x', resources: { limits: { [RESOURCE]: '1' } } }] };
  const owner = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: '0a', controller: true }] };
  const tries = [
    ['without the label', asking('1'), {}],
    ['with the label false', asking('1'), { labels: { [LABEL]: 'false' } }],
    ['by claim', byClaim, ASKED],
    ['without devices', podSpec({ limits: { cpu: '1' } }), ASKED],
    ['without resources', podSpec(), ASKED],
    ['another resource', podSpec({ limits: { 'routing.example.com/nic': '1' } }), ASKED],
    ['a number without a template', asking('3'), ASKED],
    ['an init container that asks too', init, ASKED],
    ['of a controller', asking('1'), { ...ASKED, ...owner }],
  ];
  const changed = [];
  for (const kind of Object.keys(KINDS)) {
    for (const [what, spec, metadata] of tries) {
      const made = await make(world, namespace, kind, spec, metadata);
      const [sent, got] = [devicesOf(objectOf(kind, spec)), devicesOf(made)];
      // Limits of a pod are copied into its requests.
      const isSame = sent === got || (kind === 'Pod' && dropRequests(made) === sent);
      if (!isSame || isRewritten(made)) changed.push(`${kind} ${what}: ${got} instead of ${sent}`);
    }
  }
  expect(changed.length === 0, changed.join('\n'));
  return `${Object.keys(KINDS).length * tries.length} workloads`;
}

function dropRequests(pod) {
  const containers = pod.spec.containers.map(container => ({ ...container, resources: { ...container.resources, requests: {} } }));
  return devicesOf({ ...pod, spec: { ...pod.spec, containers } });
}

async function byNamespace(world, namespace) {
  const spec = podSpec({ limits: { [RESOURCE]: '1' } });
  await waitFor('the label of the namespace to count', async () => (isRewritten(await make(world, namespace, 'Job', spec)) ? { done: true } : 'not yet'), { every: 50 });
  expect(!isRewritten(await make(world, namespace, 'Job', spec, { labels: { [LABEL]: 'false' } })), 'A workload that says false was rewritten.');
  // Only one of the two bindings may see it.
  const twice = await make(world, namespace, 'Job', spec, ASKED);
  expect(specOf(twice).resourceClaims.length === 1, devicesOf(twice));
}

async function once(world, namespace) {
  const { rita } = world;
  const path = pathOf(namespace, 'Deployment');
  const first = await make(world, namespace, 'Deployment', podSpec({ limits: { [RESOURCE]: '1' } }), ASKED);
  const { resourceVersion, uid, creationTimestamp, generation, managedFields, ...metadata } = first.metadata;
  const again = await rita.request('POST', `${path}?dryRun=All`, { ...first, metadata });
  expect(devicesOf(again.body) === devicesOf(first), `${devicesOf(again.body)} instead of ${devicesOf(first)}`);
  await rita.create(path, objectOf('Deployment', podSpec({ limits: { [RESOURCE]: '1' } })));
  const patched = await rita.request('PATCH', `${path}/train`, { metadata: ASKED }, 'application/merge-patch+json');
  expect(patched.status < 300 && !isRewritten(patched.body), JSON.stringify(patched.body).slice(0, 300));
  await rita.request('DELETE', `${path}/train`);
}

async function doors(world, namespace) {
  const { cluster } = world;
  const canary = { door: 'Canary', namespaces: [namespace], interruptions: ['safe'], message: 'For a canary only.' };
  const spec = podSpec({ limits: { [RESOURCE]: '1' } });
  const safe = { labels: { ...ASKED.labels, 'cdk8s-dra.dev/interruption': 'safe' } };
  try {
    await setRouting(cluster, { classes: { [CLASS]: { door: 'Closed', message: 'Not open yet.' } } });
    await untilRewritten(world, namespace, false);
    await setRouting(cluster, { classes: { [CLASS]: canary } });
    await waitFor('the canary to be let in', async () => (isRewritten(await make(world, namespace, 'Job', spec, safe)) ? { done: true } : 'not yet'), { every: 50 });
    expect(!isRewritten(await make(world, namespace, 'Job', spec, ASKED)), 'Work that is not safe was rewritten in a canary.');
    await setRouting(cluster, { classes: { [CLASS]: { ...canary, namespaces: ['elsewhere'] } } });
    await waitFor('the canary to end', async () => (isRewritten(await make(world, namespace, 'Job', spec, safe)) ? 'still' : { done: true }), { every: 50 });
  } finally {
    await setRouting(cluster, OPEN);
  }
  await untilRewritten(world, namespace, true);
}

async function held({ cluster, rita }, namespace) {
  const holds = '/apis/cdk8s-dra.dev/v1alpha1/deviceholds';
  const create = labels => refusal(() => rita.create(`${pathOf(namespace, 'Job')}?dryRun=All`, objectOf('Job', podSpec({ limits: { [RESOURCE]: '1' } }), { labels })));
  await cluster.api.create(holds, {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceHold',
    metadata: { name: 'routing' },
    spec: {
      migration: 'pool', level: 'Door', classes: [CLASS], templates: { [namespace]: `${CLASS}: gpu-1 gpu-2\n` }, reason: 'Devices are given out twice.', by: 'rita',
    },
  });
  try {
    await waitFor('the hold to be in force', async () => {
      const words = await create(ASKED.labels);
      return words?.includes('Devices are given out twice.') ? { done: true } : (words ?? 'it goes through');
    }, { every: 50 });
    expect((await create({ [LABEL]: 'false' })) === undefined, 'The old way is closed too.');
  } finally {
    await cluster.api.request('DELETE', `${holds}/routing`);
  }
  await waitFor('the hold to be gone', async () => {
    const words = await create(ASKED.labels);
    return words === undefined ? { done: true } : words;
  }, { every: 50 });
}

async function runs(world, namespace) {
  const { rita, cluster } = world;
  await rita.create(pathOf(namespace, 'Job'), objectOf('Job', podSpec({ limits: { [RESOURCE]: '2' } }, { tolerations: [{ operator: 'Exists' }] }), ASKED));
  return waitFor('a pod of the Job to be bound', async () => {
    const { items } = await cluster.api.get(podsIn(namespace));
    const [pod] = items;
    const claim = pod?.status?.resourceClaimStatuses?.[0]?.resourceClaimName;
    if (pod?.spec.nodeName === undefined || claim === undefined) return pod?.status;
    const { status } = await cluster.api.get(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/${claim}`);
    return { done: `${status.allocation.devices.results.length} devices on ${pod.spec.nodeName}` };
  }, { seconds: 60 });
}

async function withoutParameter(world, namespace) {
  const { cluster } = world;
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/deviceroutings.cdk8s-dra.dev';
  const kind = await cluster.api.get(crd);
  try {
    await cluster.api.request('DELETE', ROUTING);
    await untilRewritten(world, namespace, false);
    await cluster.api.request('DELETE', crd);
    await waitFor('the CRD to be gone', async () => ((await cluster.api.request('GET', crd)).status === 404 ? { done: true } : 'still there'));
    const refused = [];
    for (let round = 0; round < 20; round++) {
      for (const each of Object.keys(KINDS)) {
        for (const resources of [undefined, { limits: { [RESOURCE]: '1' } }]) {
          const words = await refusal(() => world.rita.create(`${pathOf(namespace, each)}?dryRun=All`, objectOf(each, podSpec(resources), ASKED)));
          if (words !== undefined) refused.push(`${each}: ${words}`);
        }
      }
    }
    expect(refused.length === 0, [...new Set(refused)].join('\n'));
  } finally {
    const { name, labels, annotations } = kind.metadata;
    await installKinds(cluster, [{ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, labels, annotations }, spec: kind.spec }]);
    await setRouting(cluster, OPEN);
  }
  await untilRewritten(world, namespace, true);
}

async function notYet(cluster, namespace) {
  const { api } = cluster;
  const [driver, deviceClass, node] = ['early.example.com', 'routing-early', 'routing-early'];
  const emitted = loadEmitted();
  const ruleIn = phase => emitted.manifestsOf(emitted.taintedPoolOf(driver, deviceClass, phase), cluster.minor, {}, 'routing').find(({ kind }) => kind === 'DeviceTaintRule');
  const slice = sliceObject({ name: 'routing-early', driver, node, devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }] });
  const made = [
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: deviceClass }, spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] } },
    ruleIn('Observe'),
  ];
  const pod = name => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { restartPolicy: 'Never', tolerations: [{ operator: 'Exists' }], ...podSpec({ claims: [{ name: 'gpu' }] }, { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'early' }] }) },
  });
  const until = (name, what, judge) => waitFor(`pod ${name} ${what}`, async () => {
    const found = await api.get(`${podsIn(namespace)}/${name}`);
    const words = found.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
    return judge(found, words) ? { done: words ?? found.spec.nodeName } : found.status;
  }, { seconds: 60 });
  const isBound = ({ spec }) => spec.nodeName === node;
  try {
    for (const object of made) await api.apply(await objectPath(api, object), object);
    await makeNode(cluster, node);
    await api.apply(await objectPath(api, slice), slice);
    await api.create(templatesIn(namespace), claimTemplate('early', deviceClass, 1));
    await api.create(podsIn(namespace), pod('waits'));
    const words = await until('waits', 'to be put aside', (_, message) => message !== undefined);
    await sleep(3000);
    expect(!isBound(await api.get(`${podsIn(namespace)}/waits`)), 'The pod was bound under the taint.');
    await api.apply(await objectPath(api, made[1]), ruleIn('Canary'));
    await until('waits', 'to be bound', isBound);
    await api.apply(await objectPath(api, made[1]), made[1]);
    await api.create(podsIn(namespace), pod('later'));
    await until('later', 'to be put aside', (_, message) => message !== undefined);
    expect(isBound(await api.get(`${podsIn(namespace)}/waits`)), 'The pod that had its device was touched.');
    return words;
  } finally {
    await removeObjects(cluster, [...made, nodeObject(node), slice]);
  }
}

// Doors, holds, fences, access: what the admission policies let in and refuse, as real accounts and with the real scheduler.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { crdRemoval, parameterRemoval } from '../lib/doors-removal.mjs';
import { ACCESS_TRIALS, attempt, claim, CLOSED, DOOR, IMPLICIT, ORIGIN, owned, tryTable } from '../lib/doors-requests.mjs';
import { bridge, consumers, fence, FENCE, gang, HOLD_FENCE, opening, removeWork } from '../lib/doors-scheduling.mjs';
import { costOfHolds, costPerRequest, holdToEffect } from '../lib/doors-times.mjs';
import {
  doorsWorld,
  HOLDS,
  holdObject,
  LEFT_OUT,
  LEGACY,
  NODE,
  PLAIN,
  podSpec,
  podWith,
  removeWorld,
  ROUTING,
  setRouting,
  TENANT,
  untilAllowed,
  untilRefused,
  workloadsIn,
} from '../lib/doors-world.mjs';
import { refusal } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';
import { claimSpec, claimsIn, claimTemplate, podsIn, templatesIn } from '../lib/workers.mjs';
import { createWorkload, job } from '../lib/workloads.mjs';

// An older version of a claim must not be a way around.
export const needs = { runtimeConfig: 'resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true' };

const lab = (id, text, run, more = {}) => ({ id, text, where: 'lab', ...more, run: async cluster => run(await doorsWorld(cluster)) });

export const contracts = [
  lab('types', 'The API server takes every policy and has nothing to say against its types', types),
  lab('workloads', 'A workload of every kind is refused where its pods ask for a closed class, and let in where they ask for an open one', everyKind),
  lab('door', 'New work comes in only as the door of its class or resource says, and is told why not', world => tryTable(world, DOOR)),
  lab('updates', 'Work that was let in is scaled and unsuspended under a closed door; a change that asks for more is refused', updates),
  lab('old-versions', 'A claim in an older version of the API meets the same door', oldVersions),
  lab('access', 'A tenant uses the classes, templates and numbers of its DeviceAccess, and no others', world => tryTable(world, ACCESS_TRIALS)),
  lab('no-access', 'In a namespace of a tenant without a DeviceAccess there are no claims, and pods without devices run', noAccess),
  lab('claim-origin', 'Nobody but the scheduler and controllers makes claims that pretend to be theirs', world => tryTable(world, ORIGIN)),
  lab('admin-access', 'Admin access is given and asked for by the platform only', adminAccess),
  lab('who-may-hold', 'Who has the role for holding makes and deletes holds with a plain request, and can change nothing else', whoMayHold),
  lab('hold', 'A hold refuses what it names, tells its reason and its end, and nothing is left of it when it is deleted', hold),
  lab('many-templates', 'A door and a hold find 512 names in the longest text of a namespace, and refuse a text that is longer or that they could not read', manyTemplates),
  lab('consumers', 'The scheduler gives a claim to as many pods as its DeviceAccess says; the next one waits with our words', consumers),
  lab('fence', 'A fence keeps a waiting pod Pending, an allocated claim is released, and the pod is bound once the fence is lifted', world =>
    fence(world, FENCE)),
  lab('hold-fence', 'A hold of level Allocation does the same, and nothing at level Door', world => fence(world, HOLD_FENCE)),
  lab('bridge', 'A claim that the scheduler makes for an implicit resource passes all policies', bridge, { since: '1.36' }),
  lab('gang', 'A Job of 64 pods that loses a worker under a closed door gets it back', gang),
  lab('system', 'Nothing is refused in kube-system', system),
  lab('empty-routing', 'When the last migration goes, the routing that knew its classes can be emptied, and all doors are open', emptyRouting),
  lab('no-parameter', 'Without their parameters the policies stop nobody but claims of tenants without a DeviceAccess', parameterRemoval),
  lab('no-crd', 'With the CRD of a parameter deleted pods without devices run everywhere, and claims are allocated and released', crdRemoval),
  lab('hold-to-effect', 'A hold works a moment after it is made, with 200 tenants', holdToEffect),
  lab('cost', 'What the policies cost a request, with 200 tenants', costPerRequest),
  lab('cost-of-holds', 'What many holds at once cost a request', costOfHolds),
];

export async function cleanUp(cluster) {
  await removeWorld(cluster);
}

async function types({ cluster, policies }) {
  const named = policies.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ metadata }) => metadata.name);
  for (const name of named) {
    const status = await waitFor(`the types of ${name} to be checked`, async () => {
      const policy = await cluster.api.get(`/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${name}`);
      return policy.status?.observedGeneration === policy.metadata.generation ? { done: policy.status } : policy.status;
    });
    expect((status.typeChecking?.expressionWarnings ?? []).length === 0, `${name}: ${JSON.stringify(status.typeChecking)}`);
  }
  return `${named.length} policies`;
}

async function everyKind({ cluster, anna, workloads, workloadObject }) {
  const wrong = [];
  for (const workload of workloads) {
    const path = await workloadsIn(cluster.api, TENANT, workload);
    const template = devices => ({ spec: { ...podSpec(devices), restartPolicy: restartPolicyOf(workload) } });
    const tries = [
      [{ templates: ['closed'] }, `${workload.kind} "train" asks for class doors-closed by template closed; it is cdk8s-dra.dev/interruption=costly. ${CLOSED}`],
      [{ limits: { [LEGACY]: '1' } }, `${workload.kind} "train" asks for ${LEGACY}`],
      [{ templates: ['open'] }, undefined],
      [{}, undefined],
    ];
    for (const [devices, words] of tries) wrong.push(...(await attempt(anna, path, workloadObject(workload, 'train', template(devices)), words)));
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${workloads.length} workloads`;
}

function restartPolicyOf({ kind, group }) {
  return group !== '' && group !== 'apps' ? 'Never' : kind === 'Pod' ? 'Never' : 'Always';
}

async function updates(world) {
  const { cluster, anna } = world;
  await opening(world, async () => {
    await anna.create(`/apis/apps/v1/namespaces/${TENANT}/deployments`, deploymentOf('closed'));
    const work = job('train', { pods: 1, spec: podSpec({ templates: ['closed'] }) });
    await createWorkload({ api: anna }, TENANT, { ...work, spec: { ...work.spec, suspend: true } });
  });
  const deployments = `/apis/apps/v1/namespaces/${TENANT}/deployments/train`;
  const jobs = `/apis/batch/v1/namespaces/${TENANT}/jobs/train`;
  try {
    await anna.patch(deployments, { spec: { replicas: 1 } });
    await anna.patch(`${deployments}/scale`, { spec: { replicas: 0 } });
    await anna.patch(deployments, { metadata: { labels: { a: 'b' } } });
    await anna.patch(jobs, { spec: { suspend: false } });
    const spec = { ...podSpec({ templates: ['closed'], limits: { [LEGACY]: '1' } }), restartPolicy: 'Always' };
    const asked = await refusal(() => anna.patch(`${deployments}?dryRun=All`, { spec: { template: { spec } } }));
    expect(asked?.includes(`Deployment "train" asks for ${LEGACY}`), `A change that asks for more: ${asked}`);
  } finally {
    await cluster.api.request('DELETE', deployments);
    await removeWork(world, TENANT, jobs);
  }
}

function deploymentOf(template) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'train' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'train' } },
      template: { metadata: { labels: { app: 'train' } }, spec: { ...podSpec({ templates: [template] }), restartPolicy: 'Always' } },
    },
  };
}

async function oldVersions({ anna }) {
  const flat = { apiVersion: 'resource.k8s.io/v1beta1', kind: 'ResourceClaim', metadata: { name: 'mine' }, spec: { devices: { requests: [{ name: 'r0', deviceClassName: 'doors-closed' }] } } };
  const beta = { ...claim(['doors-closed']), apiVersion: 'resource.k8s.io/v1beta2' };
  const wrong = [];
  for (const object of [flat, beta]) wrong.push(...(await attempt(anna, `/apis/${object.apiVersion}/namespaces/${TENANT}/resourceclaims`, object, CLOSED)));
  expect(wrong.length === 0, wrong.join('\n'));
}

async function noAccess({ anna }) {
  const path = { pod: `${podsIn(LEFT_OUT)}?dryRun=All`, claim: `${claimsIn(LEFT_OUT)}?dryRun=All`, template: `${templatesIn(LEFT_OUT)}?dryRun=All` };
  const refused = await refusal(() => anna.create(path.claim, claim(['doors-open'])));
  expect(refused?.includes('cdk8s-dra-access') && refused.includes('no params found'), `A claim: ${refused}`);
  const template = await refusal(() => anna.create(path.template, claimTemplate('open', 'doors-open')));
  expect(template?.includes('cdk8s-dra-access'), `A template: ${template}`);
  await anna.create(path.pod, podWith({}));
  return refused;
}

// C-046
async function adminAccess({ cluster, anna, paula }) {
  const LABEL = 'resource.kubernetes.io/admin-access';
  const label = client => client.patch(`/api/v1/namespaces/${PLAIN}?dryRun=All`, { metadata: { labels: { [LABEL]: 'true' } } });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doors-new', labels: { [LABEL]: 'true' } } };
  const only = 'members of doors-platform only';
  for (const request of [() => label(anna), () => anna.create('/api/v1/namespaces?dryRun=All', namespace)]) {
    const got = await refusal(request);
    expect(got?.includes(`may get the label ${LABEL} from ${only}`), `The label: ${got}`);
  }
  await label(paula);
  await paula.create('/api/v1/namespaces?dryRun=All', namespace);
  await anna.patch(`/api/v1/namespaces/${PLAIN}?dryRun=All`, { metadata: { labels: { other: 'x' } } });
  await paula.patch(`/api/v1/namespaces/${PLAIN}`, { metadata: { labels: { [LABEL]: 'true' } } });
  try {
    await anna.patch(`/api/v1/namespaces/${PLAIN}?dryRun=All`, { metadata: { labels: { other: 'x' } } });
    const asking = { exactly: { deviceClassName: 'doors-open', allocationMode: 'All', adminAccess: true } };
    const template = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'admin' }, spec: { spec: claim([asking]).spec } };
    const wrong = [
      ...(await attempt(anna, claimsIn(PLAIN), claim([asking]), `ResourceClaim "mine" asks for admin access, which ${only} may have.`)),
      ...(await attempt(anna, templatesIn(PLAIN), template, `ResourceClaimTemplate "admin" asks for admin access, which ${only} may have.`)),
      ...(await attempt(paula, claimsIn(PLAIN), claim([asking]), undefined)),
      ...(await attempt(paula, templatesIn(PLAIN), template, undefined)),
    ];
    expect(wrong.length === 0, wrong.join('\n'));
  } finally {
    await cluster.api.patch(`/api/v1/namespaces/${PLAIN}`, { metadata: { labels: { [LABEL]: null } } });
  }
}

async function whoMayHold({ anna: _anna, hanna, cluster }) {
  const object = holdObject('doors-role', { classes: ['nobodys'] });
  await hanna.create(HOLDS, object);
  await hanna.get(`${HOLDS}/doors-role`);
  const changed = await refusal(() => hanna.patch(`${HOLDS}/doors-role`, { spec: { reason: 'x' } }));
  expect(changed?.includes('cannot patch resource "deviceholds"'), `A change: ${changed}`);
  await hanna.delete(`${HOLDS}/doors-role`);
  for (const [method, path] of [['DELETE', podsIn(TENANT)], ['DELETE', '/apis/cdk8s-dra.dev/v1alpha1/deviceroutings/default'], ['DELETE', `/api/v1/nodes/${NODE}`]]) {
    const { status } = await hanna.request(method, `${path}?dryRun=All`);
    expect(status === 403, `${method} ${path}: ${status}`);
  }
  const wrong = await refusal(() => cluster.api.create(`${HOLDS}?dryRun=All`, holdObject('doors-role', {})));
  expect(wrong?.includes('must name what it holds'), `A hold of nothing: ${wrong}`);
}

async function hold(world) {
  const { anna, hanna, operator } = world;
  const what = { classes: ['doors-open'], resources: ['doors.example.com/nic'], templates: { [TENANT]: 'doors-open: open\n' } };
  const words = 'is held by DeviceHold doors-night on pool doors: Devices are given out twice. (by hanna). It ends with: kubectl delete devicehold doors-night. What runs goes on, and its pods are replaced.';
  const tries = [
    [podsIn(TENANT), podWith({ templates: ['open'] }), `Pod "train" asks for class doors-open by template open, which ${words}`],
    [podsIn(TENANT), podWith({ limits: { [`${IMPLICIT}doors-open`]: '1' } }), `by resource ${IMPLICIT}doors-open, which ${words}`],
    [podsIn(TENANT), podWith({ limits: { 'doors.example.com/nic': '1' } }), `asks for doors.example.com/nic, which ${words}`],
    [claimsIn(TENANT), claim(['doors-open']), `asks for class doors-open by a claim, which ${words}`],
    [templatesIn(PLAIN), claimTemplate('late', 'doors-open'), `ResourceClaimTemplate "late" asks for class doors-open by its claims, which ${words}`],
  ];
  await hanna.create(HOLDS, holdObject('doors-night', what));
  try {
    await untilRefused(() => anna.create(`${podsIn(TENANT)}?dryRun=All`, tries[0][1]), 'is held by');
    const wrong = [];
    for (const [path, object, refused] of tries) wrong.push(...(await attempt(anna, path, object, refused)));
    wrong.push(...(await attempt(anna, podsIn(TENANT), podWith({ templates: ['tenants'] }), undefined)));
    wrong.push(...(await attempt(anna, podsIn(TENANT), podWith({}), undefined)));
    wrong.push(...(await attempt(operator, podsIn(TENANT), podWith({ templates: ['open'] }, owned), undefined)));
    wrong.push(...(await lateTemplates(world, words)));
    expect(wrong.length === 0, wrong.join('\n'));
  } finally {
    await hanna.request('DELETE', `${HOLDS}/doors-night`);
  }
  for (const [path, object] of tries) await untilAllowed(() => anna.create(`${path}?dryRun=All`, object));
}

/** What a held class means to claim templates: none is new, and those that are there stay as they are. */
async function lateTemplates({ cluster, anna, operator, paula }, words) {
  const refused = `asks for class doors-open by its claims, which ${words}`;
  const late = claimTemplate('late', 'doors-open');
  const kept = { ...late, metadata: { name: 'late', ...owned } };
  const there = claimTemplate('open', 'doors-open');
  const path = name => `${templatesIn(PLAIN)}/${name}`;
  const beta = { ...late, apiVersion: 'resource.k8s.io/v1beta2' };
  const wrong = [
    // A GitOps engine has an account of another namespace, and nothing that its templates belong to.
    ...(await attempt(operator, templatesIn(PLAIN), late, refused)),
    ...(await attempt(anna, `/apis/resource.k8s.io/v1beta2/namespaces/${PLAIN}/resourceclaimtemplates`, beta, refused)),
    ...(await attempt(anna, templatesIn(PLAIN), kept, refused)),
    ...(await attempt(operator, templatesIn(PLAIN), kept, undefined)),
    ...(await attempt(anna, templatesIn(PLAIN), claimTemplate('late', 'doors-tenants'), undefined)),
  ];
  const applied = await refusal(() => operator.apply(path('late'), late, { query: '&dryRun=All' }));
  if (applied?.includes(refused) !== true) wrong.push(`A new template by server-side apply: ${applied}`);
  const passes = [
    ['applied again', () => operator.apply(path('open'), { ...there, metadata: { ...there.metadata, labels: { applied: 'again' } } })],
    ['labelled', () => paula.patch(path('open'), { metadata: { labels: { a: 'b' } } })],
    ['deleted', () => anna.delete(`${path('open')}?dryRun=All`)],
  ];
  for (const [what, request] of passes) {
    const got = await refusal(request);
    if (got !== undefined) wrong.push(`A template that was there, ${what}: refused, and must pass: ${got}`);
  }
  await cluster.api.patch(path('open'), { metadata: { labels: null } });
  return wrong;
}

/** The largest text that the schema takes, and as many names as are looked at: an expression that costs too much would let them in. */
async function manyTemplates({ cluster, anna, hanna }) {
  const names = Array.from({ length: 512 }, (_, index) => `template-${index}`);
  const full = name => {
    const line = `${name}: ${names.join(' ')}\n`;
    return `${line}doors-other:${' x'.repeat((32_768 - line.length - 'doors-other:'.length) / 2)}`;
  };
  const asking = of => ({ ...podWith({}), spec: podSpec({ templates: of }) });
  const others = names.map(name => `no-${name}`);
  const wrong = [];
  const tooLong = await refusal(() => cluster.api.create(`${HOLDS}?dryRun=All`, holdObject('doors-long', { classes: ['doors-open'], templates: { [PLAIN]: `${full('doors-open')} x` } })));
  if (tooLong?.includes('32768') !== true) wrong.push(`A text that is too long: ${tooLong}`);
  const unread = await refusal(() => cluster.api.create(`${HOLDS}?dryRun=All`, holdObject('doors-long', { classes: ['doors-open'], templates: { [PLAIN]: 'doors-open trainer' } })));
  if (unread?.includes('should match') !== true) wrong.push(`A text that no policy can read: ${unread}`);
  await setRouting(cluster, { ...ROUTING, templates: { ...ROUTING.templates, [PLAIN]: full('doors-closed') } });
  try {
    await untilRefused(() => anna.create(`${podsIn(PLAIN)}?dryRun=All`, podWith({ templates: ['template-511'] })), 'by template template-511; it is');
    wrong.push(...(await attempt(anna, podsIn(PLAIN), asking(names), 'asks for class doors-closed by template template-0; it is')));
    wrong.push(...(await attempt(anna, podsIn(PLAIN), asking([...others.slice(1), 'template-511']), 'asks for class doors-closed by template template-511; it is')));
    wrong.push(...(await attempt(anna, podsIn(PLAIN), asking(others), undefined)));
    wrong.push(...(await attempt(anna, podsIn(PLAIN), podWith({ templates: ['template'] }), undefined)));
  } finally {
    await setRouting(cluster, ROUTING);
    await untilAllowed(() => anna.create(`${podsIn(PLAIN)}?dryRun=All`, podWith({ templates: ['template-511'] })));
  }
  await hanna.create(HOLDS, holdObject('doors-long', { classes: ['doors-open'], templates: { [PLAIN]: full('doors-open') } }));
  try {
    await untilRefused(() => anna.create(`${podsIn(PLAIN)}?dryRun=All`, podWith({ templates: ['template-511'] })), 'by template template-511, which is held');
    wrong.push(...(await attempt(anna, podsIn(PLAIN), asking(names), 'asks for class doors-open by template template-0, which is held')));
    wrong.push(...(await attempt(anna, podsIn(PLAIN), asking(others), undefined)));
  } finally {
    await hanna.delete(`${HOLDS}/doors-long`);
    // Policies hear of it a moment later.
    await untilAllowed(() => anna.create(`${podsIn(PLAIN)}?dryRun=All`, podWith({ templates: ['template-511'] })));
  }
  expect(wrong.length === 0, wrong.join('\n'));
}

async function emptyRouting(world) {
  const closed = () => world.anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['closed'] }));
  await setRouting(world.cluster, { classes: {} });
  try {
    await untilAllowed(closed);
  } finally {
    await setRouting(world.cluster, ROUTING);
    await untilRefused(closed, CLOSED);
  }
}

async function system({ cluster }) {
  const wrong = [
    ...(await attempt(cluster.api, podsIn('kube-system'), podWith({ templates: ['closed'] }), undefined)),
    ...(await attempt(cluster.api, podsIn('kube-system'), podWith({ limits: { [LEGACY]: '1' } }), undefined)),
    ...(await attempt(cluster.api, claimsIn('kube-system'), { ...claim([]), spec: claimSpec('doors-closed') }, undefined)),
  ];
  expect(wrong.length === 0, wrong.join('\n'));
}

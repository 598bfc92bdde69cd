// What the policies cost, and how soon a hold works, beside 200 tenants. The times are told, never judged.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { ACCESS, apply, HOLDS, holdObject, podWith, ROUTING, setAccess, setRouting, TENANT, untilAllowed, untilInForce, untilRefused } from './doors-world.mjs';
import { expect } from './suite.mjs';
import { refusal, removeObjects } from './scratch.mjs';
import { claimSpec, claimsIn, podsIn } from './workers.mjs';

const TENANTS = 200;
const HOLDS_TRIED = 10;
/** Of each kind, with the bindings and without. */
const REQUESTS = 90;

const made = new WeakMap();

/** Namespaces with a DeviceAccess each, and a routing that knows their templates; they stay until the cluster ends. */
async function withTenants(world, run) {
  if (!made.has(world)) made.set(world, makeTenants(world));
  const templates = await made.get(world);
  await setRouting(world.cluster, { ...ROUTING, templates: { ...templates, ...ROUTING.templates } });
  try {
    return await run();
  } finally {
    await setRouting(world.cluster, ROUTING);
  }
}

async function makeTenants({ cluster }) {
  const names = Array.from({ length: TENANTS }, (_, index) => `doors-tenant-${index}`);
  await Promise.all(
    names.map(async name => {
      const labels = { 'doors.example.com/tenant': 'true' };
      await cluster.api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      await setAccess(cluster, ACCESS, name);
    }),
  );
  // The controllers of the cluster are busy with new namespaces for a while.
  await waitFor(
    'the controllers to be done with the namespaces',
    async () => {
      const { items } = await cluster.api.get('/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt');
      const done = items.filter(({ metadata }) => metadata.namespace.startsWith('doors-tenant-')).length;
      return done === TENANTS ? { done: true } : `${done} done`;
    },
    { seconds: 180, every: 500 },
  );
  return Object.fromEntries(names.flatMap(name => Array.from({ length: 20 }, (_, index) => [`${name}/template-${index}`, ['doors-tenants']])));
}

/** How long after the answer to the POST of a hold the first new work is refused; and after its DELETE the first goes through. */
export function holdToEffect(world) {
  return withTenants(world, async () => {
    const { anna, hanna } = world;
    const work = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['open'] }));
    const held = [];
    const released = [];
    for (let index = 0; index < HOLDS_TRIED; index++) {
      const name = `doors-quick-${index}`;
      await hanna.create(HOLDS, holdObject(name, { templates: { [`${TENANT}/open`]: 'doors-open' }, classes: ['doors-open'] }));
      held.push(await milliseconds(() => untilRefused(work, name, { every: 1 })));
      await hanna.delete(`${HOLDS}/${name}`);
      released.push(await milliseconds(() => untilAllowed(work, { every: 1 })));
    }
    return `${HOLDS_TRIED} holds with ${TENANTS} tenants: in force after ${spread(held)}; lifted after ${spread(released)}`;
  });
}

/** The same requests with the bindings and without, in turns, so that a busy machine meets both. */
export function costPerRequest(world) {
  return withTenants(world, async () => {
    const { cluster, anna, policies } = world;
    const bindings = policies.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
    const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'mine' }, spec: claimSpec('doors-open') };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'train' }, spec: { template: { spec: podWith({ templates: ['tenants'] }).spec } } };
    const requests = {
      'pod without devices': () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({})),
      'pod with a template': () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['tenants'] })),
      'Job with a template': () => anna.create(`/apis/batch/v1/namespaces/${TENANT}/jobs?dryRun=All`, job),
      'claim': () => anna.create(`${claimsIn(TENANT)}?dryRun=All`, claim),
    };
    const times = { on: {}, off: {} };
    const inServer = { on: { sum: 0, count: 0 }, off: { sum: 0, count: 0 } };
    const measure = async state => {
      const before = await policyTime(cluster);
      for (const [name, request] of Object.entries(requests)) {
        for (let index = 0; index < REQUESTS / 3; index++) (times[state][name] ??= []).push(await milliseconds(request));
      }
      const after = await policyTime(cluster);
      for (const key of ['sum', 'count']) inServer[state][key] += after[key] - before[key];
    };
    const closed = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['closed'] }));
    for (let turn = 0; turn < 3; turn++) {
      await measure('on');
      await removeObjects(cluster, bindings);
      try {
        await untilAllowed(closed);
        await measure('off');
      } finally {
        for (const binding of bindings) await apply(cluster, binding);
        await untilInForce(world);
      }
    }
    expect((await refusal(closed)) !== undefined, 'The door is not closed again.');
    const mean = ({ sum, count }) => ((sum / count) * 1000).toFixed(2);
    return [
      ...Object.keys(requests).map(name => `${name} ${difference(times.on[name], times.off[name])}`),
      `within the API server ${mean(inServer.on)} ms a request on average with policies, ${mean(inServer.off)} without`,
    ].join('; ');
  });
}

/** Seconds and requests that the API server has spent on validating policies, by its own clock. */
async function policyTime({ api }) {
  const { body } = await api.request('GET', '/metrics');
  const total = { sum: 0, count: 0 };
  const line = /^apiserver_admission_controller_admission_duration_seconds_(sum|count)\{([^}]*)\} (\S+)$/gm;
  for (const [, kind, labels, value] of String(body).matchAll(line)) {
    if (labels.includes('name="ValidatingAdmissionPolicy"') && labels.includes('operation="CREATE"')) total[kind] += Number(value);
  }
  return total;
}

async function milliseconds(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}

function spread(values) {
  return `p50 ${quantile(values, 0.5).toFixed(0)} ms, at most ${Math.max(...values).toFixed(0)} ms`;
}

function difference(on, off) {
  const cost = share => (quantile(on, share) - quantile(off, share)).toFixed(2);
  return `+${cost(0.5)} ms p50 (${quantile(on, 0.5).toFixed(2)} with, ${quantile(off, 0.5).toFixed(2)} without)`;
}

// What the policies cost, and how soon a hold works, beside 200 tenants. The times are told, never judged.
import { readFileSync } from 'node:fs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { ACCESS, apply, HOLDS, holdObject, podWith, ROUTING, setAccess, setRouting, TENANT, untilAllowed, untilInForce, untilRefused } from './doors-world.mjs';
import { expect } from './suite.mjs';
import { refusal, removeObjects } from './scratch.mjs';
import { claimSpec, claimsIn, podsIn } from './workers.mjs';

const TENANTS = 200;
/** Of each tenant, of classes that are not open: as a migration has them, and far more. */
const FEW_TEMPLATES = 2;
const TEMPLATES = 20;
const HOLDS_TRIED = 10;
/** Of each kind, with the bindings and without. */
const REQUESTS = 180;
const TURNS = 3;
const MANY_HOLDS = 200;
/** The API server compiles policies again when bindings change. */
const SETTLE = 3000;

const made = new WeakMap();

/** Namespaces with a DeviceAccess each, and a routing that knows so many templates of each; they stay until the cluster ends. */
async function withTenants(world, each, run) {
  if (!made.has(world)) made.set(world, makeTenants(world));
  const line = `doors-tenants: ${Array.from({ length: each }, (_, index) => `template-${index}`).sort().join(' ')}\n`;
  const templates = Object.fromEntries((await made.get(world)).map(name => [name, line]));
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
  return names;
}

/** How long after the answer to the POST of a hold the first new work is refused; and after its DELETE the first goes through. */
export function holdToEffect(world) {
  return withTenants(world, TEMPLATES, async () => {
    const { anna, hanna } = world;
    const work = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['open'] }));
    const held = [];
    const released = [];
    for (let index = 0; index < HOLDS_TRIED; index++) {
      const name = `doors-quick-${index}`;
      await hanna.create(HOLDS, holdObject(name, { templates: { [TENANT]: 'doors-open: open\n' }, classes: ['doors-open'] }));
      held.push(await milliseconds(() => untilRefused(work, name, { every: 1 })));
      await hanna.delete(`${HOLDS}/${name}`);
      released.push(await milliseconds(() => untilAllowed(work, { every: 1 })));
    }
    return `${HOLDS_TRIED} holds with ${TENANTS} tenants: in force after ${spread(held)}; lifted after ${spread(released)}`;
  });
}

/** The same requests with the bindings and without, in turns, so that a busy machine meets both. */
export async function costPerRequest(world) {
  const told = [];
  for (const each of [FEW_TEMPLATES, TEMPLATES]) told.push(`${TENANTS} x ${each} templates: ${await costBesideTemplates(world, each)}`);
  return told.join('. ');
}

function costBesideTemplates(world, each) {
  return withTenants(world, each, async () => {
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
    const processor = { on: {}, off: {} };
    const measure = async state => {
      for (const [name, request] of Object.entries(requests)) {
        const before = processorTime(cluster);
        for (let index = 0; index < REQUESTS / TURNS; index++) (times[state][name] ??= []).push(await milliseconds(request));
        processor[state][name] = (processor[state][name] ?? 0) + processorTime(cluster) - before;
      }
    };
    const closed = () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['closed'] }));
    for (let turn = 0; turn < TURNS; turn++) {
      await measure('on');
      await removeObjects(cluster, bindings);
      try {
        await untilAllowed(closed);
        await sleep(SETTLE);
        await measure('off');
      } finally {
        for (const binding of bindings) await apply(cluster, binding);
        await untilInForce(world);
        await sleep(SETTLE);
      }
    }
    expect((await refusal(closed)) !== undefined, 'The door is not closed again.');
    const cost = name => ((processor.on[name] - processor.off[name]) / REQUESTS).toFixed(2);
    return Object.keys(requests)
      .map(name => `${name} ${difference(times.on[name], times.off[name])}, ${cost(name)} ms of processor time`)
      .join('; ');
  });
}

/** What a hold of every pool of a large fleet at once costs: the policy is evaluated once a hold. */
export async function costOfHolds(world) {
  const { cluster, anna } = world;
  const names = Array.from({ length: MANY_HOLDS }, (_, index) => `doors-many-${index}`);
  const requests = {
    'pod without devices': () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({})),
    'pod with a template': () => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['tenants'] })),
  };
  const measure = async request => {
    const before = processorTime(cluster);
    const times = [];
    for (let index = 0; index < REQUESTS / TURNS; index++) times.push(await milliseconds(request));
    return { p50: quantile(times, 0.5), processor: (processorTime(cluster) - before) / times.length };
  };
  const without = {};
  for (const [name, request] of Object.entries(requests)) without[name] = await measure(request);
  try {
    await Promise.all(names.map(name => cluster.api.create(HOLDS, holdObject(name, { classes: [`${name}-class`], templates: { other: `${name}-class: x\n` } }))));
    const told = [];
    for (const [name, request] of Object.entries(requests)) {
      const { p50, processor } = await measure(request);
      told.push(`${name} ${p50.toFixed(2)} ms p50 (${without[name].p50.toFixed(2)} without), +${(processor - without[name].processor).toFixed(2)} ms of processor time`);
    }
    return `with ${MANY_HOLDS} holds: ${told.join('; ')}`;
  } finally {
    await Promise.all(names.map(name => cluster.api.request('DELETE', `${HOLDS}/${name}`)));
  }
}

/** Milliseconds that the API server has computed since it started: unlike latency it says the same on a busy machine. */
function processorTime({ state }) {
  const { pid } = state.processes.find(({ name }) => name === 'kube-apiserver');
  // Fields after the name, which may hold spaces: utime and stime, in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
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

/** What the busier half of a machine adds is in the median, hardly in the quickest tenth. */
function difference(on, off) {
  const cost = share => (quantile(on, share) - quantile(off, share)).toFixed(2);
  return `+${cost(0.5)} ms p50 (${quantile(on, 0.5).toFixed(2)} with, ${quantile(off, 0.5).toFixed(2)} without), +${cost(0.1)} ms p10 (${quantile(off, 0.1).toFixed(2)} without)`;
}

// Holds the example against the whole trace: `node tools/fleet/check-trace.mjs DIR`. Needs a compiled library, writes below build/.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cleanEnvironment, readFolder, ROOT } from '../examples/run.mjs';
import { countRequests, readNodes, readTasks, traceFolder } from './trace.mjs';

const EXAMPLE = join(ROOT, 'examples', 'fleet');
const OUTDIR = join(ROOT, 'build', 'fleet');
const KUBERNETES = '1.36';

process.env.TS_NODE_PROJECT = join(ROOT, 'examples', 'tsconfig.json');
const require = createRequire(import.meta.url);
require('ts-node/register/transpile-only');
const { ApiObject } = require('cdk8s');
const { DevicePlatform, KubernetesTarget, PlatformApp, PodDevices } = require('cdk8s-dra');
const { addClasses, addOffer } = require(join(EXAMPLE, 'fleet.ts'));
const { className, templateName } = require(join(EXAMPLE, 'gpu-request.ts'));
const summary = JSON.parse(readFileSync(join(EXAMPLE, 'summary.json'), 'utf8'));

const folder = traceFolder();
const nodes = readNodes(folder);
const requests = countRequests(readTasks(folder));
const total = tasksOf(requests);

const isUnambiguous = coverage();
const isServable = servability();
synthesizeAll();
const isClean = check();
process.exitCode = isUnambiguous && isServable && isClean ? 0 : 1;

/** How many tasks find the template they need among those of the example. */
function coverage() {
  const offered = summary.requests.map(request => ({ ...request, key: keyOf(request) }));
  const doubled = requests.filter(request => offered.filter(({ key }) => key === keyOf(request)).length > 1);
  const exact = requests.filter(request => offered.some(({ key }) => key === keyOf(request)));
  const others = requests.filter(request => !exact.includes(request));
  const larger = others.flatMap(request => {
    const next = nextLarger(request, offered);
    return next === undefined ? [] : [{ request, next }];
  });
  const left = others.filter(request => !larger.some(entry => entry.request === request));
  const wasted = larger.reduce((sum, { request, next }) => sum + (next.milli - request.milli) * request.tasks, 0) / 1000;
  console.log(`${total} GPU tasks make ${requests.length} distinct requests; the example offers ${offered.length} templates.`);
  console.log(`  exactly one template:      ${share(exact)}`);
  console.log(`  the next larger share:     ${share(larger.map(({ request }) => request))}, which takes ${wasted.toFixed(2)} GPUs more than asked`);
  console.log(`  no template:               ${share(left)}`);
  for (const request of left) console.log(`    ${String(request.tasks).padStart(4)}  ${keyOf(request)}`);
  for (const request of doubled) console.log(`  two templates for ${keyOf(request)}`);
  return doubled.length === 0;
}

/** The smallest share on offer that holds the request, of the same models in the same tier. */
function nextLarger(request, offered) {
  return offered
    .filter(other => other.tier === request.tier && className(other.models) === className(request.models))
    .filter(other => other.gpus === request.gpus && other.milli > request.milli)
    .sort((a, b) => a.milli - b.milli)[0];
}

/** Devices of one claim are on one node: no node may be too small for all of its models. */
function servability() {
  const most = models => Math.max(...nodes.filter(({ model }) => models.length === 0 || models.includes(model)).map(({ gpus }) => gpus));
  const hopeless = requests.filter(request => request.gpus > most(request.models));
  console.log(`Requests for more GPUs than any node of their models has: ${hopeless.length}.`);
  for (const request of hopeless) console.log(`  ${keyOf(request)}, at most ${most(request.models)} on a node`);
  return hopeless.length === 0;
}

/** Every distinct request becomes a template, and a Job that uses it. */
function synthesizeAll() {
  const begin = performance.now();
  rmSync(OUTDIR, { recursive: true, force: true });
  const app = new PlatformApp({ kubernetes: KubernetesTarget.of(KUBERNETES), outdir: OUTDIR });
  const classes = addClasses(app, [...nodes.map(({ model }) => [model]), ...requests.map(({ models }) => models)]);
  const teams = new DevicePlatform(app, 'platform');
  for (const tier of ['batch', 'online']) {
    const offer = addOffer(app, tier, requests.filter(request => request.tier === tier), classes);
    for (const [name, template] of offer) PodDevices.of(job(teams.teamChart(tier), name)).addClaim('gpu', template);
  }
  const built = performance.now();
  app.synth();
  console.log(`Constructs: ${seconds(built - begin)}; PlatformApp.synth with its checks: ${seconds(performance.now() - built)}.`);
}

function job(chart, name) {
  const container = { name: 'task', image: 'registry.example.com/task:1', resources: { requests: { cpu: '8', memory: '30Gi' } } };
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  return new ApiObject(chart, name, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec });
}

/** The command line reads what was written, as a pipeline would. */
function check() {
  const { parseAllDocuments } = require('yaml');
  const files = [...readFolder(OUTDIR)].filter(([file]) => file.endsWith('.yaml'));
  const kinds = files.flatMap(([, text]) => parseAllDocuments(text).map(document => document.get('kind')));
  for (const kind of [...new Set(kinds)].sort()) console.log(`  ${kind}: ${kinds.filter(other => other === kind).length}`);
  const program = join(ROOT, 'driver', 'bin', 'kubectl-dra.js');
  if (!existsSync(join(ROOT, 'driver', 'lib', 'cli.js'))) {
    console.log('The command line is not built, so only PlatformApp has checked the result: npm run compile.');
    return true;
  }
  const begin = performance.now();
  const args = [program, 'check', OUTDIR, '--kubernetes', KUBERNETES];
  const { status } = spawnSync(process.execPath, args, { env: cleanEnvironment(), stdio: 'inherit' });
  console.log(`kubectl-dra check: ${seconds(performance.now() - begin)}.`);
  return status === 0;
}

function keyOf(request) {
  return `${request.tier}/${templateName(request)}`;
}

function tasksOf(list) {
  return list.reduce((sum, request) => sum + request.tasks, 0);
}

function share(list) {
  return `${tasksOf(list)} tasks (${(100 * tasksOf(list) / total).toFixed(1)} %), ${list.length} requests`;
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

// npm run cluster -- …: real Kubernetes clusters on this machine. docs/cluster.md explains.
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { adminKubeconfig } from './admin.mjs';
import { down, up } from './cluster.mjs';
import { controlPlaneProgram } from './control-plane-program.mjs';
import { Failure, runProgram } from './failure.mjs';
import { CACHE_VARIABLE, cacheFolder, clusterFolder } from './layout.mjs';
import { checkOptions } from './options.mjs';
import { elapsed } from './progress.mjs';
import { lastLines } from './processes.mjs';
import { requireMachine } from './requirements.mjs';
import { clusterCondition, clusterNames, nameOption, processCondition, readState, requireState } from './state.mjs';
import { MINORS, releaseOf } from './versions.mjs';
import { sleep } from './wait.mjs';

const OPTIONS = {
  'cache': { type: 'string' },
  'emulate': { type: 'string' },
  'feature-gates': { type: 'string' },
  'follow': { type: 'boolean', short: 'f' },
  'help': { type: 'boolean', short: 'h' },
  'keep-data': { type: 'boolean' },
  'keep-logs': { type: 'boolean' },
  'kubernetes': { type: 'string' },
  'lines': { type: 'string', short: 'n' },
  'name': { type: 'string' },
  'nodes': { type: 'string' },
  'port': { type: 'string' },
  'runtime-config': { type: 'string' },
};

/** Each command with the options it takes beside --name, --cache and --help. */
const COMMANDS = {
  up: { run: runUp, options: ['kubernetes', 'emulate', 'feature-gates', 'runtime-config', 'nodes', 'keep-data', 'port'] },
  down: { run: runDown, options: ['keep-logs'] },
  status: { run: runStatus, options: [] },
  logs: { run: runLogs, options: ['follow', 'lines'], words: 1 },
  kubeconfig: { run: runKubeconfig, options: [] },
  build: { run: runBuild, options: ['kubernetes', 'nodes'] },
  check: { run: runCheck, options: ['kubernetes', 'nodes'] },
  fault: { run: runFault, options: [], words: 3 },
};

const HELP = `Usage: npm run cluster -- COMMAND [OPTION...]

  up           start a cluster and print its kubeconfig
  down         end it and remove all that it made
  status       what runs, what died
  logs [WHAT]  end of a log: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, audit, or a node's NODE/kubelet, NODE/containerd
  kubeconfig   path of the administrator's kubeconfig
  build        build the programs only, with --nodes 1 also those of nodes
  check        say whether this machine has what a cluster needs, with --nodes 1 also for nodes
  fault DEED WHAT        kill, restart, freeze or thaw a component; cut or heal a node
  fault DEED NODE PATH   fill or free the file system of a directory; wipe a directory or a file

  --kubernetes VERSION   ${MINORS.join(', ')}; 1.36 by default
  --emulate VERSION      play an older minor: its gates and APIs, the code of --kubernetes
  --feature-gates A=true,B=false
  --runtime-config resource.k8s.io/v1beta2=true
  --nodes N              real nodes with kubelet and containerd, 0 to 2 (root); 0 by default
  --name NAME            several clusters run side by side; "default" by default
  --port PORT            of the API server; a free one by default
  --keep-data            objects survive down and come back with the next up --keep-data
  --keep-logs            down keeps the logs
  -f, --follow           logs goes on as the log grows
  -n, --lines N          lines that logs shows, 40 by default
  --cache DIR            programs and clusters; ${CACHE_VARIABLE} or build/cluster by default

Exit code 0: done; 1: status found something dead; 2: could not be done, and why; 3: this machine lacks something, and what.`;

await runProgram('cluster', () => main(process.argv.slice(2)));

async function main(args) {
  const { values, positionals } = parse(args);
  const [command, ...words] = positionals;
  if (values.help || command === undefined) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  const known = COMMANDS[command];
  if (known === undefined) throw new Failure(`A command must be one of ${Object.keys(COMMANDS).join(', ')}, got "${command}".`);
  const stray = Object.keys(values).find(option => ![...known.options, 'name', 'cache', 'help'].includes(option));
  if (stray !== undefined) throw new Failure(`${command} does not take --${stray}. See npm run cluster -- --help.`);
  if (words.length > (known.words ?? 0)) throw new Failure(`${command} does not take "${words[known.words ?? 0]}". See npm run cluster -- --help.`);
  return known.run({ ...values, name: values.name ?? 'default', cache: cacheFolder(values.cache) }, words);
}

function parse(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new Failure(`${error.message.replace(/\. .*/s, '')}. See npm run cluster -- --help.`);
  }
}

async function runUp(values) {
  const start = Date.now();
  const state = await up({
    kubernetes: values.kubernetes,
    emulate: values.emulate,
    featureGates: values['feature-gates'],
    runtimeConfig: values['runtime-config'],
    nodes: values.nodes,
    name: values.name,
    port: values.port,
    keepData: values['keep-data'],
    cache: values.cache,
    say: text => console.error(text),
  });
  const named = nameOption(state);
  console.log(`${versionOf(state)} runs at ${state.server} (ready after ${elapsed(start)}).

  export KUBECONFIG=${adminKubeconfig(state)}
  ${join(state.programs, 'kubectl')} get namespaces${state.nodes.length > 0 ? ',nodes' : ''}

Next:
  npm run cluster -- status${named}
  npm run cluster -- logs kube-scheduler --follow${named}
  npm run cluster -- down${named}`);
}

async function runDown({ cache, name, ...values }) {
  const state = readState(cache, name);
  const logs = await down(cache, name, { keepLogs: values['keep-logs'] });
  if (state === undefined) return console.log(`There is no cluster "${name}"; nothing to do.`);
  const kept = state.keepData ? ' Its objects wait for the next up --keep-data; down once more removes them.' : '';
  console.log(`Cluster "${name}" is gone.${kept}${logs === undefined ? '' : ` Its logs: ${logs}`}`);
}

function runStatus({ cache, name }) {
  const names = clusterNames(cache);
  if (names.length === 0) console.log(`No cluster. Built: ${builtMinors(cache)}.`);
  const state = readState(cache, name);
  for (const other of names.filter(entry => entry !== name)) {
    const { release, server } = readState(cache, other);
    console.log(`${other}: ${clusterCondition(readState(cache, other))}, Kubernetes ${release}, ${server}`);
  }
  if (state === undefined) return 0;
  const condition = clusterCondition(state);
  console.log(`${name}: ${condition}, ${versionOf(state)}, ${state.server}`);
  for (const process of state.processes) {
    console.log(`  ${process.name.padEnd(26)} ${processCondition(process).padEnd(8)} pid ${process.pid}`);
  }
  if (condition === 'running' || condition === 'starting') return 0;
  for (const process of state.processes.filter(entry => processCondition(entry) === 'dead')) {
    console.log(`\nThe end of the log of ${process.name}:\n${lastLines(process.log, 5)}`);
  }
  const again = condition === 'half-started' ? '' : `npm run cluster -- fault restart COMPONENT${nameOption(state)} starts one again; `;
  console.log(`\n${again}npm run cluster -- down${nameOption(state)} removes the cluster.`);
  return 1;
}

function builtMinors(cache) {
  const entries = existsSync(cache) ? readdirSync(cache) : [];
  const built = MINORS.filter(minor => entries.some(entry => entry.startsWith(`${minor}-`) && !entry.includes('.building-')));
  return built.length === 0 ? 'none yet, the first up builds' : built.map(minor => releaseOf(minor)).join(', ');
}

async function runLogs({ cache, name, ...values }, [what]) {
  const state = requireState(cache, name);
  const folder = join(clusterFolder(cache, name), 'logs');
  const files = readdirSync(folder, { recursive: true })
    .filter(file => file.endsWith('.log'))
    .sort();
  const lines = Number(values.lines ?? 40);
  if (!(Number.isInteger(lines) && lines > 0)) throw new Failure(`--lines must be a whole number from 1 on, got ${values.lines}.`);
  const chosen = what === undefined ? files.filter(file => basename(file) !== 'audit.log') : files.filter(file => file === `${what}.log`);
  if (chosen.length === 0) throw new Failure(`A log must be one of ${files.map(file => file.replace(/\.log$/, '')).join(', ')}, got "${what}".`);
  for (const file of chosen)
    console.log(`${chosen.length > 1 ? `==> ${file} <==\n` : ''}${lastLines(join(folder, file), what === undefined ? Math.min(lines, 10) : lines)}`);
  if (!values.follow) return;
  if (chosen.length > 1) throw new Failure('--follow takes one log. Name it: npm run cluster -- logs kube-scheduler --follow.');
  const file = join(folder, chosen[0]);
  for (let from = statSync(file).size; existsSync(state.folder); await sleep(300)) {
    const size = existsSync(file) ? statSync(file).size : 0;
    if (size <= from) continue;
    for await (const text of createReadStream(file, { start: from, end: size - 1 })) process.stdout.write(text);
    from = size;
  }
}

function runKubeconfig({ cache, name }) {
  console.log(adminKubeconfig(requireState(cache, name)));
}

async function runBuild({ cache, ...values }) {
  const { kubernetes, nodes } = checkOptions({ kubernetes: values.kubernetes, nodes: values.nodes });
  requireMachine({ kubernetes, nodes });
  const say = text => console.error(text);
  console.log(await controlPlaneProgram(cache, kubernetes, { say }));
  if (nodes > 0) console.log(await (await import('./node/nodes.mjs')).nodePrograms(cache, say));
}

function runCheck(values) {
  const { kubernetes, nodes } = checkOptions({ kubernetes: values.kubernetes, nodes: values.nodes });
  console.log(`This machine can build and run Kubernetes ${releaseOf(kubernetes)}${nodes > 0 ? ' with nodes' : ''}: ${requireMachine({ kubernetes, nodes })}.`);
}

async function runFault({ cache, name }, [deed, what, path]) {
  const { fault } = await import('./faults.mjs');
  console.log(await fault(requireState(cache, name), deed, what, path));
}

function versionOf({ release, emulate }) {
  return `Kubernetes ${release}${emulate === undefined ? '' : ` as ${emulate}`}`;
}

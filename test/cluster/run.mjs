// npm run test:cluster -- …: tries our contracts on real clusters. docs/cluster.md explains.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isBuilt } from '../../tools/cluster/control-plane-program.mjs';
import { Failure, Lacking, runProgram } from '../../tools/cluster/failure.mjs';
import { cacheFolder, ROOT } from '../../tools/cluster/layout.mjs';
import { elapsed } from '../../tools/cluster/progress.mjs';
import { nodeProblem } from '../../tools/cluster/requirements.mjs';
import { MINORS, requireMinor } from '../../tools/cluster/versions.mjs';
import { existingCluster, startCluster, stopCluster } from './lib/cluster.mjs';
import { runSuite } from './lib/suite.mjs';
import { verdictTable } from './lib/table.mjs';
import { recordVerdicts } from './lib/verdicts.mjs';

const SUITES = readdirSync(join(dirname(fileURLToPath(import.meta.url)), 'suites'))
  .filter(name => name.endsWith('.mjs'))
  .map(name => basename(name, '.mjs'))
  .sort();

const VERDICTS = ['kept', 'broken', 'not applicable', 'not tried'];

const ALL_GATES = { featureGates: 'AllAlpha=true,AllBeta=true', runtimeConfig: 'api/all=true', labelled: 'all gates' };

const HELP = `Usage: npm run test:cluster -- [OPTION...]

Tries our contracts on real clusters and prints a verdict for each. Suites: ${SUITES.join(', ')}.

  --kubernetes LIST      minors to start, such as 1.34,1.36; ${MINORS.join(', ')}; 1.36 by default
  --emulate LIST         minors that one program plays, such as 1.34,1.35 (with a single --kubernetes)
  --suite LIST           suites; by default all but gitops, which builds software of others for 5 to 20 minutes first
  --all-gates            every feature gate and API version on
  --feature-gates A=true,B=false
  --runtime-config resource.k8s.io/v1beta2=true
  --kubeconfig FILE      a cluster that is there, instead; KUBECONFIG does the same when --kubernetes is not given.
                         Only contracts that are safe beside other tenants are tried.
  --keep-logs            keep the logs of the clusters
  -o, --output FILE      verdicts as JSON; build/cluster/verdicts.json by default
  --if-built             say so and end well where the programs are not built yet
  --record               also into test/cluster/verdicts.json, for docs/compatibility.md

Exit code 0: all kept; 1: one is broken; 2: could not be tried, and why; 3: the same, as this machine lacks something.`;

await runProgram('test:cluster', () => main(process.argv.slice(2)));

async function main(args) {
  const values = parse(args);
  if (values.help) return console.log(HELP);
  if (values['if-built']) {
    const reason = notBuilt(minorsOf(values));
    if (reason !== undefined) return console.log(`Real clusters are not tried: ${reason}`);
  }
  const suites = await loadSuites(list(values.suite));
  const file = values.output ?? join(ROOT, 'build', 'cluster', 'verdicts.json');
  const runs = new Map();
  const failures = [];
  for (const open of clusters(values)) {
    for (const [needs, group] of byNeeds(suites)) {
      try {
        const { label, release, results } = await tryOn(() => open(JSON.parse(needs)), group, values);
        runs.set(label, { label, release, results: [...(runs.get(label)?.results ?? []), ...results] });
        // Four minors take more than an hour: what was tried is kept if somebody ends the run.
        write([...runs.values()], file);
      } catch (error) {
        // The other minors are worth their verdicts.
        if (!(error instanceof Failure)) throw error;
        console.error(`\n${error.message}`);
        failures.push(error);
      }
    }
  }
  if (runs.size === 0) return failures.every(error => error instanceof Lacking) ? 3 : 2;
  const code = report([...runs.values()]);
  if (values.record) {
    recordVerdicts([...runs.values()]);
    console.log('Recorded. node tools/docs/compatibility.mjs writes docs/compatibility.md from it.');
  }
  if (failures.length > 0) console.log('Not all could be tried: see above.');
  return failures.length === 0 || code === 1 ? code : failures.every(error => error instanceof Lacking) ? 3 : 2;
}

/** Suites that can share a cluster. One with real nodes misses nodes soon, so suites with nodes made by hand get another. */
function byNeeds(suites) {
  const groups = new Map();
  for (const suite of suites) {
    const key = JSON.stringify(suite.needs);
    groups.set(key, [...(groups.get(key) ?? []), suite]);
  }
  return groups;
}

/** Tries suites on one cluster. */
async function tryOn(open, suites, values) {
  const start = Date.now();
  const cluster = await open();
  console.log(`\n${cluster.label}: ready after ${elapsed(start)}`);
  try {
    const results = [];
    for (const suite of suites) results.push(...(await runSuite(suite, cluster, printResult)));
    return { label: cluster.label, release: cluster.state?.release, results };
  } finally {
    const logs = await stopCluster(cluster, { keepLogs: values['keep-logs'] });
    if (logs !== undefined) console.log(`Logs: ${logs}`);
    console.log(`${cluster.label}: ${elapsed(start)} in all`);
  }
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        'all-gates': { type: 'boolean' },
        'emulate': { type: 'string' },
        'feature-gates': { type: 'string' },
        'help': { type: 'boolean', short: 'h' },
        'if-built': { type: 'boolean' },
        'keep-logs': { type: 'boolean' },
        'kubeconfig': { type: 'string' },
        'kubernetes': { type: 'string' },
        'output': { type: 'string', short: 'o' },
        'record': { type: 'boolean' },
        'runtime-config': { type: 'string' },
        'suite': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new Failure(`${error.message.replace(/\. .*/s, '')}. See npm run test:cluster -- --help.`);
  }
}

/** A function for each cluster to try, which starts or reaches it. */
function clusters(values) {
  if (values.record && ['emulate', 'feature-gates', 'runtime-config', 'kubeconfig'].some(option => values[option] !== undefined)) {
    throw new Failure('--record is for real minors as they are, or with --all-gates.');
  }
  const kubeconfig = values.kubeconfig ?? (values.kubernetes === undefined ? process.env.KUBECONFIG : undefined);
  if (kubeconfig !== undefined) {
    if (values.kubernetes !== undefined)
      throw new Failure('--kubeconfig and --kubernetes exclude each other: the first uses a cluster that is there, the second starts one.');
    return [() => existingCluster(kubeconfig)];
  }
  const minors = minorsOf(values);
  const emulated = list(values.emulate);
  if (emulated !== undefined && minors.length > 1) throw new Failure('--emulate takes a single --kubernetes, whose program plays the other minors.');
  if (values['all-gates'] && values['feature-gates'] !== undefined) throw new Failure('--all-gates and --feature-gates exclude each other.');
  const given = values['all-gates'] ? ALL_GATES : { featureGates: values['feature-gates'], runtimeConfig: values['runtime-config'] };
  const options = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    say: text => console.error(text),
  };
  return emulated === undefined
    ? minors.map(kubernetes => needs => startCluster({ ...needs, ...options, kubernetes }))
    : emulated.map(emulate => needs => startCluster({ ...needs, ...options, kubernetes: minors[0], emulate }));
}

function minorsOf({ kubernetes }) {
  return (list(kubernetes) ?? ['1.36']).map(minor => requireMinor(minor, '--kubernetes'));
}

/** Why the programs of some minor are not there; undefined if all are. */
function notBuilt(minors) {
  try {
    const missing = minors.filter(minor => !isBuilt(cacheFolder(), minor));
    if (missing.length === 0) return undefined;
    return `Kubernetes ${missing.join(', ')} is not built here. npm run cluster -- build builds it, npm run test:cluster tries all suites.`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Those named, or all that need not be named. */
async function loadSuites(wanted) {
  const names = wanted ?? SUITES;
  const unknown = names.find(name => !SUITES.includes(name));
  if (unknown !== undefined) throw new Failure(`A suite must be one of ${SUITES.join(', ')}, got "${unknown}".`);
  const problem = nodeProblem();
  const suites = await Promise.all(
    names.map(async name => {
      const { needs = {}, ...suite } = await import(`./suites/${name}.mjs`);
      // Where no node can run, a suite with real nodes gets a cluster without, and its contracts say why they are not tried.
      return { name, ...suite, needs: problem === undefined ? needs : { ...needs, nodes: undefined } };
    }),
  );
  return suites.filter(({ onlyByName = false }) => wanted !== undefined || !onlyByName);
}

function printResult({ suite, id, verdict, detail, seconds }) {
  const mark = { 'kept': '✓', 'broken': '✗', 'not applicable': '·', 'not tried': '-' }[verdict];
  const told = verdict === 'broken' ? `\n${indent(detail)}` : `: ${firstLine(detail)}`;
  console.log(`  ${mark} ${suite}/${id} (${seconds.toFixed(1)} s)${detail === '' ? '' : told}`);
}

function write(runs, file) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
}

function report(runs) {
  console.log(`\n${verdictTable(runs)}`);
  const count = verdict => runs.flatMap(run => run.results).filter(result => result.verdict === verdict).length;
  console.log(`\n${VERDICTS.map(verdict => `${count(verdict)} ${verdict}`).join(', ')}`);
  if (count('broken') > 0) return 1;
  return count('kept') > 0 ? 0 : 2;
}

function firstLine(text) {
  const [first, ...others] = text.split('\n');
  return others.length === 0 ? first : `${first} …`;
}

function indent(text) {
  return text
    .split('\n')
    .map(line => `      ${line}`)
    .join('\n');
}

function list(text) {
  return text
    ?.split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}

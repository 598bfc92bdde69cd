// npm run test:cluster -- …: tries our contracts on real clusters. docs/cluster.md explains.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Failure, runProgram } from '../../tools/cluster/failure.mjs';
import { ROOT } from '../../tools/cluster/layout.mjs';
import { elapsed } from '../../tools/cluster/progress.mjs';
import { nodeProblem } from '../../tools/cluster/requirements.mjs';
import { MINORS, requireMinor } from '../../tools/cluster/versions.mjs';
import { existingCluster, startCluster, stopCluster } from './lib/cluster.mjs';
import { runSuite } from './lib/suite.mjs';
import { verdictTable } from './lib/table.mjs';

const SUITES = readdirSync(join(dirname(fileURLToPath(import.meta.url)), 'suites'))
  .filter(name => name.endsWith('.mjs'))
  .map(name => basename(name, '.mjs'))
  .sort();

const VERDICTS = ['kept', 'broken', 'not applicable', 'not tried'];

const HELP = `Usage: npm run test:cluster -- [OPTION...]

Tries our contracts on real clusters and prints a verdict for each. Suites: ${SUITES.join(', ')}.

  --kubernetes LIST      minors to start, such as 1.34,1.36; ${MINORS.join(', ')}; 1.36 by default
  --emulate LIST         minors that one program plays, such as 1.34,1.35 (with a single --kubernetes)
  --suite LIST           suites, all by default
  --feature-gates A=true,B=false
  --runtime-config resource.k8s.io/v1beta2=true
  --kubeconfig FILE      a cluster that is there, instead; KUBECONFIG does the same when --kubernetes is not given.
                         Only contracts that are safe beside other tenants are tried.
  --keep-logs            keep the logs of the clusters
  -o, --output FILE      verdicts as JSON; build/cluster/verdicts.json by default

Exit code 0: all kept; 1: one is broken; 2: could not be tried, and why.`;

await runProgram('test:cluster', () => main(process.argv.slice(2)));

async function main(args) {
  const values = parse(args);
  if (values.help) return console.log(HELP);
  const suites = await loadSuites(list(values.suite) ?? SUITES);
  const runs = new Map();
  for (const open of clusters(values)) {
    for (const [needs, group] of byNeeds(suites)) {
      const { label, results } = await tryOn(() => open(JSON.parse(needs)), group, values);
      runs.set(label, [...(runs.get(label) ?? []), ...results]);
    }
  }
  return report(
    [...runs].map(([label, results]) => ({ label, results })),
    values.output ?? join(ROOT, 'build', 'cluster', 'verdicts.json'),
  );
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
    return { label: cluster.label, results };
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
        'emulate': { type: 'string' },
        'feature-gates': { type: 'string' },
        'help': { type: 'boolean', short: 'h' },
        'keep-logs': { type: 'boolean' },
        'kubeconfig': { type: 'string' },
        'kubernetes': { type: 'string' },
        'output': { type: 'string', short: 'o' },
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
  const kubeconfig = values.kubeconfig ?? (values.kubernetes === undefined ? process.env.KUBECONFIG : undefined);
  if (kubeconfig !== undefined) {
    if (values.kubernetes !== undefined)
      throw new Failure('--kubeconfig and --kubernetes exclude each other: the first uses a cluster that is there, the second starts one.');
    return [() => existingCluster(kubeconfig)];
  }
  const minors = (list(values.kubernetes) ?? ['1.36']).map(minor => requireMinor(minor, '--kubernetes'));
  const emulated = list(values.emulate);
  if (emulated !== undefined && minors.length > 1) throw new Failure('--emulate takes a single --kubernetes, whose program plays the other minors.');
  const given = { featureGates: values['feature-gates'], runtimeConfig: values['runtime-config'] };
  const options = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    say: text => console.error(text),
  };
  return emulated === undefined
    ? minors.map(kubernetes => needs => startCluster({ ...needs, ...options, kubernetes }))
    : emulated.map(emulate => needs => startCluster({ ...needs, ...options, kubernetes: minors[0], emulate }));
}

async function loadSuites(names) {
  const unknown = names.find(name => !SUITES.includes(name));
  if (unknown !== undefined) throw new Failure(`A suite must be one of ${SUITES.join(', ')}, got "${unknown}".`);
  const problem = nodeProblem();
  return Promise.all(
    names.map(async name => {
      const { needs = {}, ...suite } = await import(`./suites/${name}.mjs`);
      // Where no node can run, a suite with real nodes gets a cluster without, and its contracts say why they are not tried.
      return { name, ...suite, needs: problem === undefined ? needs : { ...needs, nodes: undefined } };
    }),
  );
}

function printResult({ suite, id, verdict, detail, seconds }) {
  const mark = { 'kept': '✓', 'broken': '✗', 'not applicable': '·', 'not tried': '-' }[verdict];
  const told = verdict === 'broken' ? `\n${indent(detail)}` : `: ${firstLine(detail)}`;
  console.log(`  ${mark} ${suite}/${id} (${seconds.toFixed(1)} s)${detail === '' ? '' : told}`);
}

function report(runs, file) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
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

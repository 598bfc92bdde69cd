// Writes docs/compatibility.md from the verdicts that the suites recorded. Run: node tools/docs/compatibility.mjs [--check]
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { readVerdicts } from '../../test/cluster/lib/verdicts.mjs';
import { writeOrCheck } from '../generated-files.mjs';
import { ROOT } from '../load-model.mjs';

const RECORD = 'npm run test:cluster -- --kubernetes 1.34,1.35,1.36,1.37 --suite conformance --record, and the same with --all-gates';

/** Suites with a contract for each example, code or construct, of which the number says enough. */
const COUNTED = ['catalogue', 'constructs', 'manifests'];

const { releases, suites } = readVerdicts();
const minors = Object.keys(releases);
const contracts = await conformanceContracts();
requireComplete();

/** The contracts of `kubectl-dra conformance`, straight from their source. */
async function conformanceContracts() {
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, 'driver', 'src', 'conformance', 'contracts', 'index.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    alias: { 'cdk8s-dra/model': join(ROOT, 'src', 'model', 'index.ts') },
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(process.cwd() + '/');" },
  });
  const { CONTRACTS } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
  return CONTRACTS;
}

/** A contract without a verdict, or a verdict of a contract that is no more, makes the page wrong. */
function requireComplete() {
  const recorded = suites.conformance ?? {};
  const untried = contracts.filter(({ id }) => minors.length === 0 || minors.some(minor => recorded[id]?.verdicts[minor] === undefined));
  const gone = Object.keys(recorded).filter(id => id !== 'whole-run' && !contracts.some(contract => contract.id === id));
  if (untried.length === 0 && gone.length === 0) return;
  const parts = [
    ...(untried.length === 0 ? [] : [`no verdict for ${untried.map(({ id }) => id).join(', ')}`]),
    ...(gone.length === 0 ? [] : [`verdicts for ${gone.join(', ')}, which are no more`]),
  ];
  console.error(`test/cluster/verdicts.json has ${parts.join('; ')}. Record them anew: ${RECORD}.`);
  process.exit(1);
}

function mark(verdicts, minor) {
  const verdict = verdicts[minor];
  if (verdict === 'not applicable' && verdicts[`${minor} all gates`] === 'kept') return '(✓)';
  return { 'kept': '✓', 'broken': '✗', 'not applicable': '–' }[verdict] ?? '';
}

function table(header, rows) {
  return [header, header.map(() => '---'), ...rows].map(row => `| ${row.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

function areas() {
  const names = [...new Set(contracts.map(({ area }) => area))];
  return names.map(area => {
    const rows = contracts
      .filter(contract => contract.area === area)
      .map(({ id, title, mode }) => [`\`${id}\``, title, mode, ...minors.map(minor => mark(suites.conformance[id].verdicts, minor))]);
    return `### ${area}\n\n${table(['contract', 'what is proven', 'mode', ...minors], rows)}`;
  });
}

function others() {
  const listed = Object.keys(suites).filter(name => name !== 'conformance' && !COUNTED.includes(name));
  return listed.map(name => {
    const rows = Object.entries(suites[name]).map(([id, { text, verdicts }]) => [`\`${id}\``, text, ...minors.map(minor => mark(verdicts, minor))]);
    return `### ${name}\n\n${table(['contract', 'what is proven', ...minors], rows)}`;
  });
}

function counted() {
  const rows = COUNTED.filter(name => name in suites).map(name => [name, ...minors.map(minor => count(suites[name], minor))]);
  return table(['suite', ...minors], rows);
}

function count(suite, minor) {
  const verdicts = Object.values(suite).map(contract => contract.verdicts[minor]);
  const number = verdict => verdicts.filter(one => one === verdict).length;
  return `${number('kept')} kept${number('broken') === 0 ? '' : `, **${number('broken')} broken**`}`;
}

const text = `# Compatibility

What was proven on real clusters of each minor: ${minors.map(minor => releases[minor]).join(', ')}. Each mark is a verdict of a run of the suites in
\`test/cluster\`, with the feature gates of that release.

| mark | meaning |
| --- | --- |
| ✓ | kept |
| (✓) | kept once the gates that it needs are switched on |
| – | says nothing about this minor |
| ✗ | broken |

A **live** contract is safe on a cluster in use; a **lab** contract makes nodes, or devices that pods can get, and is for clusters of one's own.

## What \`kubectl-dra conformance\` tries

Try the live ones on your own cluster: [conformance.md](conformance.md).

${areas().join('\n\n')}

## What our own suites try beside

All are lab contracts: [cluster.md](cluster.md) says how to run them.

${others().join('\n\n')}

### Examples, mistakes and constructs

One contract for each example, each mistake that \`kubectl-dra check\` knows, and each construct.

${counted()}

Generated by \`node tools/docs/compatibility.mjs\` from \`test/cluster/verdicts.json\`, which \`npm run test:cluster -- --record\` writes.
`;

writeOrCheck(new Map([['docs/compatibility.md', text]]), 'node tools/docs/compatibility.mjs');

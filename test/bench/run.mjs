// Measures; asserts nothing. docs/bench.md says what the figures mean.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../tools/examples/run.mjs';
import { beside } from './child.mjs';
import { reportText, surroundings } from './report.mjs';

/** What a suite measures is what users get: compiled, not the sources. */
const COMPILED = ['lib/src/index.js', 'driver/lib/cli.js'];

const SUITES = readdirSync(beside(import.meta.url, 'suites')).filter(name => name.endsWith('.mjs')).map(name => basename(name, '.mjs')).sort();

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}

async function main(args) {
  const { values: { help, output, runs }, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      output: { type: 'string', short: 'o' },
      runs: { type: 'string', default: '5' },
    },
  });
  const suites = Object.fromEntries(await Promise.all(SUITES.map(async name => [name, await import(`./suites/${name}.mjs`)])));
  if (help) return console.log(helpText(suites));
  const chosen = positionals.length === 0 ? SUITES : positionals;
  const unknown = chosen.find(name => !SUITES.includes(name));
  if (unknown !== undefined) throw new Error(`A suite must be one of ${SUITES.join(', ')}, got "${unknown}".`);
  if (output !== undefined && chosen.length > 1) throw new Error(`-o takes the figures of one suite, got ${chosen.join(', ')}. Name the suite.`);
  if (!/^[1-9]\d*$/.test(runs)) throw new Error(`--runs must be a whole number from 1 on, got "${runs}".`);
  const missing = COMPILED.filter(file => !existsSync(join(ROOT, file)));
  if (missing.length > 0) throw new Error(`The sources must be compiled first, ${missing.join(' and ')} is missing. Run npm run compile.`);
  for (const name of chosen) await runSuite(name, suites[name], Number(runs), output ?? join(ROOT, 'build', 'bench', `${name}.json`));
}

async function runSuite(name, { measure }, runs, file) {
  const before = surroundings();
  const measured = await measure({ runs, progress: text => console.error(`${name}: ${text}`) });
  const result = { before, loadAfter: loadavg().map(load => load.toFixed(2)).join(' '), runs, ...measured };
  console.log(reportText(name, result));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ suite: name, ...result }, null, 2)}\n`);
}

function helpText(suites) {
  const width = Math.max(...SUITES.map(name => name.length));
  return [
    'Usage: npm run bench -- [SUITE...] [--runs N] [-o FILE]',
    '',
    'Measures the suites, all without a name, after `npm run compile`. Times are printed, never asserted.',
    '',
    ...SUITES.map(name => `  ${name.padEnd(width)}  ${suites[name].description}`),
    '',
    '  --runs N           samples of each figure, 5 if left out',
    '  -o, --output FILE  JSON with every sample, build/bench/SUITE.json if left out',
  ].join('\n');
}

// Renders charts of vendors into build/charts and proves profiles and commands with them: `npm run charts`.
//
// Needs Go, network for the modules once, and compiled sources (`npm run compile`); helm is built once. What the profiles say of the charts
// is written to test/charts/facts.json, so that each test run holds the profiles against it, also where nothing can be rendered.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CHARTS, moduleFolder, rendered, requireStatements } from './charts.mjs';
import { chartFacts } from './facts.mjs';
import { separationValues } from './separation.mjs';
import { componentProgram } from '../cluster/component-program.mjs';
import { runProgram } from '../cluster/failure.mjs';
import { cacheFolder, ROOT } from '../cluster/layout.mjs';

await runProgram('charts', async () => {
  const { program: helm } = await componentProgram(cacheFolder(), 'helm', { say: text => console.log(text) });
  const out = join(ROOT, 'build', 'charts');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const facts = {};
  for (const chart of CHARTS) {
    requireStatements(chart);
    const plain = rendered(helm, chart);
    write(out, `${chart.name}.yaml`, plain);
    const values = join(out, `${chart.name}.values.json`);
    writeFileSync(values, JSON.stringify(separationValues(chart.name), null, 2));
    write(out, `${chart.name}.separated.yaml`, rendered(helm, chart, { values: [values] }));
    const objects = chart.objects.map(file => readFileSync(join(moduleFolder(chart), file), 'utf8'));
    if (objects.length > 0) write(out, `${chart.name}.operands.yaml`, objects.join('\n---\n'));
    facts[chart.name] = chartFacts(chart, documents(plain), objects.flatMap(documents));
  }
  writeFileSync(join(ROOT, 'test', 'charts', 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
  return spawnSync(process.execPath, [join(ROOT, 'node_modules', '.bin', 'jest'), 'test/charts'], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
});

function write(folder, name, text) {
  writeFileSync(join(folder, name), text);
  console.log(`build/charts/${name}: ${documents(text).length} objects`);
}

function documents(text) {
  return parseAllDocuments(text).map(document => document.toJS()).filter(object => object?.kind !== undefined);
}

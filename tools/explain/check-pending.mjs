// Compares `explain` with Pending pods of which the truth is known: node tools/explain/check-pending.mjs DIR [-v]
//
// DIR holds a folder for each pod: cluster.yaml, a List, and truth.json with kubernetes, pod, cause, because and verifiedNotToHelp.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadModel } from '../load-model.mjs';

const [directory, ...flags] = process.argv.slice(2);
if (directory === undefined) {
  console.error('name a folder with cases: node tools/explain/check-pending.mjs DIR');
  process.exit(2);
}
const { ClusterView, explainPod, failureOf, Target } = await loadModel('index.ts');

let failed = 0;
const folders = readdirSync(directory).filter(name => existsSync(join(directory, name, 'truth.json'))).sort();
for (const folder of folders) {
  const truth = JSON.parse(readFileSync(join(directory, folder, 'truth.json'), 'utf8'));
  const value = parse(readFileSync(join(directory, folder, 'cluster.yaml'), 'utf8'));
  const view = ClusterView.of([{ value, source: { name: folder } }]);
  const answer = explainPod(view, ...truth.pod.split('/'), Target.of(truth.kubernetes));
  const problems = answer === undefined ? ['the pod is not there'] : problemsOf(answer, truth);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${folder}${answer === undefined ? '' : `: ${failureOf(answer.cause).name}`}`);
  for (const problem of problems) console.log(`     ${problem}`);
  if (flags.includes('-v')) {
    console.log(`     truth: ${truth.because}\n     help:  ${[truth.help, ...truth.alsoVerified ?? []].join(' | ')}`);
    console.log(`     ours:  ${answer?.because}\n${(answer?.help ?? []).map(({ text, kind }) => `       - [${kind}] ${text}\n`).join('')}`
      + `${(answer?.others ?? []).map(({ cause, because }) => `       also ${cause}: ${because}\n`).join('')}     unknown: ${answer?.unknown.join('; ')}`);
  }
  if (problems.length > 0) failed += 1;
}
console.log(`${folders.length - failed} of ${folders.length} answered`);
process.exitCode = failed === 0 && folders.length > 0 ? 0 : 1;

function problemsOf(answer, truth) {
  const said = [answer.because, ...answer.help.map(({ text }) => text), ...answer.others.map(({ because }) => because)].join(' ');
  const cause = failureOf(answer.cause).name;
  return [
    ...cause === truth.cause ? [] : [`the cause is ${truth.cause}, got ${cause}`],
    ...numbersIn(truth.because).filter(number => !numbersIn(said).includes(number)).map(number => `the number ${number} is not told`),
    ...answer.help.length > 0 ? [] : ['there is no help'],
    ...(truth.verifiedNotToHelp ?? []).filter(text => answer.help.some(help => help.text === text.replace(/ \(.*/, ''))).map(text => `does not help: ${text}`),
  ];
}

/** Amounts, counts and names with digits; a small number in words counts too. */
function numbersIn(text) {
  return [...new Set(text.match(/[a-z]*-?\d+[A-Za-z]*/gi) ?? [])].map(one => one.toLowerCase());
}

// The demo: synthesizes examples/ml-platform into dist, shows what came out, and checks it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cleanEnvironment, readFolder, ROOT, synthesize } from './examples/run.mjs';

const DIST = join(ROOT, 'dist');
const PLAN = `${DIST}.plan`;
const CLI = join(ROOT, 'driver', 'bin', 'kubectl-dra.js');
const NEXT = `
Next:
  less dist/20-classes.yaml                        the classes as Kubernetes gets them
  less examples/ml-platform/main.ts                the program that made them
  less dist.plan/a100/README.md                    the move of a pool, from adoption to the end
  less dist.plan/a100/rollback.md                  the way back by hand
  npx kubectl-dra check examples/invalid           what a mistake looks like
  npx kubectl-dra check --explain DRA101           why a code matters and how to fix it`;

if (!existsSync(join(ROOT, 'lib', 'src', 'index.js')) || !existsSync(join(ROOT, 'driver', 'lib', 'cli.js'))) {
  console.log('Compiling the library and the command line (once, about a minute) …');
  execFileSync(process.execPath, [join(ROOT, 'node_modules', '.bin', 'projen'), 'compile'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

console.log('Synthesizing examples/ml-platform/main.ts into dist …\n');
synthesize('ml-platform', DIST);
printTable(DIST);
printPhases('a100');

console.log('\n$ npx kubectl-dra check dist --kubernetes 1.34');
const { status } = spawnSync(process.execPath, [CLI, 'check', 'dist', '--kubernetes', '1.34'], { cwd: ROOT, env: cleanEnvironment(), stdio: 'inherit' });
console.log(status === 0 ? NEXT : '\nThe check found something: this should not happen with the demo, please report it.');
process.exitCode = status ?? 2;

/** What each phase really does with the driver and version of a pool, as its plan says. */
function printPhases(pool) {
  const text = readFolder(PLAN).get(join(pool, 'README.md'));
  const [, section] = /^## What really happens\n([^]*?)^## /m.exec(text) ?? [];
  console.log(`\nWhat each phase really does to pool ${pool} (dist.plan/${pool}/README.md):`);
  for (const line of section.trim().split('\n')) {
    const [, phase] = /^\*\*(.*)\*\*$/.exec(line) ?? [];
    if (phase !== undefined) console.log(`\n  ${phase}`);
    else if (line !== '') console.log(wrapped(line.replace(/^- /, ''), 110).map((part, index) => `    ${index === 0 ? '-' : ' '} ${part}`).join('\n'));
  }
}

function wrapped(text, width) {
  return text.split(' ').reduce((lines, word) => {
    const last = lines[lines.length - 1];
    if (last.length + word.length < width) lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(word);
    return lines;
  }, ['']);
}

/** One row a kind of object in each file. */
function printTable(folder) {
  const { parseAllDocuments } = createRequire(import.meta.url)('yaml');
  const rows = [];
  for (const [file, text] of readFolder(folder)) {
    if (!file.endsWith('.yaml')) continue;
    const objects = parseAllDocuments(text, { version: '1.1' }).map(document => document.toJS());
    for (const kind of new Set(objects.map(object => object.kind))) {
      const names = objects.filter(object => object.kind === kind).map(object => object.metadata.name);
      rows.push([rows.some(([name]) => name === file) ? '' : file, kind, String(names.length), names.join(', ')]);
    }
  }
  const header = ['FILE', 'KIND', 'COUNT', 'NAMES'];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map(row => row[column].length)));
  for (const row of [header, ...rows]) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
}

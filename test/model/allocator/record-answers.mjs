/** Writes answers.json anew with upstream's programs, which `npm run test:oracle` builds: node test/model/allocator/record-answers.mjs */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { build } from 'esbuild';

const DOCUMENTS = 1000;
const MINORS = ['1.34', '1.35', '1.36', '1.37'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const outfile = join(root, 'build/oracle/random-document.mjs');
mkdirSync(join(root, 'build/oracle'), { recursive: true });
await build({ entryPoints: [join(root, 'test/model/allocator/random-document.ts')], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
const { randomDocument } = await import(pathToFileURL(outfile).href);

const documents = Array.from({ length: DOCUMENTS }, (_, i) => randomDocument(i + 1));
const answers = new Map();
for (const minor of MINORS) {
  const asked = documents.filter(document => document.kubernetes === minor);
  const input = asked.map(document => `${JSON.stringify({ kind: 'allocate', ...document })}\n`).join('');
  const output = execFileSync(join(root, 'build/oracle', minor, 'oracle'), ['-repeat', '20', '-timeout', '3s'], { input, maxBuffer: 2 ** 30 }).toString();
  for (const line of output.trim().split('\n')) {
    const { id, random, alternatives, timeout, panic, ...answer } = JSON.parse(line);
    // Orders that are random upstream, what takes too long, and what kills the scheduler, cannot be compared.
    if (random || alternatives || timeout || panic) continue;
    answers.set(id, JSON.stringify(answer).replace(/"shareID":"[^"]*"/g, '"shareID":"*"'));
  }
}
const lines = [...answers].sort(([a], [b]) => a - b).map(([id, answer]) => `  "${id}": ${answer}`);
writeFileSync(join(root, 'test/model/allocator/answers.json'), `{\n${lines.join(',\n')}\n}\n`);

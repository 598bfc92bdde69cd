import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '..', '..', 'tools', 'cluster', 'cache-entry.mjs')).href;

let cache: string;
let entry: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'cache-entry-'));
  entry = join(cache, '1.36-0123');
});

afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** A program that asks for the entry; `fill` is the body of its builder. The entry is whole when it holds a file "whole". */
function program(fill: string): readonly string[] {
  return ['--input-type=module', '--eval', `
    import { existsSync, writeFileSync } from 'node:fs';
    import { cacheEntry } from '${MODULE}';
    const probe = folder => existsSync(folder + '/whole') ? undefined : 'nothing is whole';
    const fill = async folder => { ${fill} };
    await cacheEntry('${entry}', { probe, fill, say: text => console.log(text) }).catch(error => {
      console.error(error.message);
      process.exitCode = 1;
    });
  `];
}

const WHOLE = 'writeFileSync(folder + "/whole", String(process.pid));';

function run(fill: string) {
  return spawnSync(process.execPath, program(fill), { encoding: 'utf8' });
}

test('a missing entry is built, a whole one is not built again', () => {
  expect(run(WHOLE).status).toBe(0);
  expect(readdirSync(entry)).toEqual(['whole']);
  expect(run('throw new Error("built twice");')).toMatchObject({ status: 0, stderr: '' });
});

test('a broken entry is built again, with a word about it', () => {
  mkdirSync(entry);

  const { status, stdout } = run(WHOLE);

  expect(stdout).toBe(`The cached programs in ${entry} are broken (nothing is whole); building them again.\n`);
  expect(status).toBe(0);
  expect(readdirSync(cache)).toEqual(['1.36-0123']);
});

test.each([
  ['fails', 'throw new Error("no disk");', 'no disk\n'],
  ['gives something broken', '', 'The programs were built, but nothing is whole.'],
])('a build that %s leaves nothing', (_, fill, words) => {
  const { status, stderr } = run(fill);

  expect(stderr).toContain(words);
  expect(status).toBe(1);
  expect(readdirSync(cache)).toEqual([]);
});

test('what a killed build left is removed by the next', async () => {
  const child = spawn(process.execPath, program('console.log("building"); await new Promise(() => setInterval(() => {}, 1000));'));
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(cache)).toEqual([`1.36-0123.building-${child.pid}`]);
  utimesSync(join(cache, `1.36-0123.building-${child.pid}`), 0, 0);

  expect(run(WHOLE).status).toBe(0);

  expect(readdirSync(cache)).toEqual(['1.36-0123']);
});

test('a second build of the same waits for the first and takes its result', async () => {
  const go = join(cache, 'go');
  const first = spawn(process.execPath, program(`
    console.log('building');
    while (!existsSync('${go}')) await new Promise(resolve => setTimeout(resolve, 20));
    ${WHOLE}`));
  await once(first.stdout, 'data');
  const second = spawn(process.execPath, program(WHOLE));
  const [words] = await once(second.stdout, 'data');
  expect(String(words)).toBe(`Process ${first.pid} builds the same programs; waiting for it.\n`);
  expect(existsSync(entry)).toBe(false);
  writeFileSync(go, '');

  await Promise.all([once(first, 'exit'), once(second, 'exit')]);

  expect(readFileSync(join(entry, 'whole'), 'utf8')).toBe(String(first.pid));
});

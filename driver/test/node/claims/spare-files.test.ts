import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LocalFileSystem } from '../../../src/node/claims/record/file-system.js';
import { LeftoverFiles } from '../../../src/node/claims/record/leftover-files.js';
import { SpareFiles } from '../../../src/node/claims/record/spare-files.js';

let folder = '';
let spares: SpareFiles;
const files = new LocalFileSystem();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spare-'));
  spares = new SpareFiles(files, folder, new LeftoverFiles(files));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
}

test.each([['shorter', 'ab'], ['as long', 'abcdef'], ['longer', 'abcdefghij'.repeat(1000)], ['without content', '']])('a file that was taken away gets content that is %s', async (_, content) => {
  const path = file('a.json', '123456');
  const { ino } = statSync(path);

  const spare = (await spares.takeAway(path))!;
  expect(existsSync(path)).toBe(false);
  expect(await spares.filled(content)).toBeUndefined();
  await spares.add(spare);

  expect(await spares.filled(content)).toBe(spare);
  expect([readFileSync(spare, 'utf8'), statSync(spare).ino, statSync(spare).mode % 0o1000]).toEqual([content, ino, 0o600]);
  expect(await spares.filled(content)).toBeUndefined();
});

test('a file that another one replaces is spare from then on', async () => {
  const path = file('a.json', 'old');
  const spare = (await spares.secondName(path))!;
  await files.rename(file('.new.tmp', 'new'), path);
  await spares.add(spare);

  expect(await spares.filled('next')).toBe(spare);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a file with another name is never written over, and a new one is made instead', async () => {
  const spare = (await spares.takeAway(file('a.json', 'record')))!;
  linkSync(spare, join(folder, 'backup'));
  await spares.add(spare);

  expect(await spares.filled('next')).toBeUndefined();
  expect([readdirSync(folder), readFileSync(join(folder, 'backup'), 'utf8')]).toEqual([['backup'], 'record']);
});

test('a spare file that somebody removed is done without', async () => {
  const spare = (await spares.takeAway(file('a.json', 'record')))!;
  await spares.add(spare);
  rmSync(spare);

  expect(await spares.filled('next')).toBeUndefined();
});

test('what is not there needs neither to be taken away nor a second name', async () => {
  expect([await spares.takeAway(join(folder, 'a.json')), await spares.secondName(join(folder, 'a.json'))]).toEqual([undefined, undefined]);
});

test('on a disk that has no room for another name a file goes all the same', async () => {
  const full = new LocalFileSystem();
  full.rename = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  const path = file('a.json', 'record');

  expect(await new SpareFiles(full, folder, new LeftoverFiles(full)).takeAway(path)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test('no more are kept than are of use, and none in the end', async () => {
  for (let count = 0; count < 200; count++) await spares.add((await spares.takeAway(file(`${count}.json`, 'record')))!);
  expect(readdirSync(folder)).toHaveLength(128);

  await spares.clear();

  expect(readdirSync(folder)).toEqual([]);
  expect(await spares.filled('next')).toBeUndefined();
});

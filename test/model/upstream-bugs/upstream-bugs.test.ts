import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINORS } from '../../../src/model/target';
import { affectedVersions, hasBug, UPSTREAM_BUGS, upstreamBug } from '../../../src/model/upstream-bugs';
import type { UpstreamBug } from '../../../src/model/upstream-bugs';

const BUGS: readonly UpstreamBug[] = UPSTREAM_BUGS;

test('the page has a line for every mistake, as the catalogue has it, and none besides', () => {
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'oracle.md'), 'utf8');
  const table = page.slice(page.indexOf('## Mistakes of upstream'), page.indexOf('## Adding a case'));
  const expected = BUGS.map(bug => `| \`${bug.id}\` | ${bug.what} | ${affectedVersions(bug, MINORS)} |`);

  expect(table.split('\n').filter(line => line.startsWith('| `'))).toEqual(expected);
});

test('ids are unique, and minors stand in order', () => {
  expect(new Set(BUGS.map(({ id }) => id)).size).toBe(BUGS.length);
  for (const { minors } of BUGS) expect(minors).toEqual(MINORS.filter(minor => minors.includes(minor)));
});

test('a patch release mends a minor that has the mistake', () => {
  for (const { minors, mended = {} } of BUGS) expect(minors).toEqual(expect.arrayContaining(Object.keys(mended)));
});

test.each<[string, Partial<UpstreamBug>, string]>([
  ['every minor', { minors: MINORS }, 'all'],
  ['a row of minors', { minors: ['1.34', '1.35', '1.36'] }, '1.34 to 1.36'],
  ['one minor', { minors: ['1.36'] }, '1.36'],
  ['patch releases', { minors: ['1.35', '1.36'], mended: { 1.35: 6, 1.36: 1 } }, '1.35.0 to 1.35.5 and 1.36.0'],
  ['a minor and patch releases of the next', { minors: ['1.35', '1.36'], mended: { 1.36: 4 } }, '1.35 and 1.36.0 to 1.36.3'],
  ['a row and patch releases', { minors: ['1.34', '1.35', '1.36'], mended: { 1.36: 2 } }, '1.34 to 1.35 and 1.36.0 to 1.36.1'],
])('%s', (_, bug, text) => {
  expect(affectedVersions({ id: 'x', what: '', minors: [], ...bug }, MINORS)).toBe(text);
});

test('whether a version has it depends on its patch release where one mended it', () => {
  const bug = upstreamBug('all-mode-with-counters');

  expect([hasBug(bug, '1.36', 1), hasBug(bug, '1.36', 2), hasBug(bug, '1.36', undefined), hasBug(bug, '1.37', 0)]).toEqual([true, false, 'maybe', false]);
  expect(hasBug(upstreamBug('capacity-name'), '1.36', undefined)).toBe(true);
});

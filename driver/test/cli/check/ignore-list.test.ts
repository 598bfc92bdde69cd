import { NOWHERE, SELECTOR } from './sample-result.js';
import { IgnoreList } from '../../../src/cli/check/ignore-list.js';
import type { IgnoreEntry } from '../../../src/cli/check/ignore-list.js';

test.each<[Omit<IgnoreEntry, 'code'>, boolean]>([
  [{}, true],
  [{ path: 'dist/**' }, true],
  [{ path: './dist/*.yaml' }, true],
  [{ path: '20*.yaml' }, true],
  [{ path: '**/20?classes.yaml' }, true],
  [{ path: '*/*/*.yaml' }, false],
  [{ path: 'dist' }, false],
  [{ path: 'dist/20 classesXyaml' }, false],
  [{ object: 'ResourceClaim/trainer' }, true],
  [{ object: 'ResourceClaim/vision/trainer' }, true],
  [{ object: 'ResourceClaim/*/train*' }, true],
  [{ object: 'ResourceClaim/other/trainer' }, false],
  [{ object: 'DeviceClass/trainer' }, false],
  [{ path: 'dist/**', object: 'ResourceClaim/other' }, false],
])('the conditions %j take a finding: %p', (conditions, isTaken) => {
  expect(new IgnoreList([{ code: SELECTOR.code, ...conditions }]).takes(SELECTOR)).toBe(isTaken);
});

test('another code, and a finding without file or object, are not taken', () => {
  expect(new IgnoreList([{ code: 'DRA102' }]).takes(SELECTOR)).toBe(false);
  expect(new IgnoreList([{ code: 'DRA108', path: '**' }]).takes(NOWHERE)).toBe(false);
  expect(new IgnoreList([{ code: 'DRA108', object: '*/*' }]).takes(NOWHERE)).toBe(false);
});

test('entries that took nothing are known', () => {
  const [used, unused] = [{ code: 'DRA101' }, { code: 'DRA101', path: 'other/**' }];
  const list = new IgnoreList([used, unused]);
  list.takes(SELECTOR);

  expect(list.unused()).toEqual([unused]);
});

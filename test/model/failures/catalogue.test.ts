import { parseAllDocuments } from 'yaml';
import { FAILURES, failureOf, findFailure } from '../../../src/model/failures';
import { ALL_RULES } from '../../../src/model/rules';
import { check, findingsFor, targetOf } from '../rules/check';

/** Reported by the readers of files, before any rule runs, and by the engine itself. */
const READER_CODES = ['DRA100', 'DRA101', 'DRA102'];
const ENGINE_CODES = ['DRA108'];

/** What is said about pods and nodes is proved elsewhere; what a cluster says against a plan by the snapshots of its own tests. */
const isOfManifests = (code: string) => code < 'DRA200' || (code >= 'DRA400' && code < 'DRA430');
const isOfRules = (code: string) => code < 'DRA200' || code >= 'DRA400';
const checked = FAILURES.filter(({ code }) => isOfManifests(code) && !READER_CODES.includes(code) && !ENGINE_CODES.includes(code));

test('codes and names are unique and sorted', () => {
  const codes = FAILURES.map(({ code }) => code);
  expect(codes).toEqual([...new Set(codes)].sort());
  expect(new Set(FAILURES.map(({ name }) => name)).size).toBe(FAILURES.length);
  for (const { code, name } of FAILURES) {
    expect(code).toMatch(/^DRA\d{3}$/);
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  }
});

test('every code of the catalogue has a rule or a reader, and every rule only codes of the catalogue', () => {
  const ruled = ALL_RULES.flatMap(({ codes }) => codes);
  expect([...new Set([...ruled, ...READER_CODES, ...ENGINE_CODES])].sort()).toEqual(FAILURES.map(({ code }) => code).filter(isOfRules));
});

test.each(checked.map((failure) => [failure.code, failure] as const))('%s: its wrong manifests have it, its right ones do not', (code, failure) => {
  expect(findingsFor(failure, failure.wrong ?? '').map((finding) => finding.code)).toContain(code);
  expect(findingsFor(failure, failure.right ?? '')).toEqual([]);
});

test.each(checked.map((failure) => [failure.code, failure] as const))('%s: the right manifests have no error at all', (_, failure) => {
  const { right = '' } = failure;
  expect(check(right, targetOf(failure), failure.previous).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each(checked.map((failure) => [failure.code, failure] as const))('%s: the wrong manifests have no other error', (code, failure) => {
  const { wrong = '' } = failure;
  expect(check(wrong, targetOf(failure), failure.previous).filter((finding) => finding.severity === 'error' && finding.code !== code)).toEqual([]);
});

test.each(['DRA101', 'DRA102'])('%s: a strict parser refuses the wrong text and takes the right one', (code) => {
  const { wrong = '', right = '' } = failureOf(code);
  const errors = (text: string) => parseAllDocuments(text, { uniqueKeys: true }).flatMap((document) => document.errors);
  expect(errors(wrong)).not.toEqual([]);
  expect(errors(right)).toEqual([]);
});

test('a failure is found by code and by name in any case, and by nothing else', () => {
  expect(findFailure('dra123')?.name).toBe('too-many-devices');
  expect(findFailure('Too-Many-Devices')?.code).toBe('DRA123');
  expect(findFailure('DRA999')).toBeUndefined();
  expect(findFailure('constructor')).toBeUndefined();
  expect(() => failureOf('DRA999')).toThrow(/must stand in the catalogue, got 'DRA999'/);
});

test('texts are whole sentences and name no path of a machine', () => {
  for (const { code, title, why, fix, source } of FAILURES) {
    expect([code, why.endsWith('.'), fix.endsWith('.'), title.endsWith('.')]).toEqual([code, true, true, false]);
    expect(source).not.toBe('');
    expect(`${why}${fix}`).not.toMatch(/\/(root|tmp|home|work)\//);
  }
});

import recorded from './schemas.json';
import { brokenPromises, CRDS, promisesOf } from '../../../src/model/api';
import type { FieldPromise } from '../../../src/model/api';
import type { Schema } from '../../../src/model/api/crd-schema';

type Promises = Readonly<Record<string, FieldPromise>>;
const RECORDED: Readonly<Record<string, Promises>> = recorded;
const kinds = CRDS.map(({ spec }) => [spec.names.kind, promisesOf(spec.versions[0].schema?.openAPIV3Schema as Schema)] as const);

// Without webhooks there is no conversion: objects that are stored must stay readable.
test.each(kinds)('%s only grows', (kind, promises) => {
  expect(brokenPromises(RECORDED[kind] ?? {}, promises)).toEqual([]);
});

test('every field is recorded, so that the next change is held against it; node tools/api/record-schemas.mjs does it', () => {
  expect(Object.fromEntries(kinds)).toEqual(RECORDED);
});

const OLD: Promises = promisesOf({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 63 },
    phase: { type: 'string', enum: ['A', 'B'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    list: { 'type': 'array', 'maxItems': 4, 'items': { type: 'object', properties: { key: { type: 'string' } } }, 'x-kubernetes-list-type': 'map' },
  },
});

test.each<[string, (old: Promises) => Promises, string[]]>([
  ['the same', old => old, []],
  ['a new field', old => ({ ...old, more: { type: 'string', required: false } }), []],
  ['a new object with a required field', old => ({ ...old, 'more': { type: 'object', required: false }, 'more.key': { type: 'string', required: true } }), []],
  ['a new required field in an old object', old => ({ ...old, 'list[].more': { type: 'string', required: true } }), ['list[].more is new and required.']],
  ['a field less', ({ count: _, ...old }) => old, ['count is gone.']],
  ['another type', old => ({ ...old, name: { ...old.name, type: 'integer' } }), ['name was string and is integer.']],
  ['required now', old => ({ ...old, phase: { ...old.phase, required: true } }), ['phase was optional and is required.']],
  ['optional now', old => ({ ...old, name: { ...old.name, required: false } }), []],
  ['a word more', old => ({ ...old, phase: { ...old.phase, words: ['A', 'B', 'C'] } }), []],
  ['a word less', old => ({ ...old, phase: { ...old.phase, words: ['A'] } }), ['phase no longer takes B.']],
  ['room for more', old => ({ ...old, list: { ...old.list, most: 8 } }), []],
  ['room for less', old => ({ ...old, name: { ...old.name, most: 40 } }), ['name takes at most 40 now.']],
  ['a higher floor', old => ({ ...old, count: { ...old.count, least: 2 } }), ['count needs at least 2 now.']],
  ['another pattern', old => ({ ...old, name: { ...old.name, pattern: '^a' } }), ['name must match ^a now.']],
  ['another way to merge', old => ({ ...old, list: { ...old.list, list: 'atomic' } }), ['list merges otherwise now.']],
])('%s', (_, change, expected) => {
  expect(brokenPromises(OLD, change(OLD))).toEqual(expected);
});

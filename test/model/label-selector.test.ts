import * as fc from 'fast-check';
import { conditionsOf, describeLabels, labelsMeeting, labelsMissing, meets } from '../../src/model/label-selector';
import type { LabelCondition, Labels } from '../../src/model/label-selector';

const KEYS = ['a', 'b'];
const VALUES = ['x', 'y', '1', '2', '06'];

/** Every value that could matter for the conditions generated here, and one that no condition names. */
const ALL_VALUES = [...VALUES, 'unnamed', '0', '3', '5', '6', '7', '006', '0006', '99'];

const labelCondition: fc.Arbitrary<LabelCondition> = fc.oneof(
  fc.record({ key: fc.constantFrom(...KEYS), operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 3 }) }),
  fc.record({ key: fc.constantFrom(...KEYS), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);
const bound: fc.Arbitrary<LabelCondition> = fc.record({
  key: fc.constantFrom(...KEYS), operator: fc.constantFrom('Gt' as const, 'Lt' as const), values: fc.constantFrom('0', '1', '5', '7', '-3', 'x').map(value => [value]),
});
const condition = fc.oneof({ weight: 3, arbitrary: labelCondition }, { weight: 1, arbitrary: bound });

/** All label sets over both keys. */
const WORLDS: readonly Labels[] = [undefined, ...ALL_VALUES].flatMap(a => [undefined, ...ALL_VALUES].map(b => ({
  ...(a === undefined ? {} : { a }),
  ...(b === undefined ? {} : { b }),
})));

test('labels are found exactly where enumeration finds some, and they meet the conditions', () => {
  fc.assert(fc.property(fc.array(condition, { maxLength: 5 }), conditions => {
    const found = labelsMeeting(conditions);
    expect(found !== undefined).toBe(WORLDS.some(labels => meets(labels, conditions)));
    if (found !== undefined) expect(meets(found, conditions)).toBe(true);
  }), { numRuns: 500 });
});

test('a node of one selector that another leaves out is found exactly where enumeration finds one', () => {
  const conditions = fc.array(labelCondition, { maxLength: 4 });
  fc.assert(fc.property(conditions, conditions, (first, second) => {
    const found = labelsMissing(first, second);
    expect(found !== undefined).toBe(WORLDS.some(labels => meets(labels, first) && !meets(labels, second)));
    if (found !== undefined) expect([meets(found, first), meets(found, second)]).toEqual([true, false]);
  }), { numRuns: 500 });
});

test('the order of conditions does not matter', () => {
  fc.assert(fc.property(fc.array(condition, { maxLength: 5 }), conditions => {
    expect(labelsMeeting([...conditions].reverse()) === undefined).toBe(labelsMeeting(conditions) === undefined);
  }));
});

test.each<[string, LabelCondition[], Labels | undefined]>([
  ['nothing asked', [], {}],
  ['two values of one label', [{ key: 'zone', operator: 'In', values: ['a'] }, { key: 'zone', operator: 'In', values: ['b'] }], undefined],
  ['NotIn holds without the label', [{ key: 'owner', operator: 'NotIn', values: ['handover', 'dra'] }], {}],
  ['present and none of two', [{ key: 'owner', operator: 'Exists' }, { key: 'owner', operator: 'NotIn', values: ['any', 'dra'] }], { owner: 'other-1' }],
  ['In without values', [{ key: 'owner', operator: 'In' }], undefined],
  ['a number between two', [{ key: 'gpus', operator: 'Gt', values: ['4'] }, { key: 'gpus', operator: 'Lt', values: ['6'] }], { gpus: '5' }],
  ['a number between neighbours', [{ key: 'gpus', operator: 'Gt', values: ['4'] }, { key: 'gpus', operator: 'Lt', values: ['5'] }], undefined],
  ['below zero, which no label can be', [{ key: 'gpus', operator: 'Lt', values: ['0'] }], undefined],
])('%s', (_, conditions, expected) => {
  expect(labelsMeeting(conditions)).toEqual(expected);
});

test('a selector is its labels and its expressions together', () => {
  const selector = { matchLabels: { a: 'x' }, matchExpressions: [{ key: 'b', operator: 'Exists' as const }] };
  expect(conditionsOf(selector)).toEqual([{ key: 'a', operator: 'In', values: ['x'] }, { key: 'b', operator: 'Exists' }]);
  expect(meets({ a: 'x', b: '' }, conditionsOf(selector))).toBe(true);
  expect(meets({ a: 'x' }, conditionsOf(selector))).toBe(false);
});

test('labels read as a person writes them', () => {
  expect(describeLabels({ b: '2', a: '1' })).toBe('a=1, b=2');
  expect(describeLabels({})).toBe('no labels');
});

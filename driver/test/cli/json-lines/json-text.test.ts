import { jsonText } from '../../../src/cli/json-lines/json-text.js';

test.each([
  [{ a: [1, 'x"', true, null, 1.5], b: { c: 'ü' } }],
  [[]], [{}], ['\u2028\n'], [{ 'a b': [{}] }],
])('%j is written as JSON.stringify does', (value) => {
  expect(jsonText(value)).toBe(JSON.stringify(value));
});

test('a bigint is written in full', () => {
  expect(jsonText({ maxCost: 18446744073709551615n, list: [-9223372036854775808n] })).toBe('{"maxCost":18446744073709551615,"list":[-9223372036854775808]}');
});

test('an undefined field is left out', () => {
  expect(jsonText({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

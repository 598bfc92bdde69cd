import fc from 'fast-check';

import { parseJsonValue } from '../../../src/cli/input/json-document.js';
import { wholeJson } from '../../../src/cli/input/whole-json.js';

test('what it reads, the careful reader reads the same, and has nothing to say about', () => {
  const token = fc.constantFrom('{', '}', '[', ']', '"a"', '"b"', '":"', '"\\""', '"\\\\"', ':', ' :', ',', '1', '1e3', '12345678901234567', '1234567890123456', 'null', ' ', '\n', '"a":', '"b":', '{"a":1}', '"__proto__":');
  fc.assert(fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
    const text = tokens.join('');
    const whole = wholeJson(text);
    if (whole === undefined) return;
    const careful = parseJsonValue(text, 0);
    expect(careful.value).toEqual(whole.value);
    expect(careful.duplicates).toEqual([]);
  }), { numRuns: 20_000, seed: 3 });
});

test('values as servers and kubectl write them are read at once', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
    const text = JSON.stringify(value, undefined, indent);
    fc.pre(!/":|\d{16}|e[+-]/.test(JSON.stringify(strings(value))));

    expect(wholeJson(text)).toEqual({ value: JSON.parse(text) as unknown });
  }), { numRuns: 500, seed: 3 });
});

function strings(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, one]) => [key, ...strings(one)]);
  return [value];
}

test.each([
  ['a key that stands twice', '{"a":1,"a":2}'],
  ['a key that stands twice deep inside', '{"a":[{"b":1,"c":{},"b":2}]}'],
  ['a number beyond 2^53', '{"a":9007199254740993}'],
  ['a number with an exponent', '{"a":1e999}'],
  ['a second value', '{"a":1}\n{"b":2}'],
  ['a mistake', '{"a":1,}'],
  ['nothing', ''],
  ['nesting', `${'['.repeat(300)}${']'.repeat(300)}`],
])('%s is left to the careful reader', (_, text) => {
  expect(wholeJson(text)).toBeUndefined();
});

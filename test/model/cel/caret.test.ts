import * as fc from 'fast-check';
import { caret } from '../../../src/model/cel/caret';

test.each([
  ['a == b', 2, 4, 'a == b\n  ^^'],
  ['a ==', 4, 4, 'a ==\n    ^'],
  ['', 0, 0, '\n^'],
  ['a\nb + c\nd', 4, 5, 'b + c\n  ^'],
  ['a\nb + c\nd', 6, 9, 'b + c\n    ^'],
  ['\t"é😀" + x', 8, 9, '·"é😀" + x\n       ^'],
])('in %j the part from %i to %i is marked', (expression, start, end, expected) => {
  expect(caret(expression, start, end)).toBe(expected);
});

test('a long line is cut around the part', () => {
  const [line, marks] = caret(`${'a'.repeat(500)}HERE${'b'.repeat(500)}`, 500, 504).split('\n');
  expect(line.startsWith('…a')).toBe(true);
  expect(line.endsWith('b…')).toBe(true);
  expect(line.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1)).toBe('HERE');
});

test('two lines come out for every text and range, at most 102 columns wide', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: -5, max: 700 }), fc.integer({ min: -5, max: 700 }), (text, start, end) => {
    const lines = caret(text, start, end).split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(103);
    expect(lines[1]).toContain('^');
  }));
});

import fc from 'fast-check';

import { DocumentError } from '../../../src/cli/input/document-error.js';
import { parseJsonValue } from '../../../src/cli/input/json-document.js';

test('any JSON value reads as with JSON.parse', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
    fc.pre(!/\d{16}/.test(JSON.stringify(value)));
    const text = JSON.stringify(value, undefined, indent);

    expect(parseJsonValue(text, 0)).toEqual({ value: JSON.parse(text), duplicates: [], aliased: 0, end: text.length });
  }));
});

test.each([
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', 9223372036854776000],
  ['900719925474099', 900719925474099],
  ['1234567890123456.5', 1234567890123456.5],
])('%s is %p', (text, value) => {
  expect(parseJsonValue(text, 0).value).toStrictEqual(value);
});

test.each([
  ['9223372036854775808', 9223372036854775808n],
  ['-9223372036854775809', -9223372036854775809n],
  ['900719925474099', 900719925474099],
])('with its digits, %s is %p', (text, value) => {
  expect(parseJsonValue(text, 0, true).value).toStrictEqual(value);
});

test('values that follow each other are read one by one', () => {
  const first = parseJsonValue(' {"a": 1}{"b": 2}', 0);

  expect(first).toMatchObject({ value: { a: 1 }, end: 9 });
  expect(parseJsonValue(' {"a": 1}{"b": 2}', first.end)).toMatchObject({ value: { b: 2 }, end: 17 });
});

test('the last of equal keys counts, and each repetition is known', () => {
  expect(parseJsonValue('{"a": 1, "a": 2}', 0)).toMatchObject({ value: { a: 2 }, duplicates: [{ key: 'a', offset: 9 }] });
});

test.each([
  ['', 0, 'expected a value, found the end of the file'],
  ['{"a"', 4, "expected ':', found the end of the file"],
  ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
  ["{'a':1}", 1, 'expected a key in double quotes'],
  ['[1 2]', 3, "expected ',' or ']', found \"2\""],
  ['{"a":01}', 6, "expected ',' or '}', found \"1\""],
  ['{"a":"x', 5, 'expected the closing quote'],
  ['{"a":"\\q"}', 5, 'expected a well-formed string'],
  ['{"a":"x\ny"}', 7, 'control character'],
  ['{"a":1e999}', 5, 'fits 64 bits'],
  ['{"a":tru}', 5, 'expected a value'],
])('%j is an error at its place', (text, offset, message) => {
  expect(() => parseJsonValue(text, 0)).toThrow(message);
  expect(() => parseJsonValue(text, 0)).toThrow(expect.objectContaining({ offset, kind: 'syntax' }));
});

test('10,000 levels are refused', () => {
  expect(() => parseJsonValue('[{"a":'.repeat(5_000), 0)).toThrow(DocumentError);
});

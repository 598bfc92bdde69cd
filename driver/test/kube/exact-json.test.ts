import { exactJson, parseExactJson } from '../../src/kube/exact-json.js';

test.each([
  ['{"int":9007199254740993}', { int: 9007199254740993n }],
  ['{"int":-9223372036854775808}', { int: -9223372036854775808n }],
  ['[9007199254740991]', [9007199254740991]],
  ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
  ['{"a":"\\"9007199254740993","b":9007199254740993}', { a: '"9007199254740993', b: 9007199254740993n }],
  ['{"a":0.12345678901234567890}', { a: 0.12345678901234568 }],
  ['{"a":1e21,"b":12345678901234567890e2}', { a: 1e21, b: 12345678901234567890e2 }],
  ['{"a":"int64:9007199254740993","b":9007199254740993}', { a: 'int64:9007199254740993', b: 9007199254740993n }],
])('%s is read exactly', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test('what was read is written back digit for digit', () => {
  const text = '{"ints":[1,9007199254740993,-9007199254740993],"text":"9007199254740993"}';

  expect(exactJson(parseExactJson(text))).toBe(text);
});

test('fields that are undefined are left out, in lists they are null', () => {
  expect(exactJson({ a: undefined, b: [undefined], c: null })).toBe('{"b":[null],"c":null}');
});

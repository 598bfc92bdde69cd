import { splitDocuments } from '../../../src/cli/input/document-splitter.js';

test.each([
  ['', [['', 0]]],
  ['a: 1\n', [['a: 1\n', 0]]],
  ['---\na: 1\n---\nb: 2', [['', 0], ['a: 1\n', 1], ['b: 2', 3]]],
  ['a: 1\n--- # next\nb: 2\n', [['a: 1\n', 0], ['b: 2\n', 2]]],
  ['a: |\n  x\n  ---\n  y\n', [['a: |\n  x\n  ---\n  y\n', 0]]],
  ['a: 1\r\n---\r\nb: 2\r\n', [['a: 1\r\n', 0], ['b: 2\r\n', 2]]],
  ['a: 1\n---', [['a: 1\n', 0], ['', 2]]],
])('%j is cut at its separators', (text, chunks) => {
  const bytes = Buffer.from(text);

  expect([...splitDocuments(bytes)].map(({ start, end, line }) => [bytes.toString('utf8', start, end), line])).toEqual(chunks);
});

test('a separator with content behind it is reported with that content', () => {
  expect([...splitDocuments(Buffer.from('a: 1\n--- {b: 2}\nc: 3\n'))][1]).toMatchObject({ badSeparator: '{b: 2}' });
});

import { DocumentPositions, LineIndex } from '../../../src/cli/input/document-positions.js';

const TEXT = `# comment
spec: &spec
  "two words": 1
  list:
  - name: a
  -   name: b
      deep: {x: 1, z: [2, 3]}
again: *spec
merged:
  <<: *spec
  own: 1
args: [
  1,
  2
]
on: true
list:
- - 1
  - 2
`;

test.each([
  [[], '2:1'],
  [['spec'], '2:1'],
  [['spec', 'two words'], '3:3'],
  [['spec', 'list'], '4:3'],
  [['spec', 'list', 0], '5:5'],
  [['spec', 'list', 0, 'name'], '5:5'],
  [['spec', 'list', 1, 'name'], '6:7'],
  [['spec', 'list', 1, 'deep', 'z', 1], '7:27'],
  [['again'], '8:1'],
  [['again', 'two words'], '3:3'],
  [['merged', 'two words'], '3:3'],
  [['merged', 'own'], '11:3'],
  [['args', 1], '14:3'],
  [['true'], '16:1'],
  [['list', 0, 1], '19:5'],
])('%j stands at %s', (path, place) => {
  const { line, column } = new DocumentPositions(TEXT).locate(path as (string | number)[]);

  expect(`${line}:${column}`).toBe(place);
});

test.each([
  [['spec', 'missing', 'deeper'], '2:1'],
  [['spec', 'list', 7], '4:3'],
  [['spec', 'list', 'name'], '4:3'],
  [['args', 0, 'x'], '13:3'],
])('%j does not exist: its nearest parent stands at %s', (path, place) => {
  const { line, column } = new DocumentPositions(TEXT).locate(path as (string | number)[]);

  expect(`${line}:${column}`).toBe(place);
});

test('an empty document is at its start', () => {
  expect(new DocumentPositions('').locate(['a'])).toEqual({ line: 1, column: 1 });
});

test.each([
  ['a\nbc', 3, '2:2'],
  ['a\r\nbc', 4, '2:2'],
  ['a\rbc', 3, '2:2'],
  ['\ufeffabc', 2, '1:2'],
  ['a\n', 2, '2:1'],
])('in %j the offset %d is at %s', (text, offset, place) => {
  const { line, column } = new LineIndex(text).position(offset);

  expect(`${line}:${column}`).toBe(place);
});

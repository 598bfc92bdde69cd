import { attributeValueProblem } from '../../src/model/attribute-value';

test.each([
  { int: 0 }, { int: -5 }, { int: 2n ** 63n - 1n }, { int: -(2n ** 63n) }, { bool: false }, { string: '' }, { string: 'A100' },
  { string: 'x'.repeat(64) }, { string: 'ä'.repeat(32) },
  { version: '550.54.15' }, { string: 'x', int: undefined },
])('%p is an attribute in every minor', value => {
  expect(attributeValueProblem(value, '1.34')).toBeUndefined();
});

test.each([
  { ints: [1, 2] }, { bools: [true] }, { strings: ['a', ''] }, { versions: ['1.0.0'] },
])('%p is an attribute since 1.36', value => {
  expect(attributeValueProblem(value, '1.35')?.rule).toBe('must have no list in Kubernetes 1.35');
  expect(attributeValueProblem(value, '1.36')).toBeUndefined();
});

test.each([
  [null, 'must be an object with one value'],
  ['A100', 'must be an object with one value'],
  [[1], 'must be an object with one value'],
  [{}, 'must have exactly one value, but has 0'],
  [{ int: 1, bool: true }, 'must have exactly one value, but has 2'],
  [{ float: 1.5 }, 'must have one of the fields'],
  [{ int: 1.5 }, 'must be a whole number of 64 bits'],
  [{ int: '8' }, 'must be a whole number of 64 bits'],
  [{ int: 2 ** 53 }, 'must be a whole number of 64 bits'],
  [{ int: 2n ** 63n }, 'must be a whole number of 64 bits'],
  [{ bool: 'true' }, 'must be true or false'],
  [{ string: 5 }, 'must be a text'],
  [{ string: 'x'.repeat(65) }, 'must be at most 64 bytes, but has 65'],
  [{ string: 'ä'.repeat(33) }, 'must be at most 64 bytes, but has 66'],
  [{ version: 'v1.0.0' }, 'must be a semantic version'],
  [{ version: `1.0.0-${'x'.repeat(59)}` }, 'must be at most 64 bytes, but has 65'],
  [{ ints: [] }, 'must have a list with at least one value in ints'],
  [{ ints: 5 }, 'must have a list with at least one value in ints'],
  [{ versions: ['1.0.0', '1'] }, 'must have valid items: versions[1] must be a semantic version'],
])('%p is refused', (value, rule) => {
  expect(attributeValueProblem(value, '1.37')?.rule).toContain(rule);
});

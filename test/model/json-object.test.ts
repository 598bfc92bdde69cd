import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { opaqueProblem } from '../../src/model/json-object';

const MAX = 10 * 1024;
/** An object whose compact JSON has that many bytes. */
const sized = (bytes: number) => ({ data: 'x'.repeat(bytes - '{"data":""}'.length) });

test.each([
  [{}],
  [{ apiVersion: 'gpu.example.com/v1', sharing: { strategy: 'TimeSlicing', count: 4, on: true, off: null, list: [1, 'a', []] } }],
  [{ big: 2n ** 63n - 1n }],
  [Object.create(null) as object],
  [JSON.parse('{"__proto__": 1}') as object],
  [runInNewContext('({ a: { b: [1] } })') as object],
  [sized(MAX)],
])('%p is a JSON object', value => {
  expect(opaqueProblem(value)).toBeUndefined();
});

test.each([
  [undefined, 'must be a JSON object'],
  [null, 'must be a JSON object'],
  ['{}', 'must be a JSON object'],
  [[{}], 'must be a JSON object'],
  [new Date(0), 'must be a JSON object'],
  [new Map(), 'must be a JSON object'],
  [{ a: undefined }, 'must hold only JSON values, but \'a\' is undefined'],
  [{ a: [1, { b: undefined }] }, 'must hold only JSON values, but \'a[1].b\' is undefined'],
  [{ a: () => 1 }, 'must hold only JSON values, but \'a\' is a function'],
  [{ a: Symbol('x') }, 'must hold only JSON values, but \'a\' is a symbol'],
  [{ a: NaN }, 'must hold only JSON values, but \'a\' is NaN'],
  [{ a: -Infinity }, 'must hold only JSON values, but \'a\' is -Infinity'],
  [{ a: 2n ** 63n }, 'must hold only JSON values, but \'a\' is a whole number beyond 64 bits'],
  [{ a: new Date(0) }, 'must hold only JSON values, but \'a\' is a Date'],
  [{ a: new Set() }, 'must hold only JSON values, but \'a\' is a Set'],
  [{ a: new Array(2) }, 'must hold only JSON values, but \'a[0]\' is undefined'],
  [sized(MAX + 1), 'must be at most 10240 bytes as JSON'],
])('%p is refused', (value, rule) => {
  expect(opaqueProblem(value)?.rule).toBe(rule);
});

test('an object that contains itself is refused', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = [cyclic];
  expect(opaqueProblem(cyclic)?.rule).toBe('must hold only JSON values, but \'self[0]\' contains itself');
});

test('the same value in two places is legal', () => {
  const shared = { a: 1 };
  expect(opaqueProblem({ x: shared, y: shared })).toBeUndefined();
});

test('a value that doubles at every level is refused for its size', () => {
  let value: object = {};
  for (let i = 0; i < 60; i++) value = { l: value, r: value };
  expect(opaqueProblem(value)?.rule).toBe('must be at most 10240 bytes as JSON');
});

test('101 levels are too deep', () => {
  let value: object = {};
  for (let i = 1; i < 100; i++) value = { v: value };
  expect(opaqueProblem(value)).toBeUndefined();
  expect(opaqueProblem({ v: value })?.rule).toBe('must be nested at most 100 levels deep');
});

test('characters that Go escapes count as six bytes', () => {
  const fits = { data: '<'.repeat(Math.floor((MAX - '{"data":""}'.length) / 6)) };
  expect(opaqueProblem(fits)).toBeUndefined();
  expect(opaqueProblem({ data: `${fits.data}<` })?.rule).toBe('must be at most 10240 bytes as JSON');
});

test('bytes are those of compact JSON', () => {
  const values = [fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)];
  fc.assert(fc.property(fc.object({ maxDepth: 3, withNullPrototype: true, values }), body => {
    const bytes = Buffer.byteLength(JSON.stringify(body).replace(/[<>&\u2028\u2029]/g, '\\u0000'));
    fc.pre(bytes < MAX - 20);
    const rest = MAX - bytes - (Object.keys(body).length === 0 ? 0 : 1) - '"padding":""'.length;
    fc.pre(!('padding' in body));
    expect(opaqueProblem({ ...body, padding: 'x'.repeat(rest) })).toBeUndefined();
    expect(opaqueProblem({ ...body, padding: 'x'.repeat(rest + 1) })?.rule).toBe('must be at most 10240 bytes as JSON');
  }));
});

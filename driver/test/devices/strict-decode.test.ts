import * as z from 'zod/mini';

import { decode, describeField, rule } from '../../src/devices/strict-decode.js';

const SCHEMA = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(5), rule((text) => (/^[a-z]*$/.test(text) ? undefined : { rule: 'must be lower case', help: 'Use a to z.' }))),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(9))),
  mode: z.optional(z.enum(['fast', 'slow'])),
  amount: z.optional(z.union([z.string(), z.number()])),
  value: z.optional(z.union([z.strictObject({ string: z.string() }), z.strictObject({ int: z.int() })])),
  items: z.optional(z.array(z.strictObject({ path: z.string(), deep: z.optional(z.record(z.string(), z.strictObject({ size: z.number() }))) }))),
  offer: z.optional(z.discriminatedUnion('as', [z.strictObject({ as: z.literal('whole') }), z.strictObject({ as: z.literal('share'), amount: z.number() })])),
});

function problems(value: unknown): string[] {
  const decoded = decode(SCHEMA, value);
  return 'problems' in decoded ? decoded.problems.map((problem) => describeField(problem, 'the settings')) : [];
}

test('what is right is read', () => {
  const value = { name: 'a', count: 3, mode: 'fast', amount: 4, value: { int: 1 }, items: [{ path: '/', deep: { a: { size: 1 } } }], offer: { as: 'share', amount: 2 } };
  expect(decode(SCHEMA, value)).toEqual({ value });
});

test.each<[unknown, string[]]>([
  [{}, ['\'name\' must be a text, but is missing. Add it.']],
  [{ name: 3 }, ['\'name\' must be a text, got 3. Correct the type; mind quotes in YAML.']],
  [{ name: '' }, ['\'name\' must be at least 1 characters long, got "". Choose more.']],
  [{ name: 'toolong' }, ['\'name\' must be at most 5 characters long, got "toolong". Choose less.']],
  [{ name: 'A' }, ['\'name\' must be lower case, got "A". Use a to z.']],
  [{ name: 'a', count: 0 }, ['\'count\' must be at least 1, got 0. Choose more.']],
  [{ name: 'a', count: 1.5 }, ['\'count\' must be a whole number, got 1.5. Correct the type; mind quotes in YAML.']],
  [{ name: 'a', mode: 'fsat' }, ['\'mode\' must be one of "fast", "slow", got "fsat". Did you mean \'fast\'?']],
  [{ name: 'a', cuont: 3 }, ['\'cuont\' is not a field here. Did you mean \'count\'?']],
  [{ name: 'a', x: 1, y: 2 }, ['x', 'y'].map((key) => `'${key}' is not a field here. There are name, count, mode, amount, value, items, offer.`)],
  [{ name: 'a', amount: true }, ['\'amount\' must be a text or a number, got true. Correct the type; mind quotes in YAML.']],
  [{ name: 'a', value: { int: 'x' } }, ['\'value.int\' must be a number, got "x". Correct the type; mind quotes in YAML.']],
  [{ name: 'a', items: [{ path: '/' }, { pth: '/' }] }, ['\'items[1].path\' must be a text, but is missing. Add it.', '\'items[1].pth\' is not a field here. Did you mean \'path\'?']],
  [{ name: 'a', items: [{ path: '/', deep: { 'x.y': { size: 'a' } } }] }, ['\'items[0].deep.x.y.size\' must be a number, got "a". Correct the type; mind quotes in YAML.']],
  [{ name: 'a', offer: { as: 'shrae', amount: 1 } }, ['\'offer.as\' must be one of "whole", "share", got "shrae". Did you mean \'share\'?']],
  [{ name: 'a', offer: { as: 'share', amuont: 1 } }, ['\'offer.amount\' must be a number, but is missing. Add it.', '\'offer.amuont\' is not a field here. Did you mean \'amount\'?']],
  [{ name: 'a', offer: { as: 'whole', amount: 1 } }, ['\'offer.amount\' is not a field here. There are as.']],
  [[], ['the settings must be an object, got []. Correct the type; mind quotes in YAML.']],
  [null, ['the settings must be an object, got null. Correct the type; mind quotes in YAML.']],
])('%j is refused with the field, the rule and the way out', (value, expected) => {
  expect(problems(value)).toEqual(expected);
});

test('names of the prototype are fields like others', () => {
  expect(problems(JSON.parse('{"name":"a","__proto__":1,"constructor":2}'))).toHaveLength(2);
});

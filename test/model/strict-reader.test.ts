import {
  checked, decode, describeField, flag, json, list, object, oneField, oneOf, optional, record, text, textOrNumber, variant, whole, type ReadBy,
} from '../../src/model/strict-reader';

const whatOffer = object({ as: oneOf('whole') });
const shareOffer = object({ as: oneOf('share'), amount: whole() });

const FORM = object({
  name: checked(text({ min: 1, max: 5 }), given => (/^[a-z]*$/.test(given) ? undefined : { rule: 'must be lower case', help: 'Use a to z.' })),
  count: optional(whole({ min: 1, max: 9 })),
  mode: optional(oneOf('fast', 'slow')),
  amount: optional(textOrNumber()),
  value: optional(oneField({ string: text(), int: whole() })),
  items: optional(list(object({ path: text(), deep: optional(record(object({ size: whole() }), name => (name === 'no' ? { rule: 'must be another', help: 'Rename it.' } : undefined))) }), { max: 2 })),
  offer: optional(variant<ReadBy<typeof whatOffer> | ReadBy<typeof shareOffer>>('as', { whole: whatOffer, share: shareOffer })),
  on: optional(flag()),
  rest: optional(json()),
});

function problems(value: unknown): string[] {
  const decoded = decode(FORM, value);
  return 'problems' in decoded ? decoded.problems.map(problem => describeField(problem, 'the settings')) : [];
}

test('what is right is read', () => {
  const value = { name: 'a', count: 3, mode: 'fast', amount: '4', value: { int: 1 }, items: [{ path: '/', deep: { a: { size: 1 } } }], offer: { as: 'share', amount: 2 } };
  expect(decode(FORM, value)).toEqual({ value });
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
  [{ name: 'a', x: 1, y: 2 }, ['x', 'y'].map(key => `'${key}' is not a field here. There are name, count, mode, amount, value, items, offer, on, rest.`)],
  [{ name: 'a', amount: true }, ['\'amount\' must be a text or a number, got true. Correct the type; mind quotes in YAML.']],
  [{ name: 'a', value: { int: 'x' } }, ['\'value.int\' must be a whole number, got "x". Correct the type; mind quotes in YAML.']],
  [{ name: 'a', items: [{ path: '/' }, { pth: '/' }] }, ['\'items[1].path\' must be a text, but is missing. Add it.', '\'items[1].pth\' is not a field here. Did you mean \'path\'?']],
  [{ name: 'a', items: [{ path: '/', deep: { 'x.y': { size: 'a' } } }] }, ['\'items[0].deep.x.y.size\' must be a whole number, got "a". Correct the type; mind quotes in YAML.']],
  [{ name: 'a', offer: { as: 'shrae', amount: 1 } }, ['\'offer.as\' must be one of "whole", "share", got "shrae". Did you mean \'share\'?']],
  [{ name: 'a', offer: { as: 'share', amuont: 1 } }, ['\'offer.amount\' must be a whole number, but is missing. Add it.', '\'offer.amuont\' is not a field here. Did you mean \'amount\'?']],
  [{ name: 'a', offer: { as: 'whole', amount: 1 } }, ['\'offer.amount\' is not a field here. There are as.']],
  [{ name: 'a', value: {} }, ['\'value\' must have one of string, int, got {}. Keep the one that is meant.']],
  [{ name: 'a', value: { int: 1, string: 'x' } }, ['\'value\' must have one of string, int, got {"int":1,"string":"x"}. Keep the one that is meant.']],
  [{ name: 'a', items: [{ path: '/', deep: { no: { size: 1 } } }] }, ['\'items[0].deep.no\' has a name that must be another, got "no". Rename it.']],
  [{ name: 'a', items: [1, 2, 3] }, [
    '\'items\' must be at most 2 entries long, got [1,2,3]. Choose less.',
    ...[1, 2, 3].map(given => `'items[${given - 1}]' must be an object, got ${given}. Correct the type; mind quotes in YAML.`),
  ]],
  [{ name: 'a', items: {}, on: 'yes', offer: 3 }, [
    '\'items\' must be a list, got {}. Correct the type; mind quotes in YAML.',
    '\'offer\' must be an object, got 3. Correct the type; mind quotes in YAML.',
    '\'on\' must be true or false, got "yes". Correct the type; mind quotes in YAML.',
  ]],
  [{ name: 'a', offer: {} }, ['\'offer.as\' must be one of "whole", "share", but is missing. Write it exactly so; upper and lower case count.']],
  [[], ['the settings must be an object, got []. Correct the type; mind quotes in YAML.']],
  [null, ['the settings must be an object, got null. Correct the type; mind quotes in YAML.']],
])('%j is refused with the field, the rule and the way out', (value, expected) => {
  expect(problems(value)).toEqual(expected);
});

test('names of the prototype are fields like others', () => {
  expect(problems(JSON.parse('{"name":"a","__proto__":1,"constructor":2}'))).toHaveLength(2);
});

test('a field that is undefined is left out, as languages other than YAML pass it', () => {
  expect(decode(FORM, { name: 'a', count: undefined, unknown: undefined })).toEqual({ value: { name: 'a' } });
});

test('an amount becomes a text', () => {
  expect(decode(FORM, { name: 'a', amount: 4 })).toEqual({ value: { name: 'a', amount: '4' } });
});

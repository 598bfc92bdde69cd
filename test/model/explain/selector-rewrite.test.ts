import { comparisonsOf, loosened } from '../../../src/model/explain/selector-rewrite';

test.each<[string, string, readonly [name: string, operator: string, asked: string, rewritten: string][]]>([
  ['a quantity', 'device.capacity["d"].memory.compareTo(quantity("80Gi")) >= 0', [['memory', '>=', '80Gi', 'device.capacity["d"].memory.compareTo(quantity("40Gi")) >= 0']]],
  ['a name', 'device.attributes["d"].model == "H100"', [['model', '==', 'H100', 'device.attributes["d"].model == "40Gi"']]],
  ['a number among others', 'true && device.attributes.d.count < 3', [['count', '<', '3', 'true && device.attributes.d.count < 40Gi']]],
  ['a version', 'device.attributes["d"].driver.isGreaterThan(semver("1.2.3"))', [['driver', '>', '1.2.3', 'device.attributes["d"].driver.isGreaterThan(semver("40Gi"))']]],
  ['two of them', 'device.attributes["d"].a == "x" || device.attributes["d"].b != "y"', [
    ['a', '==', 'x', 'device.attributes["d"].a == "40Gi" || device.attributes["d"].b != "y"'],
    ['b', '!=', 'y', 'device.attributes["d"].a == "x" || device.attributes["d"].b != "40Gi"'],
  ]],
  ['nothing in a question', 'has(device.attributes["d"].a)', []],
  ['nothing in a call', 'device.attributes["d"].a.startsWith("H")', []],
  ['nothing in what is no expression', '== "', []],
])('reads %s', (_, expression, expected) => {
  expect(comparisonsOf(expression).map(one => [one.name, one.operator, one.asked, one.rewritten('40Gi')])).toEqual(expected);
});

test('values are loosened towards what devices have, amounts as amounts', () => {
  const [least] = comparisonsOf('device.capacity["d"].memory.compareTo(quantity("80Gi")) >= 0');
  const [most] = comparisonsOf('device.capacity["d"].memory.compareTo(quantity("4Gi")) <= 0');

  expect(loosened(least, ['16Gi', '100Mi', '40Gi', '16Gi'])).toEqual(['40Gi', '16Gi', '100Mi']);
  expect(loosened(most, ['16Gi', '100Mi', '40Gi'])).toEqual(['100Mi', '16Gi', '40Gi']);
});

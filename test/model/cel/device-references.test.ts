import { deviceReferences } from '../../../src/model/cel/device-references';
import { lex } from '../../../src/model/cel/lexer';

function references(expression: string): string[] {
  return deviceReferences(lex(expression).tokens).map(({ map, domain, id, access, guarded, start, end }) => {
    return [map, domain.text, id?.text ?? '-', access, guarded ? 'guarded' : 'bare', expression.slice(start, end)].join(' | ');
  });
}

test.each<[string, string[]]>([
  ['device.attributes["d"].x', ['attributes | d | x | read | bare | device.attributes["d"].x']],
  ['device.attributes["d"]["x"] == 1', ['attributes | d | x | read | bare | device.attributes["d"]["x"]']],
  ['device.attributes.d.x', ['attributes | d | x | read | bare | device.attributes.d.x']],
  ['device . capacity [ "d" ] . x', ['capacity | d | x | read | bare | device . capacity [ "d" ] . x']],
  ['device.capacity["d"].?x', ['capacity | d | x | optional | guarded | device.capacity["d"].?x']],
  ['device.capacity["d"][?"x"]', ['capacity | d | x | optional | guarded | device.capacity["d"][?"x"]']],
  ['device.capacity[?"d"].x', ['capacity | d | x | optional | guarded | device.capacity[?"d"].x']],
  ['device.attributes["d"].x.y', ['attributes | d | x | read | bare | device.attributes["d"].x']],
  ['device.attributes["d"].exists(k, k == "x")', ['attributes | d | - | read | bare | device.attributes["d"]']],
  ['device.attributes["d"][k]', ['attributes | d | - | read | bare | device.attributes["d"]']],
  ['"d" in device.attributes', ['attributes | d | - | in | guarded | "d" in device.attributes']],
  ['"a" + "d" in device.attributes', []],
  ['device.attributes["a" + "b"].x', []],
  ['device.driver == "d"', []],
  ['other.device.attributes["d"].x', []],
  ['device.attributes', []],
  ['device', []],
  ['device.attributes[', []],
  ['has(device.attributes["d"].x) && device.attributes["d"].x == 1', [
    'attributes | d | x | has | guarded | device.attributes["d"].x',
    'attributes | d | x | read | guarded | device.attributes["d"].x',
  ]],
  ['"x" in device.attributes["d"] && device.attributes.d.x == 1', [
    'attributes | d | x | in | guarded | "x" in device.attributes["d"]',
    'attributes | d | x | read | guarded | device.attributes.d.x',
  ]],
  ['has(device.capacity["d"].x) && device.attributes["d"].x == 1', [
    'capacity | d | x | has | guarded | device.capacity["d"].x',
    'attributes | d | x | read | bare | device.attributes["d"].x',
  ]],
  ['cel.bind(a, device.attributes["d"], has(a.x) && a.x == a.y)', [
    'attributes | d | - | read | bare | device.attributes["d"]',
    'attributes | d | x | has | guarded | a.x',
    'attributes | d | x | read | guarded | a.x',
    'attributes | d | y | read | bare | a.y',
  ]],
  ['cel.bind(a, device.attributes[?"d"], a.x) && a.z', [
    'attributes | d | - | optional | guarded | device.attributes[?"d"]',
    'attributes | d | x | optional | guarded | a.x',
  ]],
])('%s has its references', (expression, expected) => {
  expect(references(expression)).toEqual(expected);
});

import { answer } from './answer';
import { compileSelector, CompiledSelector, evalLine } from '../../../src/model/cel';
import type { SelectorCompileOptions } from '../../../src/model/cel';

const DOMAIN = 'device.attributes["gpu.example.com"]';

describe('attributes and capacity of a device', () => {
  test.each([
    ['device.driver == "gpu.example.com"', 'true'],
    [`${DOMAIN}.model == "A100" && ${DOMAIN}.count == 8 && ${DOMAIN}.ready`, 'true'],
    [`${DOMAIN}.version.isGreaterThan(semver("1.2.0"))`, 'true'],
    ['device.attributes["other.example.com"].link == "up"', 'true'],
    ['device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) == 0', 'true'],
    // A domain that the device does not have is an empty map, but it is not among the keys.
    ['device.attributes["none"].size() == 0', 'true'],
    ['"none" in device.attributes', 'false'],
    ['"gpu.example.com" in device.attributes && "other.example.com" in device.attributes', 'true'],
    ['has(device.attributes["none"].model)', 'false'],
    [`has(${DOMAIN}.model) && !has(${DOMAIN}.link)`, 'true'],
    [`${DOMAIN}.?missing.orValue("x") == "x"`, 'true'],
    [`${DOMAIN}.exists(name, name == "model")`, 'true'],
    [`${DOMAIN}.model == 8`, 'false'],
    [`${DOMAIN}.model`, 'CEL result of type string could not be converted to bool: unsupported native conversion from string to \'bool\''],
  ])('%s: %s', (expression, expected) => {
    expect(answer(expression)).toBe(expected);
  });

  test('one attribute that cannot be read fails every expression', () => {
    const device = { driver: 'd', attributes: { bad: { version: '1.x' }, good: { int: 1 } } };

    expect(evalLine({ expression: 'true', device }).runtimeError).toContain('attribute bad: parse semantic version');
  });
});

describe('what releases and gates bring', () => {
  const allocations = 'device.allowMultipleAllocations || true';
  const sorted = '[2, 1].sort() == [1, 2]';
  const includes = 'device.attributes["gpu.example.com"].count.includes(8)';
  const backticks = '{"a-b": 1}.`a-b` == 1';

  test.each<[string, SelectorCompileOptions, boolean]>([
    [sorted, { minor: '1.34', envType: 'new' }, false],
    [sorted, { minor: '1.34', envType: 'stored' }, true],
    [sorted, { minor: '1.35', envType: 'new' }, true],
    [allocations, { minor: '1.34', envType: 'new' }, false],
    [allocations, { minor: '1.34', envType: 'new', gates: { DRAConsumableCapacity: true } }, true],
    [allocations, { minor: '1.34', envType: 'stored' }, true],
    [includes, { minor: '1.35', envType: 'stored' }, false],
    [includes, { minor: '1.36', envType: 'new' }, false],
    [includes, { minor: '1.36', envType: 'new', gates: { DRAListTypeAttributes: true } }, true],
    [includes, { minor: '1.36', envType: 'stored' }, true],
    [backticks, { minor: '1.36' }, false],
    [backticks, { minor: '1.37' }, true],
  ])('%s with %j compiles: %s', (expression, options, compiles) => {
    expect(compileSelector(expression, options) instanceof CompiledSelector).toBe(compiles);
  });
});

import { DeviceSelector, DriverProfile, StringAttribute } from '../../src';
import { checkSelector } from '../../src/model/cel/selector-check';

const gpu = DriverProfile.nvidiaGpu();
const custom = DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' });
const a = custom.stringAttribute('a');
const A = 'device.attributes["fpga.example.com"].a';

describe('selectors of attributes and capacities', () => {
  test.each<[string, DeviceSelector, string]>([
    ['one text', a.oneOf('x'), `has(${A}) && ${A} == "x"`],
    ['several texts', a.oneOf('x', 'y'), `has(${A}) && ${A} in ["x", "y"]`],
    ['a text with quotes, backslash and line break', a.oneOf('"\\\n'), `has(${A}) && ${A} == "\\"\\\\\\n"`],
    ['a prefix', a.startsWith('x'), `has(${A}) && ${A}.startsWith("x")`],
    ['a pattern', a.matches('^x+$'), `has(${A}) && ${A}.matches("^x+$")`],
    ['presence', a.exists(), `has(${A})`],
    ['numbers', custom.intAttribute('a').atLeast(4), `has(${A}) && ${A} >= 4`],
    ['negative numbers', custom.intAttribute('a').oneOf(-1, 2), `has(${A}) && ${A} in [-1, 2]`],
    ['an upper bound', custom.intAttribute('a').atMost(9), `has(${A}) && ${A} <= 9`],
    ['true', custom.boolAttribute('a').isTrue(), `has(${A}) && ${A} == true`],
    ['false', custom.boolAttribute('a').isFalse(), `has(${A}) && ${A} == false`],
    ['a version', custom.versionAttribute('a').atLeast('2.1.0'), `has(${A}) && ${A}.compareTo(semver("2.1.0")) >= 0`],
    ['an old version', custom.versionAttribute('a').olderThan('2.1.0-rc.1'), `has(${A}) && ${A}.compareTo(semver("2.1.0-rc.1")) < 0`],
    ['a capacity', gpu.memory.atLeast('40Gi'),
      'has(device.capacity["gpu.nvidia.com"].memory) && device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0'],
  ])('%s', (_name, selector, expression) => {
    expect(selector.expression).toBe(expression);
    // Guarded and well formed: our own check finds nothing in what we write.
    expect(checkSelector(selector.expression, { minor: '1.34' })).toEqual([]);
  });

  // C-149: a runtime that does not fit the shell on the card is a matter of the selector, not of luck.
  test('a workload asks for the shell version that it was built for', () => {
    const { expression } = DeviceSelector.allOf(custom.stringAttribute('shell').oneOf('xdma'), custom.versionAttribute('shellVersion').atLeast('2.1.0'));

    expect(checkSelector(expression, { driverName: 'fpga.example.com', minor: '1.34' })).toEqual([]);
    expect(expression).toContain('shellVersion.compareTo(semver("2.1.0")) >= 0');
  });

  test('unqualified text stays text whatever it looks like', () => {
    expect(a.oneOf('true', '1', 'null').expression).toBe(`has(${A}) && ${A} in ["true", "1", "null"]`);
  });
});

describe('combining selectors', () => {
  const [x, y, z] = ['x', 'y', 'z'].map(name => DeviceSelector.cel(name));

  test.each<[string, DeviceSelector, string]>([
    ['all', DeviceSelector.allOf(x, y), '(x) && (y)'],
    ['any', DeviceSelector.anyOf(x, y), '(x) || (y)'],
    ['none of one', DeviceSelector.noneOf(x), '!(x)'],
    ['none of several', DeviceSelector.noneOf(x, y), '!((x) || (y))'],
    ['one alone is itself', DeviceSelector.allOf(x), 'x'],
    ['any of all', DeviceSelector.anyOf(DeviceSelector.allOf(x, y), z), '((x) && (y)) || (z)'],
    ['all of any', DeviceSelector.allOf(DeviceSelector.anyOf(x, y), z), '((x) || (y)) && (z)'],
    ['not of not', DeviceSelector.noneOf(DeviceSelector.noneOf(x)), '!!(x)'],
    ['all with a negation', DeviceSelector.allOf(DeviceSelector.noneOf(x), y), '!(x) && (y)'],
    ['a comment cannot swallow the rest', DeviceSelector.allOf(DeviceSelector.cel('x // why'), y), '(x // why\n) && (y)'],
  ])('%s', (_name, selector, expression) => {
    expect(selector.expression).toBe(expression);
  });
});

describe('refusals', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['no value', () => a.oneOf(), /'oneOf' on fpga\.example\.com\/a must name at least one value, got none\. Use exists\(\)/],
    ['no number', () => custom.intAttribute('a').oneOf(), /must name at least one value/],
    ['no selector', () => DeviceSelector.anyOf(), /'anyOf' must be given at least one selector, got none/],
    ['a number that JavaScript cannot hold', () => custom.intAttribute('a').atLeast(2 ** 53), /whole number within ±\(2\^53 - 1\), got 9007199254740992\. Write larger numbers with DeviceSelector\.cel/],
    ['a fraction', () => custom.intAttribute('a').atLeast(1.5), /whole number/],
    ['a version with v', () => custom.versionAttribute('a').atLeast('v1.2.3'), /strict semantic version, got "v1\.2\.3"\. Write three numbers/],
    ['a version of two numbers', () => custom.versionAttribute('a').atLeast('1.2'), /strict semantic version/],
    ['a bad quantity', () => gpu.memory.atLeast('40 GB'), /gpu\.nvidia\.com\/memory.*got "40 GB"/],
    // C-062: names must be C identifiers after the domain.
    ['an id with a dash', () => custom.stringAttribute('product-name'), /'id' must be a C identifier.*got "product-name"/],
    ['an id with a dot', () => custom.stringAttribute('a.b'), /'id' must be a C identifier/],
    ['an id that begins with a digit', () => custom.stringAttribute('1a'), /'id' must be a C identifier/],
    ['an id of 33 characters', () => custom.stringAttribute('a'.repeat(33)), /'id' must/],
    ['a domain in upper case', () => StringAttribute.of('GPU.example.com', 'a'), /'domain' must be a driver name.*got "GPU\.example\.com"/],
    ['a misspelt value of a closed set', () => gpu.architecture.oneOf('Hoper'), /must be compared with a value that the driver publishes, got "Hoper"\. Did you mean "Hopper"\?/],
    ['a value outside a closed set', () => gpu.deviceType.oneOf('tpu'), /got "tpu"\. (It publishes "gpu", "mig", "vfio"|Did you mean)/],
  ])('%s is refused', (_name, attempt, message) => {
    expect(attempt).toThrow(message);
  });

  test('a value of a newer driver can be asked for through the plain attribute', () => {
    expect(StringAttribute.of('gpu.nvidia.com', 'architecture').oneOf('Feynman').expression).toContain('== "Feynman"');
  });

  test('an attribute newer than the driver version is refused, and one of that version is not', () => {
    const old = DriverProfile.nvidiaGpu({ driverVersion: '0.2.0' });

    expect(() => old.addressingMode.exists()).toThrow(/'addressingMode' from version 0\.3, got driverVersion 0\.2\.0\. Upgrade the driver/);
    expect(old.architecture.exists().expression).toContain('architecture');
  });

  test('a release name stands for its version', () => {
    expect(() => DriverProfile.nvidiaGpu({ driverVersion: '25.12.0' }).addressingMode.exists()).not.toThrow();
  });
});

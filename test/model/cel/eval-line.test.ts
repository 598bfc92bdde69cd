import { evalLine } from '../../../src/model/cel';

const DEVICE = { driver: 'gpu.example.com', attributes: { model: { string: 'A100' } }, capacity: { memory: { value: '40Gi' } } };

test('a selector that matches is answered with its costs and type', () => {
  expect(evalLine({ id: 7, expression: 'device.attributes["gpu.example.com"].model == "A100"', device: DEVICE }))
    .toEqual({ id: 7, match: true, cost: 5, maxCost: 5, outputType: 'bool' });
});

test('an error at run time is answered with the costs up to it', () => {
  expect(evalLine({ id: 'a', expression: 'device.attributes["gpu.example.com"].speed > 1', device: DEVICE }))
    .toEqual({ id: 'a', runtimeError: 'no such key: speed', cost: 5, maxCost: 5, outputType: 'bool' });
});

test('an expression that does not compile is answered with the text of the API server', () => {
  expect(evalLine({ expression: 'device.speed', device: DEVICE })).toEqual({
    compileError: 'compilation failed: ERROR: <input>:1:7: undefined field \'speed\'\n | device.speed\n | ......^',
  });
});

test('an expression above 10 KiB is told, and answered all the same', () => {
  const expression = `device.driver == "${'x'.repeat(10 * 1024)}"`;

  expect(evalLine({ expression, device: DEVICE })).toMatchObject({ tooLong: true, match: false });
});

test('the cost limit of the input ends the evaluation', () => {
  expect(evalLine({ expression: 'device.driver == "gpu.example.com"', device: DEVICE, costLimit: 2 }))
    .toMatchObject({ runtimeError: 'operation cancelled: actual cost limit exceeded', cost: 4 });
});

test('gates and the kind of environment decide what a new expression may use', () => {
  const input = { expression: 'device.allowMultipleAllocations', device: DEVICE, envType: 'new' };

  expect(evalLine({ ...input, features: { DRAConsumableCapacity: true } })).toMatchObject({ match: false });
  expect(evalLine({ ...input, features: { DRAConsumableCapacity: false } })).toHaveProperty('compileError');
  expect(evalLine({ ...input, envType: 'stored', features: { DRAConsumableCapacity: false } })).toMatchObject({ match: false });
});

test('a new expression may use what the release before had', () => {
  const input = { expression: '[2, 1].sort() == [1, 2]', device: DEVICE };

  expect(evalLine({ ...input, kubernetes: '1.34', envType: 'new' })).toHaveProperty('compileError');
  expect(evalLine({ ...input, kubernetes: '1.34' })).toMatchObject({ match: true });
  expect(evalLine({ ...input, kubernetes: '1.35', envType: 'new' })).toMatchObject({ match: true });
});

test.each<[unknown, string]>([
  [null, 'must be an object'],
  ['x', 'must be an object'],
  [{}, '\'expression\''],
  [{ expression: 1, device: DEVICE }, '\'expression\''],
  [{ expression: 'true' }, '\'device\''],
  [{ expression: 'true', device: {} }, '\'device\''],
  [{ expression: 'true', device: { driver: 'a', attributes: [] } }, '\'device.attributes\''],
  [{ expression: 'true', device: { driver: 'a', attributes: { x: { int: 'one' } } } }, '\'device.attributes.x.int\''],
  [{ expression: 'true', device: { driver: 'a', attributes: { x: { strings: [1] } } } }, '\'device.attributes.x.strings[0]\''],
  [{ expression: 'true', device: { driver: 'a', attributes: { x: { int: 2n ** 63n } } } }, '\'device.attributes.x.int\''],
  [{ expression: 'true', device: { driver: 'a', capacity: { m: '1Gi' } } }, '\'device.capacity.m\''],
  [{ expression: 'true', device: { driver: 'a', capacity: { m: { value: '1 Gi' } } } }, '\'device.capacity.m.value\' must be a quantity, got "1 Gi".'],
  [{ expression: 'true', device: { driver: 'a', capacity: { m: { value: 1, requestPolicy: { default: 'much' } } } } }, '\'device.capacity.m.requestPolicy.default\''],
  [{ expression: 'true', device: { driver: 'a', allowMultipleAllocations: 'yes' } }, '\'device.allowMultipleAllocations\''],
  [{ expression: 'true', device: DEVICE, features: { DRAConsumableCapacity: 'on' } }, '\'features\''],
  [{ expression: 'true', device: DEVICE, envType: 'old' }, '\'envType\''],
  [{ expression: 'true', device: DEVICE, costLimit: -1 }, '\'costLimit\''],
  [{ expression: 'true', device: DEVICE, kubernetes: '1.20' }, '\'kubernetes\''],
  [{ expression: 'true', device: DEVICE, kubernetes: 36 }, '\'kubernetes\' must be a Kubernetes version, got 36. Write it'],
  [{ expression: 'true', device: DEVICE, features: { DRAListTypes: true } }, '\'features\' must name feature gates of Kubernetes, got "DRAListTypes"'],
  [{ expresion: 'true', device: DEVICE }, 'a line has no field \'expresion\'. Did you mean \'expression\'?'],
  [{ expression: 'true', device: DEVICE, note: 'mine' }, 'a line has no field \'note\'. Its fields are id, expression, device'],
])('%j is no input', (line, says) => {
  expect(evalLine(line).inputError).toContain(says);
});

test.each<[unknown, Record<string, unknown>]>([
  [{ capacity: { m: { value: null } } }, { match: true }],
  [{ capacity: { m: {} } }, { match: true }],
  [{ capacity: { m: null } }, { match: true }],
  [{ capacity: null }, { runtimeError: 'no such key: m' }],
  [{ capacity: { m: { value: 0 } }, attributes: null, allowMultipleAllocations: null }, { match: true }],
  [{ capacity: { m: { value: 0 } }, attributes: { x: { string: null, int: 1 } } }, { match: true }],
  [{ capacity: { m: { value: 0 } }, attributes: { x: null } }, { runtimeError: 'attribute x: unsupported attribute value' }],
  [{ capacity: { m: { value: 0 } }, attributes: { x: { ints: [null] } } }, { match: true }],
])('nulls of a device stand for what is not there, as in the API: %j', (device, answer) => {
  const features = { DRAListTypeAttributes: true };

  expect(evalLine({ expression: 'device.capacity["a"].m == quantity("0")', device: { driver: 'a', ...(device as object) }, features })).toMatchObject(answer);
});

test('null is as good as nothing for everything but the expression and the device', () => {
  const input = { expression: 'device.driver == "gpu.example.com"', device: DEVICE };

  expect(evalLine({ ...input, features: null, envType: null, costLimit: null, kubernetes: null })).toEqual(evalLine(input));
});

test('a line that is no input keeps its id', () => {
  expect(evalLine({ id: 3 })).toMatchObject({ id: 3 });
});

test('one attribute that cannot be read spoils every expression', () => {
  const device = { driver: 'a', attributes: { v: { version: '1.2' } } };

  expect(evalLine({ expression: 'true', device })).toMatchObject({
    runtimeError: 'attribute v: parse semantic version: No Major.Minor.Patch elements found',
  });
});

test('a list attribute is refused where the gate is off, and read where it is on', () => {
  const input = { expression: 'device.attributes["a"].models.includes("A100")', device: { driver: 'a', attributes: { models: { strings: ['A100'] } } } };

  expect(evalLine(input)).toMatchObject({ runtimeError: 'attribute models: unsupported attribute value' });
  expect(evalLine({ ...input, features: { DRAListTypeAttributes: true } })).toMatchObject({ match: true });
});

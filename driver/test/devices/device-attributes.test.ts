import { DeviceAttributes } from '../../src/devices/device-attributes.js';
import type { InventoryProblem } from '../../src/devices/inventory.js';

let problems: InventoryProblem[];
let attributes: DeviceAttributes;

beforeEach(() => {
  problems = [];
  attributes = new DeviceAttributes('gpu-0', (problem) => problems.push(problem));
});

test('facts become attributes, and what is not known becomes none', () => {
  attributes.string('model', 'A100');
  attributes.string('serial', undefined);
  attributes.int('slot', 3);
  attributes.int('numaNode', undefined);
  attributes.bool('integrated', false);
  attributes.bool('rdma', undefined);

  expect(attributes.values).toEqual({ model: { string: 'A100' }, slot: { int: 3 }, integrated: { bool: false } });
  expect(problems).toEqual([]);
});

test.each([
  ['535.104.05', '535.104.5'], ['v1.2', '1.2.0'], ['2', '2.0.0'], ['6.10.5-rc1+b7', '6.10.5-rc1+b7'], ['007.0.0', '7.0.0'],
])('the version %s is published as %s', (given, version) => {
  attributes.version('driverVersion', given);

  expect(attributes.values).toEqual({ driverVersion: { version } });
});

// C-061: one value too long would make the API server refuse the slice of all devices. C-101: an empty one says nothing.
test.each([
  ['65 bytes', 'x'.repeat(65), 'must be at most 64 bytes, but has 65'],
  ['22 characters of three bytes', '電'.repeat(22), 'must be at most 64 bytes, but has 66'],
  ['nothing', '', 'must not be empty'],
  ['spaces', '  ', 'must not be empty'],
  ['control characters', 'A100\u0000', 'must have no control characters'],
  ['half a character', 'A\ud800', 'must be UTF-8'],
])('a text of %s is left out and reported, and the rest is published', (_, value, rule) => {
  attributes.string('model', value);
  attributes.string('vendor', 'acme');

  expect(attributes.values).toEqual({ vendor: { string: 'acme' } });
  expect(problems).toEqual([{ code: 'DRA345', subject: 'gpu-0', message: expect.stringContaining(`The attribute model of gpu-0 is left out: it ${rule}, got `) }]);
});

test('a text of 64 bytes is published', () => {
  attributes.string('model', `${'電'.repeat(21)}x`);

  expect(problems).toEqual([]);
});

test.each(['latest', '1.2.3.4', ''])('the version %j is left out and reported', (version) => {
  attributes.version('driverVersion', version);

  expect([attributes.values, problems.length]).toEqual([{}, 1]);
});

// C-062
test.each(['dashed-name', 'dotted.name', '9lives', 'x'.repeat(33), 'a/b/c', ''])('the name %j is refused', (name) => {
  attributes.string(name, 'x');

  expect([attributes.values, problems.length]).toEqual([{}, 1]);
});

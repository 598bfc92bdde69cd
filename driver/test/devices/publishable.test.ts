import type { Inventory, InventoryDevice } from '../../src/devices/inventory.js';
import { publishable } from '../../src/devices/publishable.js';

const GOOD: InventoryDevice = {
  name: 'gpu-0', identity: 'GPU-0', parts: ['card'], attributes: { model: { string: 'A100' } }, capacity: { memory: { value: '40Gi' } }, deviceNodes: ['/dev/gpu0'],
};
const SET = { name: 'card', counters: { memory: { value: '40Gi' }, slices: { value: '7' } } };

function of(devices: readonly InventoryDevice[], counterSets: Inventory['counterSets'] = []): Inventory {
  return publishable({ devices, counterSets, problems: [] });
}

test('what is right stays as it is', () => {
  const part = { ...GOOD, consumesCounters: [{ counterSet: 'card', counters: { slices: { value: '1' } } }] };
  const shared: InventoryDevice = {
    ...GOOD,
    name: 'gpu-1',
    identity: 'GPU-1',
    allowMultipleAllocations: true,
    maxShares: 4,
    capacity: { memory: { value: '40Gi', requestPolicy: { default: '10Gi', validRange: { min: '5Gi', step: '5Gi' } } } },
  };
  expect(of([part, shared], [SET])).toEqual({ devices: [part, shared], counterSets: [SET], problems: [] });
});

test.each<[string, Partial<InventoryDevice>, string]>([
  ['a name in upper case', { name: 'GPU_0' }, 'GPU_0 must be a DNS label'],
  ['a name of 64 characters', { name: 'x'.repeat(64) }, 'must be at most 63 characters'],
  ['no identity', { identity: '' }, 'gpu-0 must have an identity'],
  ['a capacity that is no quantity', { capacity: { memory: { value: '40 GB' } } }, 'gpu-0 must have a valid capacity: memory must'],
  ['a negative capacity', { capacity: { memory: { value: '-1' } } }, 'gpu-0 must have a valid capacity: memory must not be negative'],
  ['a capacity with a wrong name', { capacity: { 'mem-ory': { value: '1' } } }, 'gpu-0 must have a valid capacity: mem-ory must be a C identifier'],
  ['a policy on a device that is taken whole', { capacity: { memory: { value: '4', requestPolicy: { default: '1' } } } }, 'must have no request policy'],
  ['a default that is no step', {
    allowMultipleAllocations: true, capacity: { memory: { value: '40', requestPolicy: { default: '7', validRange: { min: '5', step: '5' } } } },
  }, 'whole steps of 5 above the min 5'],
  ['a limit of shares on a device that is taken whole', { maxShares: 2 }, 'must be shareable'],
  ['a limit of no shares', { allowMultipleAllocations: true, maxShares: 0 }, 'which must be at least 1'],
  ['33 capacities', { capacity: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`c${index}`, { value: '1' }])) }, 'must have at most 32 capacities'],
  ['a counter set that is not there', { consumesCounters: [{ counterSet: 'other', counters: { a: { value: '1' } } }] }, 'not from other'],
  ['a counter that is not there', { consumesCounters: [{ counterSet: 'card', counters: { a: { value: '1' } } }] }, 'must take counters that card has, not a'],
  ['more of a counter than there is', { consumesCounters: [{ counterSet: 'card', counters: { slices: { value: '8' } } }] }, 'must take at most 7 of slices, takes 8'],
  ['no counters', { consumesCounters: [{ counterSet: 'card', counters: {} }] }, 'must have 1 to 32 counters, has 0'],
  ['three counter sets', { consumesCounters: Array.from({ length: 3 }, () => ({ counterSet: 'card', counters: { slices: { value: '1' } } })) }, 'at most 2 counter sets'],
  ['a counter set twice', { consumesCounters: Array.from({ length: 2 }, () => ({ counterSet: 'card', counters: { slices: { value: '1' } } })) }, 'each counter set once'],
  ['a relative device node', { deviceNodes: ['dev/gpu0'] }, 'must name its device nodes by absolute paths'],
])('%s costs the device, and no other', (_, fault, message) => {
  const other = { ...GOOD, name: 'gpu-9', identity: 'GPU-9' };
  const inventory = of([{ ...GOOD, ...fault }, other], [SET]);

  expect(inventory.devices).toEqual([other]);
  expect(inventory.problems).toEqual([{ code: 'DRA348', subject: fault.name ?? 'gpu-0', message: expect.stringContaining(message) }]);
  expect(inventory.problems[0]?.message).toMatch(/; it is not offered\.$/);
});

test('two devices with one name, or one identity, are one', () => {
  expect(of([GOOD, { ...GOOD, identity: 'GPU-1' }, { ...GOOD, name: 'gpu-2' }])).toMatchObject({
    devices: [{ name: 'gpu-0', identity: 'GPU-0' }],
    problems: [{ subject: 'gpu-0', message: expect.stringContaining('another device has it') }, { subject: 'gpu-2', message: expect.stringContaining('the identity GPU-0 is there already') }],
  });
});

test('attributes beyond what a device can have are left out, the first ones stay', () => {
  const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}`, { int: index }]));
  const { devices, problems } = of([{ ...GOOD, attributes }]);

  expect(Object.keys(devices[0]?.attributes ?? {})).toEqual(Array.from({ length: 31 }, (_, index) => `a${index}`));
  expect(problems).toHaveLength(9);
});

test('a wrong attribute is left out, the device stays', () => {
  const { devices, problems } = of([{ ...GOOD, attributes: { 'model': { string: 'A100' }, 'a-b': { int: 1 }, 'serial': { string: '' } } }]);

  expect(devices[0]?.attributes).toEqual({ model: { string: 'A100' } });
  expect(problems).toHaveLength(2);
});

test('counter sets that nobody takes from, that are wrong or there twice are left out', () => {
  const part = { ...GOOD, consumesCounters: [{ counterSet: 'card', counters: { slices: { value: '1' } } }] };
  const { counterSets, problems } = of([part], [SET, { ...SET, name: 'unused' }, SET, { name: 'Wrong', counters: SET.counters }, { name: 'empty', counters: {} }]);

  expect(counterSets).toEqual([SET]);
  expect(problems.map(({ subject }) => subject)).toEqual(['card', 'Wrong', 'empty']);
});

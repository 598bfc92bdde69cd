import { allocate, allocateLine } from '../../../src/model/allocator';

const line = {
  node: { metadata: { name: 'n1' } },
  classes: [{ metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] } }],
  slices: [{
    metadata: { name: 's' },
    spec: { driver: 'gpu.example.com', nodeName: 'n1', pool: { name: 'n1', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'd0' }, { name: 'd1' }] },
  }],
  claims: [{ metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } }],
};

test('a line is answered with what the API server would store', () => {
  expect(allocateLine({ id: 'x', ...line })).toEqual({
    id: 'x',
    allocated: true,
    results: [{
      devices: { results: [{ request: 'r', driver: 'gpu.example.com', pool: 'n1', device: 'd0' }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] },
    }],
  });
});

test('the answer is that of allocate', () => {
  const { allocated, results } = allocate({ slices: line.slices, classes: line.classes, node: line.node, claims: line.claims });

  expect({ allocated, results }).toEqual(allocateLine(line));
});

test('a line that does not fit says nothing more', () => {
  expect(allocateLine({ ...line, slices: [] })).toEqual({ allocated: false });
});

test('an error of one node is told from one of the whole attempt', () => {
  const twice = [{ ...line.slices[0], spec: { ...line.slices[0].spec, devices: [{ name: 'd0' }, { name: 'd0' }] } }];

  expect(allocateLine({ ...line, slices: twice })).toEqual({ allocated: false, error: 'invalid resource pools were encountered', nodeError: true });
  expect(allocateLine({ ...line, classes: [] })).toEqual({
    allocated: false,
    error: 'claim c, request r: could not retrieve device class gpu: deviceclass.resource.k8s.io "gpu" not found',
    nodeError: false,
  });
});

test('allocated devices come as entries or as claims', () => {
  const entry = { driver: 'gpu.example.com', pool: 'n1', device: 'd0' };
  const holder = { metadata: { name: 'h' }, status: { allocation: { devices: { results: [{ ...entry, request: 'r', device: 'd1' }] } } } };

  expect(allocateLine({ ...line, allocated: [entry] }).results?.[0].devices.results?.[0].device).toBe('d1');
  expect(allocateLine({ ...line, allocated: [holder] }).results?.[0].devices.results?.[0].device).toBe('d0');
  expect(allocateLine({ ...line, allocated: [entry, holder] })).toEqual({ allocated: false });
  expect(allocateLine({ ...line, allocated: [{ metadata: { name: 'free' }, spec: {} }] }).allocated).toBe(true);
});

test('without a version the answer is that of 1.36', () => {
  const tainted = [{ ...line.slices[0], spec: { ...line.slices[0].spec, devices: [{ name: 'd0', taints: [{ key: 'k', effect: 'NoSchedule' }] }] } }];

  expect(allocateLine({ ...line, slices: tainted })).toEqual(allocateLine({ ...line, slices: tainted, kubernetes: 'v1.36.3' }));
  expect(allocateLine({ ...line, slices: tainted }).allocated).toBe(false);
  expect(allocateLine({ ...line, slices: tainted, kubernetes: '1.35' }).allocated).toBe(true);
  expect(allocateLine({ ...line, slices: tainted, kubernetes: '1.35', features: { DRADeviceTaints: true } }).allocated).toBe(false);
});

test('a line can ask for reasons', () => {
  expect(allocateLine({ ...line, allocated: [{ driver: 'gpu.example.com', pool: 'n1', device: 'd0' }], reasons: true }).reasons).toEqual([
    { driver: 'gpu.example.com', pool: 'n1', device: 'd0', rule: 'in-use', detail: 'is in use' },
  ]);
});

test.each<[string, unknown, string]>([
  ['no object', 'text', 'A line must be a JSON object with node, classes, slices and claims.'],
  ['a list', [], 'A line must be a JSON object with node, classes, slices and claims.'],
  ['no node', { ...line, node: undefined }, '\'node\' is missing: give the v1 Node for which to allocate.'],
  ['an unknown version', { ...line, kubernetes: '1.30' }, '\'kubernetes\' must be Kubernetes 1.34 or later'],
  ['an unknown gate', { ...line, features: { DRATaints: true } }, '\'features\' must name feature gates of Kubernetes, got "DRATaints"'],
  ['a gate that is no flag', { ...line, features: { DRADeviceTaints: 'on' } }, '\'features.DRADeviceTaints\' must be true or false, got "on".'],
  ['slices that are no list', { ...line, slices: {} }, '\'slices\' must be a list, got {}.'],
  ['a slice that is null', { ...line, slices: [null] }, '\'slices[0]\' must be an object, got null.'],
  ['a claim that is null', { ...line, claims: [null] }, '\'claims[0]\' must be an object, got null.'],
  ['an attribute with a text among numbers', { ...line, slices: [{ spec: { devices: [{ attributes: { a: { ints: [1, '2'] } } }] } }] },
    '\'slices[0].spec.devices[0].attributes.a.ints[1]\' must be a whole number of 64 bits, got "2".'],
  ['a driver that is no text', { ...line, slices: [{ spec: { driver: 1 } }] }, '\'slices[0].spec.driver\' must be a text, got 1.'],
  ['a device that is no object', { ...line, slices: [{ spec: { devices: [7] } }] }, '\'slices[0].spec.devices[0]\' must be an object, got 7.'],
  ['an attribute that is no number', { ...line, slices: [{ spec: { devices: [{ attributes: { a: { int: 1.5 } } }] } }] },
    '\'slices[0].spec.devices[0].attributes.a.int\' must be a whole number of 64 bits, got 1.5.'],
  ['an attribute just beyond 64 bits', { ...line, slices: [{ spec: { devices: [{ attributes: { a: { int: 2 ** 63 } } }] } }] },
    '\'slices[0].spec.devices[0].attributes.a.int\' must be a whole number of 64 bits, got 9223372036854776000.'],
  ['a capacity that is no quantity', { ...line, slices: [{ spec: { devices: [{ capacity: { a: { value: 'much' } } }] } }] },
    '\'slices[0].spec.devices[0].capacity.a.value\' must be a quantity, got "much".'],
  ['a count that is no number', { ...line, claims: [{ spec: { devices: { requests: [{ exactly: { count: '1' } }] } } }] },
    '\'claims[0].spec.devices.requests[0].exactly.count\' must be a whole number of 64 bits, got "1".'],
  ['an entry that is no object', { ...line, allocated: [1] }, '\'allocated[0]\' must be an object, got 1.'],
  ['an entry without a pool', { ...line, allocated: [{ driver: 'd', pol: 'n1', device: 'd0' }] }, '\'allocated[0].pool\' is missing: an entry names driver, pool and device.'],
  ['an entry without a device', { ...line, allocated: [{ driver: 'd', pool: 'n1' }] }, '\'allocated[0].device\' is missing'],
  ['a misspelt field', { ...line, claims: undefined, clams: line.claims }, 'a line has no field \'clams\'. Did you mean \'claims\'?'],
])('a line with %s is no input', (_, input, expected) => {
  const answer = allocateLine(input);

  expect(answer.inputError).toContain(expected);
  expect(answer.allocated).toBeUndefined();
});

test.each<[string, object]>([
  ['an amount', { capacity: { memory: { value: null } } }],
  ['a capacity', { capacity: { memory: null } }],
  ['all capacities', { capacity: null }],
  ['a number in a list', { attributes: { a: { ints: [1, null] } } }],
  ['an attribute', { attributes: { a: null } }],
])('%s that is null is read as the API reads it', (_, content) => {
  const slices = [{ spec: { ...line.slices[0].spec, devices: [{ name: 'd0', ...content }] } }];

  // No selector, as an attribute without a value fails every one.
  expect(allocateLine({ ...line, slices, classes: [{ metadata: { name: 'gpu' }, spec: {} }] })).toMatchObject({ allocated: true });
});

test('an input error keeps the id', () => {
  expect(allocateLine({ id: 7, node: 1 })).toEqual({ id: 7, inputError: '\'node\' must be an object, got 1.' });
});

import { documents, found, textOf } from './check';
import { Target } from '../../../src/model/target';

const many = (count: number) => Array.from({ length: count }, (_, i) => i);
const basic = { driver: 'gpu.acme.example', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'gpu-0' }] };

function slice(spec: object, name = 'a'): string {
  return JSON.stringify({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec: { ...basic, ...spec } });
}

const oneTerm = (term: object) => ({ nodeName: undefined, nodeSelector: { nodeSelectorTerms: [term] } });
const TERM = 'spec.nodeSelector.nodeSelectorTerms[0]';

const device = (fields: object) => ({ devices: [{ name: 'gpu-0', ...fields }] });

test('a driver that Flux and others fill in later is no wrong name', () => {
  expect(found(slice({ driver: '${DRIVER_NAME}' }))).toEqual([]);
  expect(found(slice({ driver: 'driver_name' }))).toEqual(['DRA121 error spec.driver']);
});

test.each([
  ['a driver name of 64 characters', { driver: `${'a'.repeat(62)}.b` }, 'DRA121 error spec.driver', /at most 63/], // C-151
  ['a pool name with an empty part', { pool: { ...basic.pool, name: 'a//b' } }, 'DRA121 error spec.pool.name', /pool name/],
  ['a negative generation', { pool: { ...basic.pool, generation: -1 } }, 'DRA129 error spec.pool.generation', /at least 0/],
  ['no slice in the pool', { pool: { ...basic.pool, resourceSliceCount: 0 } }, 'DRA129 error spec.pool.resourceSliceCount', /at least 1/],
  ['no choice of nodes', { nodeName: undefined }, 'DRA129 error spec', /got none/],
  ['two choices of nodes', { allNodes: true }, 'DRA129 error spec', /nodeName and allNodes/],
  ['allNodes: false', { allNodes: false }, 'DRA129 error spec.allNodes', /unset or true/],
  ['two node selector terms', { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [{}, {}] } }, 'DRA129 error spec.nodeSelector.nodeSelectorTerms', /exactly one/],
  ['129 devices', { devices: many(129).map((i) => ({ name: `d${i}` })) }, 'DRA120 error spec.devices', /at most 128/],
  ['65 devices with taints', { devices: many(65).map((i) => ({ name: `d${i}`, taints: [{ key: 'k', effect: 'NoSchedule' }] })) }, 'DRA120 error spec.devices', /at most 64/],
  ['a device twice', { devices: [{ name: 'd' }, { name: 'd' }] }, 'DRA109 error spec.devices[1]', /Two devices/],
  ['a device name with a dot', { devices: [{ name: 'd.0' }] }, 'DRA121 error spec.devices[0].name', /DNS label/],
  ['33 attributes and capacities', device({ attributes: Object.fromEntries(many(33).map((i) => [`a${i}`, { int: i }])) }), 'DRA120 error spec.devices[0]', /at most 32/],
  ['an attribute of 33 characters', device({ attributes: { ['a'.repeat(33)]: { int: 1 } } }), `DRA121 error spec.devices[0].attributes.${'a'.repeat(33)}`, /at most 32/], // C-062
  ['an attribute that starts with a digit', device({ attributes: { '1a': { int: 1 } } }), 'DRA121 error spec.devices[0].attributes["1a"]', /C identifier/],
  ['an attribute with two values', device({ attributes: { a: { int: 1, string: 'x' } } }), 'DRA124 error spec.devices[0].attributes.a', /exactly one/],
  ['a version with a v', device({ attributes: { a: { version: 'v1.2.3' } } }), 'DRA125 error spec.devices[0].attributes.a', /semantic version/],
  ['a text of 65 bytes', device({ attributes: { a: { string: 'x'.repeat(65) } } }), 'DRA125 error spec.devices[0].attributes.a', /at most 64 bytes/],
  ['17 taints', device({ taints: many(17).map((i) => ({ key: `k${i}`, effect: 'NoSchedule' })) }), 'DRA120 error spec.devices[0].taints', /at most 16/],
  ['a taint without effect', device({ taints: [{ key: 'k' }] }), 'DRA127 error spec.devices[0].taints[0]', /must have an effect/],
  ['a policy on a device taken whole', device({ capacity: { m: { value: '1Gi', requestPolicy: { default: '1Gi' } } } }), 'DRA128 error spec.devices[0].capacity.m.requestPolicy', /allowMultipleAllocations/],
  ['a default above the range', device({ allowMultipleAllocations: true, capacity: { m: { value: '4Gi', requestPolicy: { default: '3Gi', validRange: { min: '1Gi', max: '2Gi' } } } } }),
    'DRA128 error spec.devices[0].capacity.m.requestPolicy', /default up to the max/],
  ['one list of binding conditions', device({ bindingConditions: ['a.b/ready'] }), 'DRA129 error spec.devices[0].bindingFailureConditions', /must be set too/],
  ['a condition in both lists', device({ bindingConditions: ['a'], bindingFailureConditions: ['a'] }), 'DRA129 error spec.devices[0].bindingFailureConditions[0]', /both/],
  ['5 binding conditions', device({ bindingConditions: many(5).map((i) => `c${i}`), bindingFailureConditions: ['f'] }), 'DRA120 error spec.devices[0].bindingConditions', /at most 4/],
  ['nodes of a device without perDeviceNodeSelection', device({ nodeName: 'n' }), 'DRA129 error spec.devices[0].nodeName', /perDeviceNodeSelection/],
  ['a device without nodes', { nodeName: undefined, perDeviceNodeSelection: true }, 'DRA124 error spec.devices[0]', /got none/],
  ['a node selector without terms', { nodeName: undefined, perDeviceNodeSelection: true, ...device({ nodeSelector: { nodeSelectorTerms: [] } }) },
    'DRA129 error spec.devices[0].nodeSelector.nodeSelectorTerms', /at least one term/],
  ['the operator In without values', { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] } },
    'DRA129 error spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0]', /operator In must have at least one value, got 0/],
  ['an operator that a condition on a field does not have', oneTerm({ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] }), `DRA129 error ${TERM}.matchFields[0].operator`, /must be In, NotIn here, got "Exists"/],
  ['two node names in one condition', oneTerm({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] }), `DRA129 error ${TERM}.matchFields[0]`, /exactly one value, got 2/],
  ['a condition on another field than the name', oneTerm({ matchFields: [{ key: 'zone', operator: 'In', values: ['a'] }] }), `DRA129 error ${TERM}.matchFields[0].key`, /metadata\.name, got "zone"/],
  ['a node name that is null', oneTerm({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [null] }] }), `DRA129 error ${TERM}.matchFields[0].values[0]`, /must not be empty/],
  ['an empty operator', oneTerm({ matchExpressions: [{ key: 'a', operator: '' }] }), `DRA129 error ${TERM}.matchExpressions[0].operator`, /must be In, NotIn, Exists/],
  ['a label key of two slashes', oneTerm({ matchExpressions: [{ key: 'a/b/c', operator: 'Exists' }] }), `DRA129 error ${TERM}.matchExpressions[0].key`, /label key/],
  ['a label value with a space', oneTerm({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'A 100'] }] }), `DRA129 error ${TERM}.matchExpressions[0].values[1]`, /label value/],
  ['an attribute without value', device({ attributes: { model: null } }), 'DRA124 error spec.devices[0].attributes.model', /must have a value, got null/],
  ['a binding condition that is null', device({ bindingConditions: ['a'], bindingFailureConditions: [null] }), 'DRA129 error spec.devices[0].bindingFailureConditions[0]', /must not be empty/],
  ['a valid value that is null, which is 0', device({ allowMultipleAllocations: true, capacity: { m: { value: '4', requestPolicy: { default: '1', validValues: ['1', null] } } } }),
    'DRA128 error spec.devices[0].capacity.m.requestPolicy', /ascending order/],
  ['a taint that began yesterday', device({ taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: 'yesterday' }] }), 'DRA125 error spec.devices[0].taints[0].timeAdded', /RFC 3339/],
  ['a taint of a day that is none', device({ taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '2026-02-29T00:00:00Z' }] }), 'DRA125 error spec.devices[0].taints[0].timeAdded', /RFC 3339/],
  ['a policy on a capacity without value, which is 0', device({ allowMultipleAllocations: true, capacity: { m: { requestPolicy: { default: '1', validValues: ['1'] } } } }),
    'DRA128 error spec.devices[0].capacity.m.requestPolicy', /up to the capacity 0/],
  ['devices and counter sets', { sharedCounters: [{ name: 's', counters: { c: { value: '1' } } }] }, 'DRA129 error spec', /got both/],
  ['three counter sets of one device', { pool: { ...basic.pool, resourceSliceCount: 2 }, ...device({ consumesCounters: ['a', 'b', 'c'].map((counterSet) => ({ counterSet, counters: { c: { value: '1' } } })) }) },
    'DRA120 error spec.devices[0].consumesCounters', /at most 2/],
  ['a counter set that its complete pool lacks', device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] }),
    'DRA129 error spec.devices[0].consumesCounters[0].counterSet', /no counter set 's'/],
  ['an empty counter set', { devices: undefined, sharedCounters: [{ name: 's', counters: {} }] }, 'DRA129 error spec.sharedCounters[0].counters', /must not be empty/],
  ['a capacity that is no object', device({ capacity: { m: '1Gi' } }), 'DRA113 error spec.devices[0].capacity.m', /must be an object/],
])('%s is refused', (_, spec, expected, text) => {
  expect(found(slice(spec), '1.36')).toEqual([expected]);
  expect(textOf(slice(spec), expected.slice(0, 6), '1.36')).toMatch(text);
});

test.each([
  ['128 plain devices', { devices: many(128).map((i) => ({ name: `d${i}` })) }],
  ['64 devices with taints', { devices: many(64).map((i) => ({ name: `d${i}`, taints: [{ key: 'k', effect: 'None' }] })) }],
  ['every kind of attribute', device({ attributes: { 'a': { int: -1 }, 'b': { bool: false }, 'c': { string: '' }, 'x.y/d': { version: '1.2.3-rc.1+b' } }, capacity: { m: { value: 8 } } })],
  ['a policy on a shared device', device({ allowMultipleAllocations: true, capacity: { m: { value: '40Gi', requestPolicy: { default: '2Gi', validValues: ['1Gi', '2Gi'] } } } })],
  ['a pool name of several parts', { pool: { ...basic.pool, name: 'rack-1/switch-2.x' } }],
  ['a missing generation, which is 0', { pool: { name: 'n', resourceSliceCount: 1 } }],
  ['counters of an incomplete pool', { ...device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] }), pool: { ...basic.pool, resourceSliceCount: 2 } }],
  ['every form of a condition on nodes', oneTerm({
    matchExpressions: [{ key: 'a.b/zone', operator: 'In', values: ['', 'a_1'] }, { key: 'n', operator: 'Gt', values: ['3'] }, { key: 'gpu', operator: 'DoesNotExist' }],
    matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node-1.example'] }],
  })],
  ['times with fractions and offsets', device({ taints: ['2024-02-29T23:59:59.123Z', '2026-01-02T03:04:05+02:00'].map((timeAdded) => ({ key: `k${timeAdded.length}`, effect: 'None', timeAdded })) })],
  ['nodes for each device', { nodeName: undefined, perDeviceNodeSelection: true, devices: [{ name: 'd', allNodes: true }] }],
])('%s are taken', (_, spec) => {
  expect(found(slice(spec), '1.36')).toEqual([]);
});

test('upper case in a driver name is only a warning, as the server takes it', () => {
  expect(found(slice({ driver: 'GPU.acme.example' }), '1.36')).toEqual(['DRA121 warning spec.driver']);
});

test('4 taints are the limit in 1.34, 48 attribute values from 1.36 on', () => {
  const taints = many(5).map((i) => ({ key: `k${i}`, effect: 'NoSchedule' }));
  expect(found(slice(device({ taints })), '1.34')).toContain('DRA120 error spec.devices[0].taints');
  expect(found(slice(device({ taints })), '1.35')).not.toContain('DRA120 error spec.devices[0].taints');
});

test('devices and counter sets stand together in 1.34, and apart from 1.35 on', () => {
  const spec = { ...device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] }), sharedCounters: [{ name: 's', counters: { c: { value: '2' } } }] };
  expect(found(slice(spec), '1.34').filter((finding) => finding.startsWith('DRA129'))).toEqual([]);
  expect(found(slice(spec), '1.35').filter((finding) => finding.startsWith('DRA129'))).toEqual(['DRA129 error spec']);
  const pool = { ...basic.pool, resourceSliceCount: 2 };
  const apart = documents(slice({ ...spec, sharedCounters: undefined, pool }), slice({ ...spec, devices: undefined, pool }, 'b'));
  expect(found(apart, '1.36')).toEqual([]);
});

test('a counter that its set lacks is told with those it has', () => {
  const pool = { ...basic.pool, resourceSliceCount: 2 };
  const yaml = documents(slice({ ...device({ consumesCounters: [{ counterSet: 's', counters: { x: { value: '1' } } }] }), pool }),
    slice({ devices: undefined, sharedCounters: [{ name: 's', counters: { c: { value: '2' } } }], pool }, 'b'));
  expect(textOf(yaml, 'DRA129', '1.36')).toMatch(/'s' has no counter 'x'\. Its counters are c\./);
});

describe('the attribute that tells partitions apart', () => {
  const target = Target.of('1.37', { featureGates: { DRAPartitionableDevicesType: true, DRAResourcePoolStatus: true } });
  const named = 'gpu.acme.example/profile';
  const part = (fields: object) => ({
    partitionTypeAttribute: named,
    pool: { ...basic.pool, resourceSliceCount: 2 },
    ...device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }], ...fields }),
  });

  test.each([
    ['is bare or with its domain', part({ attributes: { profile: { string: '1g' } } }), []],
    ['has its domain', part({ attributes: { [named]: { string: '1g' } } }), []],
    ['is missing', part({}), [`DRA129 error spec.devices[0].attributes["${named}"]`]],
    ['is a number', part({ attributes: { profile: { int: 1 } } }), ['DRA129 error spec.devices[0].attributes.profile']],
    ['has no domain', { ...part({}), partitionTypeAttribute: 'profile' }, ['DRA121 error spec.partitionTypeAttribute']],
    ['is for devices without counters', { partitionTypeAttribute: named }, ['DRA129 error spec.partitionTypeAttribute']],
  ])('%s', (_, spec, expected) => {
    expect(found(slice(spec), target)).toEqual(expected);
  });

  test('says nothing where the target drops it', () => {
    expect(found(slice({ partitionTypeAttribute: named }), '1.37')).toEqual(['DRA110 error spec.partitionTypeAttribute']);
  });
});

test('a device name in two slices of one pool spoils the pool, in another generation or pool it does not', () => {
  const pool = { ...basic.pool, resourceSliceCount: 2 };
  expect(textOf(documents(slice({ pool }), slice({ pool }, 'b')), 'DRA129')).toMatch(/'gpu-0' is in two slices of the pool, 'a' and 'b'/);
  expect(found(documents(slice({ pool }), slice({ pool: { ...pool, generation: 2 } }, 'b')))).toEqual([]);
  expect(found(documents(slice({}), slice({ pool: { ...basic.pool, name: 'm' } }, 'b')))).toEqual([]);
});

test.each([
  ['{}', 'spec.deviceSelector', /every device of every driver/],
  ['{device: gpu-0, driver: a.b}', 'spec.deviceSelector', /Device names repeat/],
  ['null', 'spec', /taints no device/],
])('a taint rule with the selector %s reaches none, all or too many', (selector, path, text) => {
  const yaml = `{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: a}, spec: {deviceSelector: ${selector}, taint: {key: k, effect: NoExecute}}}`;
  expect(found(yaml, '1.37')).toEqual([`DRA149 warning ${path}`]);
  expect(textOf(yaml, 'DRA149', '1.37')).toMatch(text);
});

describe('what 1.37 has behind gates', () => {
  const target = Target.of('1.37', { featureGates: { DRANodeAllocatableResources: true, DRADeviceCompatibilityGroups: true, DRAOptionalNodeOperations: true } });
  const takes = (nodeAllocatableResources: object) => device({ capacity: { cores: { value: '8' } }, nodeAllocatableResources });
  const grouped = (compatibilityGroups: unknown) => ({
    pool: { ...basic.pool, resourceSliceCount: 2 }, ...device({ consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } }, compatibilityGroups }] }),
  });
  const cpu = 'spec.devices[0].nodeAllocatableResources.cpu';
  const groups = 'spec.devices[0].consumesCounters[0].compatibilityGroups';

  test.each([
    ['a resource that no node has', takes({ CPU: { overhead: { perPod: '1' } } }), 'DRA129 error spec.devices[0].nodeAllocatableResources.CPU'],
    ['neither mapping nor overhead', takes({ cpu: {} }), `DRA129 error ${cpu}`],
    ['an empty mapping', takes({ cpu: { mapping: {} } }), `DRA124 error ${cpu}.mapping`],
    ['both forms of a mapping', takes({ cpu: { mapping: { capacityKey: 'cores', capacityMultiplier: '1', deviceMultiplier: '1' } } }), `DRA124 error ${cpu}.mapping`],
    ['a capacity that the device lacks', takes({ cpu: { mapping: { capacityKey: 'threads', capacityMultiplier: '1' } } }), `DRA129 error ${cpu}.mapping.capacityKey`],
    ['a capacity without its factor', takes({ cpu: { mapping: { capacityKey: 'cores' } } }), `DRA129 error ${cpu}.mapping.capacityMultiplier`],
    ['a factor of 0', takes({ cpu: { mapping: { deviceMultiplier: '0' } } }), `DRA129 error ${cpu}.mapping.deviceMultiplier`],
    ['an empty overhead', takes({ cpu: { overhead: {} } }), `DRA129 error ${cpu}.overhead`],
    ['an overhead below 0', takes({ cpu: { overhead: { perPod: '-1' } } }), `DRA129 error ${cpu}.overhead.perPod`],
    ['three groups', grouped(['a', 'b', 'c']), `DRA120 error ${groups}`],
    ['a group twice', grouped(['a', 'a']), `DRA109 error ${groups}[1]`],
    ['a group in upper case', grouped(['A']), `DRA121 error ${groups}[0]`],
    ['a group that is null', grouped([null]), `DRA121 error ${groups}[0]`],
    ['an operation skipped twice', { skipNodeOperations: ['*', '*'] }, 'DRA109 error spec.skipNodeOperations[1]'],
  ])('%s is refused', (_, spec, expected) => {
    expect(found(slice(spec), target)).toEqual([expected]);
  });

  test('what a device may take of its node is taken', () => {
    const both = { mapping: { capacityKey: 'cores', capacityMultiplier: '2' }, overhead: { perContainer: '0', perPod: '100m' } };
    expect(found(slice(takes({ 'cpu': both, 'hugepages-2Mi': { mapping: { deviceMultiplier: '4Mi' } } })), target)).toEqual([]);
  });
});

import { ask, claim, device, DRIVER, exactly, outcome, slice } from './cluster';
import type { Cluster, Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const gates = { DRAPartitionableDevices: true };
const takes = (memory: string, counterSet = 'set'): Json => ({ consumesCounters: [{ counterSet, counters: { memory: { value: memory } } }] });
const set = (memory: string, name = 'set'): Json => ({ name, counters: { memory: { value: memory } } });

/** One pool with one counter set, in the layout of the minor. */
function partitions(minor: Minor, memory: string, devices: readonly Json[], name = 'p', driver = DRIVER): Json[] {
  if (minor === '1.34') return [slice(devices, { driver, pool: { name }, sharedCounters: [set(memory)] }, `${driver}-${name}`)];
  const pool = { name, resourceSliceCount: 2 };
  return [slice(devices, { driver, pool }, `${driver}-${name}-a`), slice([], { driver, pool, sharedCounters: [set(memory)] }, `${driver}-${name}-b`)];
}

describe.each(['1.34', '1.35', '1.36', '1.37'] as const)('%s', minor => {
  const three = ['a', 'b', 'c'].map(name => device(name, takes('4Gi')));
  const count = (n: number): Json[] => [claim([exactly('r', { count: n })])];
  test.each<[string, Partial<Cluster>, string]>([
    ['devices share what there is', { slices: partitions(minor, '8Gi', three), claims: count(2) }, 'r=p/a r=p/b'],
    ['and no more', { slices: partitions(minor, '8Gi', three), claims: count(3) }, 'none'],
    ['what is allocated counts', {
      slices: partitions(minor, '8Gi', three), claims: count(2), allocated: [{ driver: DRIVER, pool: 'p', device: 'c' }],
    }, 'none'],
    ['admin access to a device does not count', {
      slices: partitions(minor, '8Gi', three), claims: count(2), allocated: [{ driver: DRIVER, pool: 'p', device: 'c', adminAccess: true }],
    }, 'r=p/a r=p/b'],
    ['an overdrawn pool gives nothing that consumes', {
      slices: partitions(minor, '2Gi', [...three, device('free')]), claims: count(1), allocated: [{ driver: DRIVER, pool: 'p', device: 'c' }],
    }, 'r=p/free'],
    ['amounts may have fractions', { slices: partitions(minor, '1', ['a', 'b', 'c'].map(name => device(name, takes('400m')))), claims: count(2) }, 'r=p/a r=p/b'],
    ['amounts may be very large', {
      slices: partitions(minor, '30000000000000000000', ['a', 'b'].map(name => device(name, takes('15000000000000000000')))), claims: count(2),
    }, 'r=p/a r=p/b'],
    ['the search comes back to smaller devices', {
      slices: partitions(minor, '8Gi', [device('big', takes('8Gi')), device('a', takes('4Gi')), device('b', takes('4Gi'))]), claims: count(2),
    }, 'r=p/a r=p/b'],
    ['without the gate such devices are not used', { gates: { DRAPartitionableDevices: false }, slices: [slice(three)], claims: count(1) }, 'none'],
  ])('%s', (_, cluster, expected) => {
    expect(outcome({ minor, gates, slices: [], claims: [], ...cluster })).toBe(expected);
  });
});

test.each([['1.35', 'none'], ['1.36', 'r=p/a s=p/a'], ['1.37', 'r=p/a s=p/a']] as [Minor, string][])(
  'in %s two drivers with pools of one name get %s', (minor, expected) => {
    const slices = [...partitions(minor, '4Gi', [device('a', takes('4Gi'))]), ...partitions(minor, '4Gi', [device('a', takes('4Gi'))], 'p', 'z.example.com')];
    const other = exactly('s', { selectors: [{ cel: { expression: 'device.driver == "z.example.com"' } }] });

    expect(outcome({ minor, gates, slices, claims: [claim([exactly('r'), other])] })).toBe(expected);
  },
);

test.each([['1.35', 'none'], ['1.36', 'r=p/b'], ['1.37', 'r=p/b']] as [Minor, string][])(
  'in %s a device refused for its taint leaves its counters as %s', (minor, expected) => {
    const tainted = device('a', { ...takes('4Gi'), taints: [{ key: 'sick', effect: 'NoSchedule' }] });
    const slices = partitions(minor, '4Gi', [tainted, device('b', takes('4Gi'))]);

    expect(outcome({ minor, gates: { ...gates, DRADeviceTaints: true }, slices, claims: [claim([exactly('r')])] })).toBe(expected);
  },
);

test('counters of devices that only other nodes see count', () => {
  const pool = { resourceSliceCount: 3 };
  const slices = [
    slice([device('here', takes('4Gi'))], { pool }, 'a'),
    slice([device('there', takes('4Gi'))], { pool, nodeName: 'n2' }, 'b'),
    slice([], { pool, nodeName: 'n2', sharedCounters: [set('4Gi')] }, 'c'),
  ];
  const claims = [claim([exactly('r')])];

  for (const minor of ['1.35', '1.36', '1.37'] as const) {
    expect(outcome({ minor, gates, slices, claims })).toBe('r=p/here');
    expect(outcome({ minor, gates, slices, claims, allocated: [{ driver: DRIVER, pool: 'p', device: 'there' }] })).toBe('none');
  }
});

test.each([['1.34', 'r=p/a'], ['1.35', 'none'], ['1.36', 'none'], ['1.37', 'none']] as [Minor, string][])(
  'in %s devices beside counters in one slice give %s', (minor, expected) => {
    const slices = [slice([device('a', takes('1'))], { sharedCounters: [set('1')] })];

    expect(outcome({ minor, gates, slices, claims: [claim([exactly('r')])] })).toBe(expected);
  },
);

describe('compatibility groups', () => {
  const grouped = (name: string, ...groups: readonly string[]): Json => device(name, {
    consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '1' } }, ...(groups.length > 0 ? { compatibilityGroups: groups } : {}) }],
  });
  const slices = partitions('1.37', '8', [grouped('a', 'x'), grouped('b', 'y'), grouped('c', 'x', 'y'), grouped('d')]);
  const on = { DRADeviceCompatibilityGroups: true };
  const two = [claim([exactly('r', { count: 2 })])];

  test('must have one in common', () => {
    expect(outcome({ minor: '1.37', gates: on, slices, claims: two })).toBe('r=p/a r=p/c');
  });

  test('of allocated devices count', () => {
    const allocated = [{ driver: DRIVER, pool: 'p', device: 'b' }];

    expect(outcome({ minor: '1.37', gates: on, slices, claims: [claim([exactly('r')])], allocated })).toBe('r=p/c');
  });

  test('keep devices without any apart', () => {
    const allocated = [{ driver: DRIVER, pool: 'p', device: 'd' }];

    expect(outcome({ minor: '1.37', gates: on, slices, claims: [claim([exactly('r')])], allocated })).toBe('none');
  });

  test('make a pool incomplete while the gate is off', () => {
    const claims = [claim([exactly('r', { allocationMode: 'All' })])];
    const both = [...slices, slice([device('other')], { pool: { name: 'q' } }, 'q')];

    expect(outcome({ minor: '1.37', slices: both, claims: [claim([exactly('r')])] })).toBe('r=q/other');
    expect(outcome({ minor: '1.37', slices: both, claims })).toBe(`claim ns/c, request r: asks for all devices, but resource pool ${DRIVER}/p is currently being updated`);
  });
});

test('a share of a device that is already shared is not charged again', () => {
  const shared = device('a', { ...takes('4Gi'), allowMultipleAllocations: true, capacity: { memory: { value: '10' } } });
  const share = exactly('r', { capacity: { requests: { memory: '1' } } });
  const claims = [claim([share]), claim([share], {}, 'e')];

  expect(outcome({ slices: partitions('1.36', '4Gi', [shared]), claims })).toBe('r=p/a | r=p/a');
  expect(ask({ slices: partitions('1.36', '4Gi', [shared]), claims }).results?.map(({ devices }) => devices.results?.[0].consumedCapacity)).toEqual([
    { memory: '1' }, { memory: '1' },
  ]);
});

import { alternative, ask, cel, claim, device, deviceClass, exactly, outcome, slice, withAttributes } from './cluster';
import type { Cluster, Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const devices = (count: number): Json[] => Array.from({ length: count }, (_, i) => device(`d${i}`));
const eight = [slice(devices(8))];
const ALL: readonly Minor[] = ['1.34', '1.35', '1.36', '1.37'];

describe.each(ALL)('%s', minor => {
  test.each<[string, Partial<Cluster>, string]>([
    ['a request gets the first device', { claims: [claim([exactly('r')])] }, 'r=p/d0'],
    ['a count gets as many', { claims: [claim([exactly('r', { count: 3 })])] }, 'r=p/d0 r=p/d1 r=p/d2'],
    ['requests share no device', { claims: [claim([exactly('a'), exactly('b')])] }, 'a=p/d0 b=p/d1'],
    ['claims share no device', { claims: [claim([exactly('a')]), claim([exactly('a')], {}, 'e')] }, 'a=p/d0 | a=p/d1'],
    ['too many do not fit', { claims: [claim([exactly('r', { count: 9 })])] }, 'none'],
    ['devices in use are left out', { claims: [claim([exactly('r')])], allocated: [{ driver: 'gpu.example.com', pool: 'p', device: 'd0' }] }, 'r=p/d1'],
    ['no claim is allocated', { claims: [] }, ''],
    ['a claim without requests is allocated', { claims: [claim([])] }, ''],
    ['mode All gets all', { claims: [claim([exactly('r', { allocationMode: 'All' })])], slices: [slice(devices(2))] }, 'r=p/d0 r=p/d1'],
    ['mode All needs one', { claims: [claim([exactly('r', { allocationMode: 'All' })])], slices: [] }, 'none'],
    [
      'mode All needs every one',
      { claims: [claim([exactly('r', { allocationMode: 'All' })])], allocated: [{ driver: 'gpu.example.com', pool: 'p', device: 'd7' }] },
      'none',
    ],
    ['the first alternative wins', { claims: [claim([{ name: 'r', firstAvailable: [alternative('a'), alternative('b')] }])] }, 'r/a=p/d0'],
    [
      'the next alternative follows',
      { claims: [claim([{ name: 'r', firstAvailable: [alternative('a', { count: 9 }), alternative('b', { count: 2 })] }])] },
      'r/b=p/d0 r/b=p/d1',
    ],
    [
      'an alternative with too many devices is skipped',
      { claims: [claim([{ name: 'r', firstAvailable: [alternative('a', { count: 33 }), alternative('b')] }])] },
      'r/b=p/d0',
    ],
    [
      'a limit for a claim is kept', { claims: [claim([exactly('a', { count: 20 }), exactly('b', { count: 13 })])] },
      'claim ns/c, request b: adding 13 devices exceeds the claim limit of 32, with 20 already accounted for',
    ],
    ['a class must exist', { claims: [claim([exactly('r', { deviceClassName: 'x' })])] },
      'claim ns/c, request r: could not retrieve device class x: deviceclass.resource.k8s.io "x" not found'],
    ['a class must be named', { claims: [claim([exactly('r', { deviceClassName: '' })])] },
      'claim ns/c, request r: missing device class name (unsupported request type?)'],
    ['a mode must be known', { claims: [claim([exactly('r', { allocationMode: 'Some' })])] }, 'claim ns/c, request r: unsupported count mode Some'],
    ['a selector must be CEL', { claims: [claim([exactly('r', { selectors: [{}] })])] },
      'claim ns/c, request r, selector #0: CEL expression empty (unsupported selector type?)'],
    ['a constraint must be known', { claims: [claim([exactly('r')], { constraints: [{}] })] },
      'claim ns/c, constraint #0: empty constraint (unsupported constraint type?)'],
    ['a request without anything kills the scheduler', { claims: [claim([{ name: 'r' }])] },
      'panic: runtime error: invalid memory address or nil pointer dereference'],
  ])('%s', (_, cluster, expected) => {
    expect(outcome({ minor, slices: eight, claims: [], ...cluster })).toBe(expected);
  });
});

describe('a gate that is off', () => {
  test.each<[string, string, Json, string]>([
    ['DRAPrioritizedList', '1.36', { name: 'r', firstAvailable: [alternative('a')] },
      'claim ns/c, request r: has subrequests, but the DRAPrioritizedList feature is disabled'],
    ['DRAAdminAccess', '1.36', exactly('r', { adminAccess: false }), 'claim ns/c, request r: admin access is requested, but the feature is disabled'],
    ['DRAConsumableCapacity', '1.36', exactly('r', { capacity: {} }),
      'claim ns/c, request r: has capacity requests, but the DRAConsumableCapacity feature is disabled'],
    ['DRAConsumableCapacity', '1.36', { name: 'r', firstAvailable: [alternative('a', { capacity: {} })] },
      'claim ns/c, subrequest a: has capacity requests, but the DRAConsumableCapacity feature is disabled'],
    ['DRAConsumableCapacity', '1.34', { name: 'r', firstAvailable: [alternative('a', { capacity: {} })] },
      'claim ns/c, request r: has capacity requests, but the DRAConsumableCapacity feature is disabled'],
    ['DRADerivedAttributes', '1.37', exactly('r', { derivedAttributes: [{ name: 'x.io/y', expression: '1' }] }),
      'claim ns/c, request r: cannot handle request with derived attributes, the feature is disabled'],
  ])('%s in %s says so', (gate, minor, request, expected) => {
    expect(outcome({ minor: minor as Minor, gates: { [gate]: false }, slices: eight, claims: [claim([request])] })).toBe(expected);
  });

  test('keeps devices with binding conditions away', () => {
    const slices = [slice([device('d', { bindingConditions: ['Ready'], bindingFailureConditions: ['Failed'] })])];

    expect(outcome({ slices, claims: [claim([exactly('r')])] })).toBe('r=p/d');
    expect(outcome({ slices, claims: [claim([exactly('r')])], gates: { DRADeviceBindingConditions: false } })).toBe('none');
  });
});

describe('selectors', () => {
  const models = [slice([withAttributes('a', { model: { string: 'A' } }), withAttributes('b', { model: { string: 'B' } })])];

  test('of class and request must all match', () => {
    const classes = [deviceClass('gpu', cel('device.driver == "gpu.example.com"'))];
    const claims = [claim([exactly('r', cel('device.attributes["gpu.example.com"].model == "B"'))])];

    expect(outcome({ classes, slices: models, claims })).toBe('r=p/b');
  });

  test.each([
    ['1.36', 'claim ns/c: selector #0: CEL runtime error: no such key: missing'],
    ['1.37', 'claim ns/c: selector #0 on device gpu.example.com/p/a: CEL runtime error: no such key: missing. '
      + 'consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields'],
  ] as [Minor, string][])('that fail end the attempt in %s', (minor, expected) => {
    const claims = [claim([exactly('r', cel('device.attributes["gpu.example.com"].missing == 1'))])];

    expect(outcome({ minor, slices: models, claims })).toBe(expected);
  });

  test('are not asked about devices in use', () => {
    const slices = [slice([device('bare'), withAttributes('a', { model: { string: 'A' } })])];
    const claims = [claim([exactly('r', cel('device.attributes["gpu.example.com"].model == "A"'))])];

    expect(outcome({ slices, claims })).toBe('claim ns/c: selector #0: CEL runtime error: no such key: model');
    expect(outcome({ slices, claims, allocated: [{ driver: 'gpu.example.com', pool: 'p', device: 'bare' }] })).toBe('r=p/a');
  });

  test('of a class are named by the class', () => {
    const classes = [deviceClass('gpu', cel('device.attributes["gpu.example.com"].missing'))];

    expect(outcome({ classes, slices: models, claims: [claim([exactly('r')])] })).toBe('class gpu: selector #0: CEL runtime error: no such key: missing');
  });

  test('see a capacity without a value as zero, and an attribute without one as an error', () => {
    const claims = [claim([exactly('r', cel('device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("1"))'))])];

    expect(outcome({ slices: [slice([device('d', { capacity: { memory: null } })])], claims })).toBe('none');
    expect(outcome({ slices: [slice([withAttributes('d', { model: null })])], claims }))
      .toBe('claim ns/c: selector #0: CEL runtime error: attribute model: unsupported attribute value');
  });

  test('that do not compile end the attempt', () => {
    expect(outcome({ slices: models, claims: [claim([exactly('r', cel('device.'))])] })).toMatch(/^claim ns\/c: selector #0: CEL compile error: /);
  });
});

describe('admin access', () => {
  const admin = exactly('r', { adminAccess: true });
  const allocated = [{ driver: 'gpu.example.com', pool: 'p', device: 'd0' }];

  test('reaches devices in use', () => {
    expect(outcome({ slices: eight, claims: [claim([admin])], allocated })).toBe('r=p/d0');
  });

  test('does not use a device', () => {
    expect(outcome({ slices: eight, claims: [claim([exactly('r')])], allocated: [{ ...allocated[0], adminAccess: true }] })).toBe('r=p/d0');
  });

  test('gets no device twice in a claim', () => {
    expect(outcome({ slices: eight, claims: [claim([admin, { ...admin, name: 's' }])] })).toBe('r=p/d0 s=p/d1');
  });

  test('is told in the result', () => {
    expect(ask({ slices: eight, claims: [claim([admin])] }).results?.[0].devices.results?.[0].adminAccess).toBe(true);
  });
});

describe('taints', () => {
  const tainted = (effect: string): Json[] => [slice([device('d', { taints: [{ key: 'k', value: 'v', effect }] })])];
  const gates = { DRADeviceTaints: true };
  test.each<[string, Minor, string, Json, string]>([
    ['NoSchedule blocks', '1.36', 'NoSchedule', {}, 'none'],
    ['NoExecute blocks', '1.36', 'NoExecute', {}, 'none'],
    ['None does not block', '1.36', 'None', {}, 'r=p/d'],
    ['None blocks', '1.34', 'None', {}, 'none'],
    ['Exists tolerates', '1.36', 'NoSchedule', { operator: 'Exists' }, 'r=p/d'],
    ['the value tolerates', '1.36', 'NoSchedule', { key: 'k', value: 'v' }, 'r=p/d'],
    ['another value does not tolerate', '1.36', 'NoSchedule', { key: 'k', operator: 'Equal', value: 'w' }, 'none'],
    ['another effect does not tolerate', '1.36', 'NoSchedule', { operator: 'Exists', effect: 'NoExecute' }, 'none'],
  ])('%s in %s: %s with %j', (_, minor, effect, toleration, expected) => {
    const tolerations = Object.keys(toleration).length === 0 ? {} : { tolerations: [toleration] };

    expect(outcome({ minor, gates, slices: tainted(effect), claims: [claim([exactly('r', tolerations)])] })).toBe(expected);
  });

  test('are ignored while the gate is off', () => {
    expect(outcome({ slices: tainted('NoSchedule'), claims: [claim([exactly('r')])], gates: { DRADeviceTaints: false } })).toBe('r=p/d');
  });
});

describe('the first alternatives are worth most to the scheduler', () => {
  test.each([[1, 16], [5, 15]])('with %s devices for the second list the score is %s', (count, score) => {
    const list = (name: string, first: Json): Json => ({ name, firstAvailable: [alternative('a', first), alternative('b')] });

    expect(ask({ slices: [slice(devices(3))], claims: [claim([list('r', {}), list('s', { count })])] }).score).toBe(score);
  });
});

test('the search ends when its steps are used up', () => {
  const claims = Array.from({ length: 6 }, (_, i) => claim([exactly('r')], {}, `c${i}`));

  expect(ask({ slices: [slice(devices(5))], claims }).steps).toBe(976);
  expect(ask({ slices: [slice(devices(5))], claims }, { maxSteps: 100 })).toEqual({
    allocated: false, error: 'filter operation aborted: context deadline exceeded', nodeError: false, outOfSteps: true, steps: 101,
  });
});

test('an attempt changes nothing', () => {
  const cluster = { slices: eight, claims: [claim([exactly('r', { count: 2 })])] };
  const before = JSON.stringify(cluster);

  expect(outcome(cluster)).toBe(outcome(cluster));
  expect(JSON.stringify(cluster)).toBe(before);
});

test('a count beyond 2^53 is named with all its digits', () => {
  expect(outcome({ slices: eight, claims: [claim([exactly('r', { count: 9223372036854775807n })])] }))
    .toBe('claim ns/c, request r: adding 9223372036854775807 devices exceeds the claim limit of 32, with 0 already accounted for');
});

test('thousands of claims are no crash', () => {
  const claims = Array.from({ length: 20_000 }, (_, i) => claim([exactly('r')], {}, `c${i}`));
  const { allocated, error } = ask({ slices: [slice(devices(30_000))], claims });

  expect(allocated || error === 'the attempt has more claims and devices than can be searched at once').toBe(true);
});

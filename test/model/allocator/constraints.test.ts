import { alternative, ask, claim, DRIVER, exactly, outcome, slice, withAttributes } from './cluster';
import type { Cluster, Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const gates = { DRAConsumableCapacity: true };
const numa = (...values: readonly number[]): Json[] => [slice(values.map((int, i) => withAttributes(`d${i}`, { numa: { int } })))];
const values = (...attributes: readonly Json[]): Json[] => [slice(attributes.map((x, i) => withAttributes(`d${i}`, { x })))];
const match = (attribute = `${DRIVER}/numa`, requests: readonly string[] = []): Json => ({ constraints: [{ matchAttribute: attribute, requests }] });
const distinct = (attribute = `${DRIVER}/numa`, requests: readonly string[] = []): Json => ({ constraints: [{ distinctAttribute: attribute, requests }] });
const count = (n: number): Json => exactly('r', { count: n });

describe('matchAttribute', () => {
  test.each<[string, Partial<Cluster>, string]>([
    ['takes devices of one value', { slices: numa(0, 1, 1), claims: [claim([count(2)], match())] }, 'r=p/d1 r=p/d2'],
    ['fails without', { slices: numa(0, 1, 2), claims: [claim([count(2)], match())] }, 'none'],
    ['needs the attribute', { slices: numa(0), claims: [claim([count(1)], match(`${DRIVER}/other`))] }, 'none'],
    ['finds an attribute with its domain',
      { slices: [slice([withAttributes('d', { [`${DRIVER}/numa`]: { int: 0 } })])], claims: [claim([count(1)], match())] }, 'r=p/d'],
    ['knows no attribute of another domain', { slices: numa(0), claims: [claim([count(1)], match('other.example.com/numa'))] }, 'none'],
    ['knows no attribute without a domain', { slices: numa(0), claims: [claim([count(1)], match('nodomain'))] }, 'none'],
    ['compares the type', { slices: values({ int: 1 }, { string: '1' }), claims: [claim([count(2)], match(`${DRIVER}/x`))] }, 'none'],
    ['compares versions as texts', { slices: values({ version: '1.0.0+a' }, { version: '1.0.0+b' }), claims: [claim([count(2)], match(`${DRIVER}/x`))] }, 'none'],
    ['compares booleans', { slices: values({ bool: true }, { bool: false }, { bool: true }), claims: [claim([count(2)], match(`${DRIVER}/x`))] }, 'r=p/d0 r=p/d2'],
    ['holds for the named requests only',
      { slices: numa(0, 1, 0), claims: [claim([exactly('a'), exactly('b'), exactly('c')], match(undefined, ['a', 'c']))] }, 'a=p/d0 b=p/d1 c=p/d2'],
    ['holds for one alternative', {
      slices: numa(0, 1),
      claims: [claim([exactly('a'), { name: 'b', firstAvailable: [alternative('x'), alternative('y')] }], match(undefined, ['a', 'b/x']))],
    }, 'a=p/d0 b/y=p/d1'],
    ['holds for all alternatives of a request', {
      slices: numa(0, 1),
      claims: [claim([exactly('a'), { name: 'b', firstAvailable: [alternative('x'), alternative('y')] }], match(undefined, ['a', 'b']))],
    }, 'none'],
    ['does not bind two claims', { slices: numa(0, 1), claims: [claim([count(1)], match()), claim([count(1)], match(), 'e')] }, 'r=p/d0 | r=p/d1'],
    ['goes back to an earlier request', { slices: numa(0, 1, 1), claims: [claim([exactly('a'), exactly('b')], match())] }, 'a=p/d1 b=p/d2'],
    ['is an error with mode All', { slices: numa(0, 1), claims: [claim([exactly('r', { allocationMode: 'All' })], match())] },
      `claim ns/c, request r: cannot add device ${DRIVER}/p/d1 because a claim constraint would not be satisfied`],
  ])('%s', (_, cluster, expected) => {
    for (const minor of ['1.34', '1.35', '1.36', '1.37'] as const) expect(outcome({ minor, gates, slices: [], claims: [], ...cluster })).toBe(expected);
  });

  test('accepts a value of unknown type as the first', () => {
    expect(outcome({ minor: '1.37', slices: values({ strings: ['a'] }, { string: 'b' }), claims: [claim([count(1)], match(`${DRIVER}/x`))] })).toBe('r=p/d0');
  });

  test('knows no lists in 1.36, whose scheduler tells the allocator nothing of the gate', () => {
    const claims = [claim([count(2)], match(`${DRIVER}/x`))];

    expect(outcome({ minor: '1.36', gates: { DRAListTypeAttributes: true }, slices: values({ strings: ['a'] }, { strings: ['a'] }), claims })).toBe('none');
  });

  test('needs a common value of lists', () => {
    const claims = [claim([count(3)], match(`${DRIVER}/x`))];
    const slices = values({ strings: ['a', 'b'] }, { strings: ['b', 'c'] }, { strings: ['c'] }, { string: 'b' });

    expect(outcome({ minor: '1.37', gates: { DRAListTypeAttributes: true }, slices, claims })).toBe('r=p/d0 r=p/d1 r=p/d3');
  });

  test('forgets in the experimental 1.36 that a list was narrowed by a device it gave back', () => {
    const claims = [claim([exactly('a'), exactly('b'), exactly('c')], match(`${DRIVER}/x`))];
    // b tries d1 first and narrows the common values to 'b', for which there is no third device.
    const slices = values({ strings: ['a', 'b'] }, { strings: ['b'] }, { strings: ['a'] }, { strings: ['a'] });
    const lists = { DRAListTypeAttributes: true };

    expect(outcome({ minor: '1.36', gates: lists, features: { listTypeAttributes: true }, slices, claims })).toBe('a=p/d2 b=p/d0 c=p/d3');
    expect(outcome({ minor: '1.37', gates: lists, slices, claims })).toBe('a=p/d0 b=p/d2 c=p/d3');
  });
});

describe('distinctAttribute', () => {
  test.each<[Minor, string, string]>([
    // By identity: equal values of two devices do not count as equal.
    ['1.34', 'r=p/d0 r=p/d1', 'r=p/d0 r=p/d1 r=p/d2'],
    // One value per request is remembered.
    ['1.35', 'r=p/d0 r=p/d2', 'r=p/d0 r=p/d2 r=p/d1'],
    ['1.36', 'r=p/d0 r=p/d2', 'none'],
    ['1.37', 'r=p/d0 r=p/d2', 'none'],
  ])('in %s takes %s of the values 0, 0, 1, and three as %s', (minor, two, three) => {
    const slices = numa(0, 0, 1);

    expect(outcome({ minor, gates, slices, claims: [claim([count(2)], distinct())] })).toBe(two);
    expect(outcome({ minor, gates, slices, claims: [claim([count(3)], distinct())] })).toBe(three);
  });

  test.each<[Minor, string]>([['1.36', 'r=p/d0 r=p/d1 r=p/d2'], ['1.37', 'none']])('in %s accepts the values 1, 2, 1 of one request as %s', (minor, expected) => {
    expect(outcome({ minor, slices: numa(1, 2, 1), claims: [claim([count(3)], distinct())] })).toBe(expected);
  });

  test.each(['1.36', '1.37'] as const)('in %s refuses the values 1, 2, 1 of three requests', minor => {
    const requests = ['a', 'b', 'c'].map(name => exactly(name));

    expect(outcome({ minor, slices: numa(1, 2, 1), claims: [claim(requests, distinct())] })).toBe('none');
  });

  test('compares the type', () => {
    expect(outcome({ slices: values({ int: 1 }, { string: '1' }), claims: [claim([count(2)], distinct(`${DRIVER}/x`))] })).toBe('r=p/d0 r=p/d1');
  });

  test('needs the attribute', () => {
    expect(outcome({ slices: numa(0), claims: [claim([count(1)], distinct(`${DRIVER}/other`))] })).toBe('none');
  });

  test.each<[Minor, Record<string, boolean>]>([
    ['1.35', {}],
    ['1.36', { DRAConsumableCapacity: false, DRADeviceBindingConditions: false }],
  ])('is unknown to the allocator of %s with %j', (minor, features) => {
    expect(outcome({ minor, gates: features, slices: numa(0), claims: [claim([count(1)], distinct())] }))
      .toBe('claim ns/c, constraint #0: empty constraint (unsupported constraint type?)');
  });

  test('keeps lists apart that have a value in common', () => {
    const slices = values({ strings: ['a', 'b'] }, { strings: ['b'] }, { strings: ['c'] });

    expect(outcome({ minor: '1.37', gates: { DRAListTypeAttributes: true }, slices, claims: [claim([count(2)], distinct(`${DRIVER}/x`))] }))
      .toBe('r=p/d0 r=p/d2');
  });
});

describe('derived attributes', () => {
  const derived = (expression: string): Json => exactly('r', { count: 2, derivedAttributes: [{ name: 'x.io/even', expression }] });
  const on = { DRADerivedAttributes: true };

  test('can be matched', () => {
    const claims = [claim([derived(`device.attributes["${DRIVER}"].numa % 2 == 0`)], match('x.io/even'))];

    expect(outcome({ minor: '1.37', gates: on, slices: numa(0, 1, 2), claims })).toBe('r=p/d0 r=p/d2');
  });

  test('end the attempt when they fail', () => {
    const claims = [claim([derived(`device.attributes["${DRIVER}"].missing`)], match('x.io/even'))];

    expect(outcome({ minor: '1.37', gates: on, slices: numa(0), claims }))
      .toBe(`evaluate derived attribute x.io/even on device ${DRIVER}/p/d0 failed: no such key: missing`);
  });

  test('must have a type that can be compared', () => {
    const claims = [claim([derived('{"a": 1}')], match('x.io/even'))];

    expect(outcome({ minor: '1.37', gates: on, slices: numa(0), claims })).toBe('compile derived attribute x.io/even failed: must evaluate to a primitive '
      + 'scalar (string, integer, boolean, semver) or a list of these scalars, not map(string, int)');
  });
});

describe('conflicts', () => {
  const conflicts = (cluster: Cluster): readonly string[] => (ask(cluster, { reasons: true }).conflicts ?? []).map(({ detail }) => detail);

  test.each<[string, Cluster, string]>([
    ['one request has too few devices of any value', { slices: numa(0, 0, 1), claims: [claim([count(3)], match())] },
      `Request r needs 3 devices with one value of ${DRIVER}/numa, but there are at most 2: 0 (2), 1 (1).`],
    ['some devices lack the attribute', { slices: [slice([withAttributes('a', { numa: { int: 0 } }), withAttributes('b', {}), withAttributes('c', {})])], claims: [claim([count(2)], match())] },
      `Request r needs 2 devices with one value of ${DRIVER}/numa, but there are at most 1: 0 (1); 2 devices have no such attribute.`],
    ['one device lacks the attribute', { slices: [slice([withAttributes('a', { numa: { int: 0 } }), withAttributes('b', {})])], claims: [claim([count(2)], distinct())] },
      `2 devices need as many values of ${DRIVER}/numa, but there are only 1: 0; 1 device has no such attribute.`],
    ['no device has the attribute', { slices: numa(0, 0), claims: [claim([count(1)], match('std.io/x'))] },
      'None of the 2 devices for request r has the attribute std.io/x.'],
    ['there are too few values', { slices: numa(0, 0, 1), claims: [claim(['a', 'b', 'c'].map(name => exactly(name)), distinct())] },
      `3 devices need as many values of ${DRIVER}/numa, but there are only 2: 0, 1.`],
    ['requests have no value in common', {
      slices: numa(0, 0, 1),
      claims: [claim([
        exactly('a', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].numa == 0` } }] }),
        exactly('b', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].numa == 1` } }] }),
      ], match())],
    }, `Requests a and b have no value of ${DRIVER}/numa in common: 0 (2) for a, 1 (1) for b.`],
  ])('name the values when %s', (_, cluster, expected) => {
    expect(conflicts(cluster)).toEqual([expected]);
  });

  test('are not made up where a constraint is not to blame', () => {
    expect(conflicts({ slices: numa(0), claims: [claim([count(2)])] })).toEqual([]);
  });
});

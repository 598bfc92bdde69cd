import { ask, claim, device, DRIVER, exactly, outcome, slice } from './cluster';
import type { Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const gates = { DRAConsumableCapacity: true };
const wants = (memory?: string, name = 'r'): Json => exactly(name, memory === undefined ? {} : { capacity: { requests: { memory } } });
const shared = (value: string, requestPolicy?: Json, name = 'd'): Json => device(name, {
  allowMultipleAllocations: true, capacity: { memory: { value, ...(requestPolicy ? { requestPolicy } : {}) } },
});

/** What a claim consumes, or the error, or `none`. */
function consumed(minor: Minor, one: Json, request: Json, more: Json = {}): string {
  const answer = ask({ minor, gates: { ...gates, ...more }, slices: [slice([one])], claims: [claim([request])] });
  if (!answer.results) return answer.error ?? 'none';
  return JSON.stringify(answer.results[0].devices.results?.[0].consumedCapacity ?? 'whole');
}

describe('the amount of a share', () => {
  const range = { default: '1Gi', validRange: { min: '1Gi', step: '1Gi', max: '8Gi' } };
  test.each<[string, string, Json | undefined, string | undefined, string]>([
    ['is what was asked for', '10Gi', undefined, '3Gi', '{"memory":"3Gi"}'],
    ['is all without a request', '10Gi', undefined, undefined, '{"memory":"10Gi"}'],
    ['is the default without a request', '10Gi', range, undefined, '{"memory":"1Gi"}'],
    ['is at least the minimum', '10Gi', range, '1', '{"memory":"1Gi"}'],
    ['is rounded up to the step', '10Gi', range, '1500Mi', '{"memory":"2Gi"}'],
    ['is at most the maximum', '10Gi', range, '9Gi', 'none'],
    ['is at most what there is', '10Gi', undefined, '11Gi', 'none'],
    ['is rounded up to a valid value', '10', { default: '2', validValues: ['2', '4', '8'] }, '3', '{"memory":"4"}'],
    ['is not above all valid values', '10', { default: '2', validValues: ['2', '4', '8'] }, '9', 'none'],
    ['is the default, whatever else is allowed', '10', { default: '9', validRange: { min: '1', max: '4' } }, undefined, '{"memory":"9"}'],
    // Upstream compares pointers there, and then asks whether the default is allowed.
    ['is not a default with a binary fraction that is not allowed', '10Gi', { default: '8.5Gi', validRange: { min: '1Gi', max: '4Gi' } }, undefined, 'none'],
    ['may have a fraction without a step', '10', { default: '1', validRange: { min: '100m' } }, '250m', '{"memory":"250m"}'],
  ])('%s', (_, value, policy, request, expected) => {
    for (const minor of ['1.34', '1.35', '1.36', '1.37'] as const) expect(consumed(minor, shared(value, policy), wants(request))).toBe(expected);
  });

  test.each<[Minor, string]>([['1.36', '{"memory":"1953125Ki"}'], ['1.37', '{"memory":"2G"}']])('in %s has after rounding the form %s', (minor, expected) => {
    expect(consumed(minor, shared('10G', { default: '1G', validRange: { min: '1G', step: '1G' } }), wants('1500M'))).toBe(expected);
  });

  test.each<[Minor, boolean, string]>([['1.36', false, '{"memory":"1"}'], ['1.37', false, '{"memory":"1"}'], ['1.37', true, '{"memory":"300m"}']])(
    'in %s with fractional ranges %s is %s for a quarter', (minor, fractional, expected) => {
      const policy = { default: '100m', validRange: { min: '100m', step: '100m' } };

      expect(consumed(minor, shared('10', policy), wants('250m'), { DRAFractionalCapacityRange: fractional })).toBe(expected);
    },
  );

  test.each<[Minor, string]>([
    // Go's integers overflow.
    ['1.36', '{"memory":"0"}'],
    ['1.37', `claim ns/c, request r: checking capacity for device ${DRIVER}/p/d: capacity "memory": capacity request cannot be represented `
      + 'in the device\'s range arithmetic: request 10E exceeds MaxInt64'],
  ])('in %s beyond 64 bits gives: %s', (minor, expected) => {
    expect(consumed(minor, shared('10', { default: '1', validRange: { min: '1', step: '1' } }), wants('10E'))).toBe(expected);
  });

  test.each<[Minor, string]>([
    ['1.36', '{"memory":"-1"}'], ['1.37', `claim ns/c, request r: checking capacity for device ${DRIVER}/p/d: capacity "memory": capacity value is negative`],
  ])('in %s below zero gives: %s', (minor, expected) => {
    expect(consumed(minor, shared('10'), wants('-1'))).toBe(expected);
  });

  test('that divides by a step of zero kills the scheduler', () => {
    expect(consumed('1.36', shared('10', { default: '1', validRange: { min: '1', step: '0' } }), wants('2'))).toBe('panic: runtime error: integer divide by zero');
  });
});

describe('a shared device', () => {
  const entry = (amount?: string): Json => ({
    driver: DRIVER, pool: 'p', device: 'd', shareID: '00000000-0000-4000-8000-0000000000aa', ...(amount === undefined ? {} : { consumedCapacity: { memory: amount } }),
  });

  test('is given to several claims while there is enough', () => {
    const claims = ['a', 'b', 'e'].map(name => claim([wants('4Gi')], {}, name));

    expect(outcome({ slices: [slice([shared('10Gi')])], claims: claims.slice(1) })).toBe('r=p/d | r=p/d');
    expect(outcome({ slices: [slice([shared('10Gi')])], claims })).toBe('none');
  });

  test.each<[Minor, string]>([['1.35', 'r=p/d r=p/d'], ['1.36', 'none'], ['1.37', 'none']])(
    'is given in %s to two requests of a claim, and to one request with count 2 as %s', (minor, expected) => {
      const slices = [slice([shared('10Gi')])];

      expect(outcome({ minor, gates, slices, claims: [claim([wants('4Gi', 'a'), wants('4Gi', 'b')])] })).toBe('a=p/d b=p/d');
      expect(outcome({ minor, gates, slices, claims: [claim([exactly('r', { count: 2, capacity: { requests: { memory: '1Gi' } } })])] })).toBe(expected);
    },
  );

  test('has left what its shares do not use', () => {
    const ask4 = [claim([wants('4Gi')])];

    expect(outcome({ slices: [slice([shared('10Gi')])], claims: ask4, allocated: [entry('6Gi')] })).toBe('r=p/d');
    expect(outcome({ slices: [slice([shared('10Gi')])], claims: ask4, allocated: [entry('6Gi'), entry('1Gi')] })).toBe('none');
    expect(outcome({ slices: [slice([shared('10Gi')])], claims: ask4, allocated: [entry()] })).toBe('r=p/d');
  });

  test('without a share is wholly in use', () => {
    expect(outcome({ slices: [slice([shared('10Gi')])], claims: [claim([wants('1')])], allocated: [{ driver: DRIVER, pool: 'p', device: 'd' }] })).toBe('none');
  });

  test('is exclusive while the gate is off', () => {
    const claims = ['a', 'b'].map(name => claim([exactly('r')], {}, name));

    expect(outcome({ slices: [slice([shared('10Gi')])], claims, gates: { DRAConsumableCapacity: false } })).toBe('none');
  });

  test('is consumed by admin access too', () => {
    const admin = exactly('r', { adminAccess: true, capacity: { requests: { memory: '6Gi' } } });

    expect(outcome({ slices: [slice([shared('10Gi')])], claims: [claim([admin])], allocated: [entry('6Gi')] })).toBe('none');
  });

  test('gets a share id for each share, in the form of a random UUID', () => {
    const answer = ask({ slices: [slice([shared('10Gi')])], claims: [claim([wants('1', 'a'), wants('1', 'b')])] });
    const ids = answer.results?.[0].devices.results?.map(({ shareID }) => shareID);

    expect(ids).toEqual(['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']);
  });

  test('gets share ids from whoever wants to give them', () => {
    const answer = ask({ slices: [slice([shared('10Gi')])], claims: [claim([wants('1')])] }, { nextShareId: () => 'id' });

    expect(answer.results?.[0].devices.results?.[0].shareID).toBe('id');
  });
});

describe('a device that is not shared', () => {
  const exclusive = device('d', { capacity: { memory: { value: '8Gi' } } });

  test('is filtered by the amount and taken whole', () => {
    expect(consumed('1.36', exclusive, wants('4Gi'))).toBe('"whole"');
    expect(consumed('1.36', exclusive, wants('9Gi'))).toBe('none');
  });

  test('must publish the capacity under the very name', () => {
    const request = exactly('r', { capacity: { requests: { [`${DRIVER}/memory`]: '1' } } });

    for (const minor of ['1.36', '1.37'] as const) expect(consumed(minor, exclusive, request)).toBe('none');
  });
});

test('mode All leaves out, from 1.37 on, only devices that could never have enough', () => {
  const used = { driver: DRIVER, pool: 'p', device: 'd', shareID: 'x', consumedCapacity: { memory: '8Gi' } };
  const all = exactly('r', { allocationMode: 'All', capacity: { requests: { memory: '4Gi' } } });
  const slices = [slice([shared('10Gi'), shared('10Gi', undefined, 'e'), shared('1Gi', undefined, 'f')])];

  expect(outcome({ minor: '1.36', slices, claims: [claim([all])], allocated: [used] })).toBe('r=p/e');
  expect(outcome({ minor: '1.37', slices, claims: [claim([all])], allocated: [used] })).toBe('none');
});

test('1.34 rechecks the capacity of the wrong device, which can kill the scheduler', () => {
  const slices = [
    slice([shared('10', undefined, 'a')], { pool: { name: 'p' } }, 's'), slice([shared('10', undefined, 'b')], { pool: { name: 'q' } }, 't'),
  ];
  const claims = [claim([exactly('r', { count: 2, capacity: { requests: { memory: '1' } } })])];

  expect(outcome({ minor: '1.34', gates, slices, claims })).toBe('panic: runtime error: index out of range [1] with length 1');
  expect(outcome({ minor: '1.35', gates, slices, claims })).toBe('r=p/a r=p/a');
});

import { countProblem, LIMITS, limitIn, limitProblem } from '../../src/model/limits';
import type { LimitKey } from '../../src/model/limits';
import { MINORS } from '../../src/model/target/versions';

const keys = Object.keys(LIMITS) as LimitKey[];

test.each([
  ['taintsPerDevice', 4, 16, 16, 16],
  ['devicesPerSlice', 128, 128, 128, 128],
  ['devicesPerSliceWithExtras', undefined, 64, 64, 64],
  ['attributeValues', undefined, undefined, 48, 48],
  ['counterSets', undefined, 8, 8, 8],
  ['consumesCounters', undefined, 2, 2, 2],
  ['sharedCountersPerSlice', 32, undefined, undefined, undefined],
  ['deviceCountersPerSlice', 1024, undefined, undefined, undefined],
  ['derivedAttributes', undefined, undefined, undefined, 32],
] as const)('%s is %p in 1.34, %p in 1.35, %p in 1.36 and %p in 1.37', (key, ...bounds) => {
  expect(MINORS.map(minor => limitIn(key, minor))).toEqual(bounds);
});

test.each(keys)('%s holds in some minor and names its source', key => {
  expect(MINORS.some(minor => limitIn(key, minor) !== undefined)).toBe(true);
  expect(LIMITS[key].source).not.toBe('');
});

test.each(keys)('%s allows its bound and refuses one more', key => {
  for (const minor of MINORS) {
    const max = limitIn(key, minor);
    if (max === undefined) {
      expect(limitProblem(key, Number.MAX_SAFE_INTEGER, minor)).toBeUndefined();
    } else {
      expect(limitProblem(key, max, minor)).toBeUndefined();
      expect(limitProblem(key, max + 1, minor)?.rule).toBe(`must have at most ${max} ${LIMITS[key].what}, but has ${max + 1}`);
      expect(limitProblem(key, max + 1, minor)?.help).toMatch(/^[A-Z].*\.$/);
    }
  }
});

test.each([1, 2, 32])('a count of %p is legal', count => {
  expect(countProblem(count)).toBeUndefined();
});

test.each([0, -1, 1.5, 33, NaN, Infinity, '1', undefined])('a count of %p is refused', count => {
  expect(countProblem(count)?.rule).toMatch(/^must be /);
});

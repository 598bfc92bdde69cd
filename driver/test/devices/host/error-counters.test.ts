import { ErrorCounters } from '../../../src/devices/host/error-counters.js';

test('only growth counts, for ten minutes, and what was before the first look never does', () => {
  let now = 0;
  const counters = new ErrorCounters(() => now);
  const look = (count: number): boolean => counters.hasGrown('bus', count);

  expect(look(7)).toBe(false);
  expect(look(7)).toBe(false);
  expect(look(8)).toBe(true);
  now += 9 * 60_000;
  expect(look(8)).toBe(true);
  now += 2 * 60_000;
  expect(look(8)).toBe(false);
  // A reset card counts from zero.
  expect(look(0)).toBe(false);
  expect(look(1)).toBe(true);
  expect(counters.hasGrown('another', 5)).toBe(false);
});

import fc from 'fast-check';

import type { DeviceReading } from '../../../src/devices/device-health.js';
import { HEALTH_RULES, NEW_DEVICE, nextCondition, quietTime } from '../../../src/node/health/device-condition.js';
import type { DeviceCondition } from '../../../src/node/health/device-condition.js';

const GOOD: DeviceReading = { device: 'gpu-0', health: 'healthy' };
const BAD: DeviceReading = { device: 'gpu-0', health: 'unhealthy', code: 'DRA360', message: 'no link' };
const NONE: DeviceReading = { device: 'gpu-0', health: 'unknown' };

/** Readings every ten seconds. */
function after(readings: readonly DeviceReading[], from = NEW_DEVICE, start = 0): DeviceCondition {
  return readings.reduce((condition, reading, index) => nextCondition(condition, reading, start + index * 10_000), from);
}

function times(count: number, reading: DeviceReading): readonly DeviceReading[] {
  return Array.from({ length: count }, () => reading);
}

test.each([
  ['one bad reading', [BAD], false],
  ['two bad readings', [BAD, BAD], true],
  ['two bad readings with a good one between', [BAD, GOOD, BAD], false],
  ['two bad readings with an unknown one between', [BAD, NONE, BAD], true],
  ['unknown readings', [NONE, NONE, NONE], false],
  ['a sick device that reads well for less than a minute', [BAD, BAD, ...times(6, GOOD)], true],
  ['a sick device that reads well for a minute', [BAD, BAD, ...times(7, GOOD)], false],
  ['a sick device whose quiet minute is broken', [BAD, BAD, ...times(5, GOOD), BAD, ...times(5, GOOD)], true],
] as const)('%s', (_, readings, sick) => {
  expect(after(readings).isSick).toBe(sick);
});

test('a sick device keeps the reason that made it sick', () => {
  expect(after([BAD, BAD, { ...BAD, code: 'DRA361', message: 'later' }]).reason).toEqual({ code: 'DRA360', message: 'no link' });
});

test.each([
  [1, 60_000], [2, 120_000], [3, 240_000], [6, 1_800_000], [32, 1_800_000],
])('after %i times in an hour the quiet time is %i ms', (relapses, quiet) => {
  expect(quietTime(relapses, HEALTH_RULES)).toBe(quiet);
});

test('however a device flaps, it changes at most twenty times in an hour', () => {
  const anHour = fc.array(fc.constantFrom(GOOD, BAD, NONE), { minLength: 360, maxLength: 360 });
  fc.assert(fc.property(anHour, fc.integer({ min: 1, max: 60 }), (noise, run) => {
    // Runs of one reading are the worst case, noise the usual one.
    for (const readings of [noise, noise.map((_, index) => (Math.floor(index / run) % 2 === 0 ? BAD : GOOD))]) {
      let changes = 0;
      let condition = NEW_DEVICE;
      readings.forEach((reading, index) => {
        const next = nextCondition(condition, reading, index * 10_000);
        if (next.isSick !== condition.isSick) changes++;
        condition = next;
      });
      expect(changes).toBeLessThanOrEqual(20);
    }
  }));
});

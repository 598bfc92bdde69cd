import type { DeviceReading } from '../../../src/devices/device-health.js';
import type { Inventory } from '../../../src/devices/inventory.js';
import type { Isolation } from '../../../src/node/device-state.js';
import { FollowedValue } from '../../../src/node/followed-value.js';
import { HealthMonitor } from '../../../src/node/health/health-monitor.js';
import { IsolationBook } from '../../../src/node/isolation-book.js';
import { gpus, inventory } from '../slices/devices.js';

const SIGNAL = new AbortController().signal;

function bench(devices: Inventory = inventory(gpus(2))) {
  const clock = { now: 0 };
  const events: string[] = [];
  const book = new IsolationBook();
  const told: (readonly Isolation[])[] = [];
  book.follow((isolations) => told.push(isolations));
  const hardware = { readings: [] as readonly DeviceReading[] | Error };
  const found = new FollowedValue(devices);
  const monitor = new HealthMonitor({
    backend: { health: async () => { if (hardware.readings instanceof Error) throw hardware.readings; return hardware.readings; } },
    inventory: found,
    pool: 'node-1',
    every: 10_000,
    now: () => clock.now,
    date: () => new Date(Date.UTC(2026, 0, 1) + clock.now),
    observer: {
      looked: (outcome) => events.push(outcome),
      becameSick: (device, code) => events.push(`${device} sick ${code}`),
      recovered: (device) => events.push(`${device} well`),
    },
    isolate: (isolations) => book.set('health', isolations),
  });
  const look = async (readings: readonly DeviceReading[] | Error, count = 1) => {
    hardware.readings = readings;
    for (let round = 0; round < count; round++) {
      clock.now += 10_000;
      await monitor.look(SIGNAL);
    }
  };
  return { monitor, book, told, events, found, look };
}

const WELL: readonly DeviceReading[] = [{ device: 'gpu-0', health: 'healthy' }, { device: 'gpu-1', health: 'healthy' }];
const SICK: readonly DeviceReading[] = [WELL[0]!, { device: 'gpu-1', health: 'unhealthy', code: 'DRA360', message: 'no link' }];

test('a sick device is isolated once, with the time at which it fell sick, and kubelet is told', async () => {
  const { monitor, book, told, events, look } = bench();
  await look(WELL);
  await look(SICK, 3);

  expect(book.current).toEqual([{ device: 'gpu-1', code: 'DRA360', message: 'no link', since: '2026-01-01T00:00:30Z' }]);
  expect(told).toHaveLength(1);
  expect(monitor.kubelet.current).toMatchObject([
    { pool: 'node-1', device: 'gpu-0', health: 'healthy' }, { pool: 'node-1', device: 'gpu-1', health: 'unhealthy', message: 'no link' },
  ]);
  expect(events.filter((event) => event !== 'success')).toEqual(['gpu-1 sick DRA360']);
});

test('a device that recovers is free again', async () => {
  const { book, events, look } = bench();
  await look(SICK, 2);
  await look(WELL, 7);

  expect(book.current).toEqual([]);
  expect(events).toContain('gpu-1 well');
});

test('a device that nobody can read any more becomes unknown to kubelet, and isolates nothing', async () => {
  const { monitor, book, events, look } = bench();
  await look(WELL);
  await look(new Error('no answer'), 5);

  expect(monitor.kubelet.current.map(({ health }) => health)).toEqual(['unknown', 'unknown']);
  expect(book.current).toEqual([]);
  expect(events.filter((event) => event === 'failure')).toHaveLength(5);
});

test('a sick device stays isolated while nobody can read it', async () => {
  const { book, look } = bench();
  await look(SICK, 2);
  await look(new Error('no answer'), 60);

  expect(book.current).toMatchObject([{ device: 'gpu-1' }]);
});

test('a device that leaves the inventory is told of no more', async () => {
  const { monitor, book, found, look } = bench();
  await look(SICK, 2);
  found.set(inventory(gpus(1)));
  await look([WELL[0]!]);

  expect(monitor.kubelet.current.map(({ device }) => device)).toEqual(['gpu-0']);
  expect(book.current).toEqual([]);
});

test('of two reasons the older one stands, and each goes by itself', () => {
  const book = new IsolationBook();
  const early: Isolation = { device: 'gpu-0', code: 'DRA325', message: 'a', since: '2026-01-01T00:00:00Z' };
  const late: Isolation = { device: 'gpu-0', code: 'DRA360', message: 'b', since: '2026-02-01T00:00:00Z' };
  book.set('claims', [late]);
  book.set('health', [early]);
  expect(book.current).toEqual([early]);

  book.set('health', []);
  expect(book.current).toEqual([late]);
});

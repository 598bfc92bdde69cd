import { ManualClock, settled } from './manual-clock.js';
import type { Inventory } from '../../src/devices/inventory.js';
import { Discovery } from '../../src/node/discovery.js';

let clock: ManualClock;
let looks: (() => Promise<Inventory>)[];
let count: number;
let told: string[];

function inventory(...names: readonly string[]): Inventory {
  const devices = names.map((name) => ({ name, identity: name, parts: [name], attributes: {}, capacity: {}, deviceNodes: [] }));
  return { devices, counterSets: [], problems: [] };
}

function discovery(): Discovery {
  return new Discovery({
    backend: {
      discover: () => {
        const look = looks[Math.min(count, looks.length - 1)];
        count++;
        return look?.() ?? Promise.reject(new Error('no look'));
      },
    },
    clock,
    every: 30_000,
    observer: {
      discovered: (_, found) => told.push(found === undefined ? 'same' : `found ${found.devices.map(({ name }) => name).join(',')}`),
      failed: (_, error) => told.push(`failed ${(error as Error).message}`),
    },
  });
}

beforeEach(() => {
  clock = new ManualClock();
  looks = [];
  count = 0;
  told = [];
});

const found = (...names: readonly string[]) => () => Promise.resolve(inventory(...names));
const failing = () => Promise.reject(new Error('no sysfs'));

test('the first look is at once, the next after the pause, and only news are told on', async () => {
  looks = [found('gpu-0'), found('gpu-0'), found('gpu-0', 'gpu-1')];
  const one = discovery();
  const changes: number[] = [];
  one.inventory.follow(({ devices }) => changes.push(devices.length));

  one.start();
  await settled();
  expect([one.ready.current, changes]).toEqual([true, [1]]);
  await clock.advance(30_000);
  expect(changes).toEqual([1]);
  await clock.advance(30_000);

  expect(changes).toEqual([1, 2]);
  expect(told).toEqual(['found gpu-0', 'same', 'found gpu-0,gpu-1']);
  await one.stop();
});

// C-097
test('hardware that is not there for the first half minute is tried again and again, and until then nothing is known', async () => {
  looks = [...Array.from({ length: 6 }, () => failing), found('gpu-0')];
  const one = discovery();

  one.start();
  await clock.advance(15_000);
  expect(one.ready.current).toBe(false);
  expect(count).toBeGreaterThan(3);
  await clock.advance(60_000);

  expect(one.ready.current).toBe(true);
  expect(told.filter((line) => line.startsWith('failed'))).toHaveLength(6);
  await one.stop();
});

test('a look that fails later changes nothing', async () => {
  looks = [found('gpu-0'), failing, found('gpu-0')];
  const one = discovery();

  one.start();
  await clock.advance(30_000);

  expect(one.inventory.current.devices).toHaveLength(1);
  expect(one.ready.current).toBe(true);
  expect(told).toEqual(['found gpu-0', 'failed no sysfs']);
  await clock.advance(500);
  expect(told.at(-1)).toBe('same');
  await one.stop();
});

test('no devices is something that was found', async () => {
  looks = [found()];
  const one = discovery();

  one.start();
  await settled();

  expect(one.ready.current).toBe(true);
  expect(told).toEqual(['found ']);
  await one.stop();
});

test('at the end nothing is looked at any more, and what is under way is no failure', async () => {
  let reject: (error: Error) => void = () => undefined;
  looks = [() => new Promise((_, no) => { reject = no; })];
  const one = discovery();
  one.start();
  await settled();

  const stopped = one.stop();
  reject(new Error('aborted'));
  await stopped;
  await clock.advance(100_000);

  expect(told).toEqual([]);
  expect(count).toBe(1);
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/examples/run.mjs';
import { Reading } from '../reading.mjs';
import { Api } from './node/api.mjs';
import { leastTimes } from './node/least.mjs';
import { idle, memory, prepareTimes, publishing, restart, slicesBack, slowHardware } from './node/measurements.mjs';
import { upstreamDriver } from './node/upstream-driver.mjs';

export const description = 'the node agent as a process, beside a driver on the upstream helper where Go is';

/** Prepares at once, how many of them are timed, and the milliseconds between: a node has few pods a second, not hundreds. */
const WIDTHS = { 1: { count: 200, pause: 25 }, 8: { count: 400, pause: 200 }, 64: { count: 512, pause: 1000 } };
/** The same calls one after the other, as no node has them, on processors that stay awake. */
const BREATHLESS = { 1: { count: 200, pause: 0 } };
const CYCLES = [1000, 2500, 5000, 7500, 10_000];
const IDLE_SECONDS = 30;

/** Both sides take turns, measurement by measurement, so that a busy moment of the machine meets both. */
export async function measure({ runs, progress }) {
  if (!existsSync(join(ROOT, 'driver', 'lib', 'node.cjs'))) throw new Error('driver/lib/node.cjs is missing. Run npm run compile.');
  const program = await upstreamDriver(progress);
  const sides = program === undefined ? ['ours'] : ['ours', 'upstream'];
  const book = new Book();
  const api = await Api.start();
  try {
    for (let run = 1; run <= runs; run++) {
      for (const side of sides) {
        progress(`${side}, run ${run} of ${runs}`);
        await everyRun(book, api, side, program);
      }
    }
    for (const side of sides) {
      progress(`${side}, memory and idle time`);
      await once(book, api, side, program);
    }
    progress('ours with optimizing compilers');
    await optimizing(book, api);
  } finally {
    api.stop();
  }
  return { readings: book.readings };
}

async function everyRun(book, api, side, program) {
  const times = await prepareTimes(api, side, program, WIDTHS);
  for (const [width, { prepare, unprepare, nothing }] of Object.entries(times)) {
    book.add(side, `prepare, ${width} at once, p50`, 'ms', quantile(prepare, 0.5), '3');
    book.add(side, `prepare, ${width} at once, p99`, 'ms', quantile(prepare, 0.99), '15');
    book.add(side, `unprepare, ${width} at once, p50`, 'ms', quantile(unprepare, 0.5));
    book.add(side, `a call with nothing to do, ${width} at once, p50`, 'ms', quantile(nothing, 0.5));
    if (side === 'ours') book.add(side, `the least for ${width} at once without any driver, p50`, 'ms', quantile(await leastTimes(api, Number(width), WIDTHS[width]), 0.5));
  }
  const [breathless] = Object.values(await prepareTimes(api, side, program, BREATHLESS));
  book.add(side, 'prepare, 1 at once without pauses, p50', 'ms', quantile(breathless.prepare, 0.5), '3');
  book.add(side, '64 prepares at once of hardware that takes 200 ms, all', 'ms', await slowHardware(api, side, program), '400');
  const { registered, serving } = await restart(api, side, program);
  book.add(side, 'start with 128 prepared claims until registered', 'ms', registered, '1,000');
  book.add(side, 'start with 128 prepared claims until a claim is given back', 'ms', serving);
}

async function once(book, api, side, program) {
  const { resident, own } = await memory(api, side, program, CYCLES);
  for (const [cycles, mebibytes] of Object.entries(resident)) {
    book.add(side, `resident memory after ${Number(cycles).toLocaleString('en-US')} prepares and unprepares`, 'MiB', mebibytes, '80, flat');
  }
  book.add(side, 'of it without the pages of the program', 'MiB', own);
  book.add(side, `processor time while idle, ${IDLE_SECONDS} s`, '%', await idle(api, side, program, IDLE_SECONDS), '0.1');
  const { deleted, restarted } = await slicesBack(api, side, program);
  book.add(side, 'slices back after somebody deleted them', 'ms', deleted, '1,000');
  book.add(side, 'slices back after a restart of kubelet', 'ms', restarted, '2,000');
  const { slices, writes, again } = await publishing(api, side, program);
  book.add(side, 'publish 1,024 devices: slices', 'n', slices);
  book.add(side, 'publish 1,024 devices: writes', 'n', writes, 'one a slice');
  book.add(side, 'publish 1,024 devices: writes at the next start', 'n', again, '0');
}

/** What the image's choice of small code costs, and what it saves. */
async function optimizing(book, api) {
  const times = await prepareTimes(api, 'optimizing', undefined, WIDTHS);
  for (const [width, { prepare }] of Object.entries(times)) book.add('ours', `with optimizing compilers: prepare, ${width} at once, p50`, 'ms', quantile(prepare, 0.5));
  const cycles = CYCLES[1];
  const { resident } = await memory(api, 'optimizing', undefined, [cycles]);
  book.add('ours', `with optimizing compilers: resident memory after ${cycles.toLocaleString('en-US')} prepares and unprepares`, 'MiB', resident[cycles]);
}

/** Readings by name, in the order in which they were first made. */
class Book {
  #byName = new Map();

  add(side, name, unit, value, wanted) {
    if (!this.#byName.has(name)) this.#byName.set(name, new Reading(name, unit, wanted));
    this.#byName.get(name).add(side, value);
  }

  get readings() {
    return [...this.#byName.values()];
  }
}

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

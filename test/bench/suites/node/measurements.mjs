// What is measured, the same for either side.
import { setTimeout as sleep } from 'node:timers/promises';
import { onNode, PLAYED_DRIVER } from './sides.mjs';

const MIB = 2 ** 20;
const TIME_LIMIT = 120_000;
/** ext4 gives the inode of a file that was removed to nobody for five seconds, and whoever makes files meanwhile looks at each of those. */
const FORGOTTEN = 6000;

const claimOf = (device, cycle) => ({ namespace: 'bench', name: `claim-${device}-${cycle}`, uid: `uid-claim-${device}-${cycle}` });

/** Polls every millisecond and returns how long it took, in milliseconds. */
async function untilSo(what, holds) {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > TIME_LIMIT) throw new Error(`not within ${TIME_LIMIT / 1000} s: ${what}`);
    await sleep(1);
  }
  return performance.now() - start;
}

/** One call for one claim, in milliseconds. */
async function timed(kubelet, call, claim) {
  const start = performance.now();
  const { claims } = await kubelet[call](PLAYED_DRIVER, [claim]);
  const milliseconds = performance.now() - start;
  const { error } = claims[claim.uid];
  if (error !== '') throw new Error(`${call} of ${claim.name}: ${error}`);
  return milliseconds;
}

/**
 * `width` calls at once, on as many devices, again and again: the times of all prepares and of all unprepares, and of calls that ask for nothing to be done,
 * since their claims are given back already.
 */
async function bursts(kubelet, width, count, firstCycle = 0, pause = 0) {
  const times = { prepare: [], unprepare: [], nothing: [] };
  for (let cycle = 0; cycle * width < count; cycle++) {
    await sleep(pause);
    const claims = Array.from({ length: width }, (_, device) => claimOf(device, firstCycle + cycle));
    for (const [time, call] of [['prepare', 'prepare'], ['unprepare', 'unprepare'], ['nothing', 'unprepare']]) {
      times[time].push(...(await Promise.all(claims.map(claim => timed(kubelet, call, claim)))));
    }
  }
  return times;
}

/** Calls through the socket; the answer is by width: times of prepares. */
export function prepareTimes(api, side, program, widths) {
  return onNode(api, side, { devices: 64 }, program, async ({ node, start }) => {
    start();
    await node.registered();
    await untilSo('slices', async () => (await api.ask('slices')).length > 0);
    // The first ones compile the code that the others run.
    await bursts(node.kubelet, 64, 1280);
    await sleep(FORGOTTEN);
    const times = {};
    let cycle = 1000;
    for (const [width, { count, pause }] of Object.entries(widths)) {
      times[width] = await bursts(node.kubelet, Number(width), count, cycle, pause);
      cycle += 10_000;
    }
    return times;
  });
}

/** 64 claims on 64 devices whose hardware takes 200 ms, until the last answer. */
export function slowHardware(api, side, program) {
  return onNode(api, side, { devices: 64, delay: 200 }, program, async ({ node, start }) => {
    start();
    await node.registered();
    await untilSo('slices', async () => (await api.ask('slices')).length > 0);
    await timed(node.kubelet, 'prepare', claimOf(0, 0));
    await timed(node.kubelet, 'unprepare', claimOf(0, 0));
    const begun = performance.now();
    await Promise.all(Array.from({ length: 64 }, (_, device) => timed(node.kubelet, 'prepare', claimOf(device, 1))));
    return performance.now() - begun;
  });
}

/** From the start of the process until kubelet has the driver, with 128 claims that it prepared before. */
export function restart(api, side, program) {
  return onNode(api, side, { devices: 128 }, program, async ({ node, start }) => {
    const first = start();
    await node.registered();
    await untilSo('slices', async () => (await api.ask('slices')).length > 0);
    for (const part of [0, 64]) await Promise.all(Array.from({ length: 64 }, (_, device) => timed(node.kubelet, 'prepare', claimOf(part + device, 0))));
    await first.end();
    await untilSo('kubelet forgets the driver', () => node.kubelet.registered.length === 0);
    const begun = performance.now();
    start();
    await node.registered();
    const registered = performance.now() - begun;
    // The records are open when a call is answered.
    await timed(node.kubelet, 'unprepare', claimOf(127, 0));
    return { registered, serving: performance.now() - begun };
  });
}

/** Resident memory at the start and after so many cycles of prepare and unprepare, eight at a time; in the end also what is not of its program. */
export function memory(api, side, program, points) {
  return onNode(api, side, { devices: 64 }, program, async ({ node, start }) => {
    const driver = start();
    await node.registered();
    await untilSo('slices', async () => (await api.ask('slices')).length > 0);
    const resident = { 0: driver.residentBytes() / MIB };
    let done = 0;
    for (const point of points) {
      await bursts(node.kubelet, 8, point - done, done);
      done = point;
      resident[point] = driver.residentBytes() / MIB;
    }
    return { resident, own: driver.residentBytes({ own: true }) / MIB };
  });
}

/** Percent of one processor while nothing happens. */
export function idle(api, side, program, seconds) {
  return onNode(api, side, { devices: 64 }, program, async ({ node, start }) => {
    const driver = start();
    await node.registered();
    await timed(node.kubelet, 'prepare', claimOf(0, 0));
    // Until Node has tidied up after the start.
    await sleep(20_000);
    const before = driver.processorMilliseconds();
    await sleep(seconds * 1000);
    return (driver.processorMilliseconds() - before) / (seconds * 10);
  });
}

/** A kubelet that starts removes the slices of its node; somebody else may remove one at any time. */
export function slicesBack(api, side, program) {
  return onNode(api, side, { devices: 64 }, program, async ({ node, start }) => {
    start();
    await node.registered();
    await untilSo('slices', async () => (await api.ask('slices')).length > 0);
    // What was just published is looked at more closely than later.
    await sleep(3000);
    await api.ask('removeSlices');
    const deleted = await untilSo('the slice is back', async () => (await api.ask('slices')).length > 0);
    await sleep(3000);
    await node.kubelet.stop();
    const begun = performance.now();
    await api.ask('removeSlices');
    node.kubelet.start();
    await untilSo('the slices are back', async () => (await api.ask('slices')).length > 0);
    return { deleted, restarted: performance.now() - begun };
  });
}

/** Writes for 1,024 devices: at the first start, and at the next when nothing changed. */
export function publishing(api, side, program) {
  return onNode(api, side, { devices: 1024 }, program, async ({ node, start }) => {
    await api.ask('sliceWrites');
    const first = start();
    await node.registered();
    const offered = async () => (await api.ask('slices')).reduce((sum, devices) => sum + devices, 0);
    await untilSo('all devices are offered', async () => (await offered()) === 1024);
    await sleep(1000);
    const slices = (await api.ask('slices')).length;
    const writes = await api.ask('sliceWrites');
    await first.end();
    start();
    await node.registered();
    await sleep(3000);
    return { slices, writes, again: await api.ask('sliceWrites') };
  });
}

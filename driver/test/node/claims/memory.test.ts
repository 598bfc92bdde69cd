import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ownerLabel } from 'cdk8s-dra/model';

import { claimName } from './kit/agent-under-test.js';
import { claimObject, DRIVER, NODE } from './kit/fake-cluster.js';
import { ArrivalOrder } from '../../../src/node/claims/arrival-order.js';
import { DEFAULT_TIMES } from '../../../src/node/claims/claim-times.js';
import { SYSTEM_CLOCK } from '../../../src/node/claims/clock.js';
import { lookAtClaim, readClaim } from '../../../src/node/claims/read-claim.js';
import type { ReadOptions } from '../../../src/node/claims/read-claim.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const CYCLES = 2000;
/** Bytes a cycle may leave behind; a listener at a signal that nobody aborts leaves more than a thousand. */
const MOST = 800;

async function left(cycle: () => Promise<unknown>): Promise<number> {
  const heap = async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  // What is made once is made now.
  for (let count = 0; count < 200; count++) await cycle();
  const before = await heap();
  for (let count = 0; count < CYCLES; count++) await cycle();
  return (await heap() - before) / CYCLES;
}

const name = claimName('aaa');
const object = claimObject(name, [{ device: 'gpu-0' }]);
const options: ReadOptions = {
  reader: { claim: async () => object, node: async () => ({ metadata: { labels: { [ownerLabel('gpu')]: 'dra' } } }) },
  clock: SYSTEM_CLOCK,
  random: () => 0.5,
  timeout: 10_000,
  backoff: DEFAULT_TIMES.readBackoff,
  driver: DRIVER,
  node: NODE,
  family: 'gpu',
};

test('a look at a claim leaves nothing behind at the signal of the agent\'s life, which ends with the agent', async () => {
  const life = new AbortController();

  expect(await left(async () => lookAtClaim(name, life.signal, options))).toBeLessThan(MOST);
});

test('a read of a claim leaves nothing behind for a call that nobody gave up', async () => {
  expect(await left(async () => readClaim(name, AbortSignal.any([new AbortController().signal]), options))).toBeLessThan(MOST);
});

test('a call that waited for its turn leaves nothing behind', async () => {
  const order = new ArrivalOrder();

  expect(await left(async () => {
    const { signal } = new AbortController();
    await Promise.all([
      order.prepare('aaa', signal, async () => Promise.resolve()),
      order.prepare('aaa', signal, async () => Promise.resolve()),
    ]);
  })).toBeLessThan(MOST);
});

import fc from 'fast-check';

import { settled } from './kit/test-clock.js';
import { ArrivalOrder, TurnLostError } from '../../../src/node/claims/arrival-order.js';
import { pauseAfter } from '../../../src/node/claims/backoff.js';
import { PartOrder } from '../../../src/node/claims/part-order.js';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  return { opened: new Promise((resolve) => (open = resolve)), open: () => open() };
}

describe('arrival order', () => {
  test('calls of one claim follow each other, calls of others do not wait, and nothing is remembered of what is done', async () => {
    const order = new ArrivalOrder();
    const log: string[] = [];
    const gates = [gate(), gate()];
    const first = order.prepare('a', never, async () => { log.push('a1'); await gates[0]!.opened; });
    const second = order.prepare('a', never, async () => { log.push('a2'); await gates[1]!.opened; });
    await order.prepare('b', never, async () => { log.push('b'); });
    await settled();
    expect(log).toEqual(['a1', 'b']);
    gates[0]!.open();
    await first;
    await settled();
    expect(log).toEqual(['a1', 'b', 'a2']);
    gates[1]!.open();
    await second;
    expect(order.busy).toBe(0);
  });

  test('a call that nobody is before begins in the same step', () => {
    let begun = false;
    void new ArrivalOrder().giveBack('a', never, async () => { begun = true; });
    expect(begun).toBe(true);
  });

  test('a failed call holds nobody up', async () => {
    const order = new ArrivalOrder();
    const failed = order.prepare('a', never, async () => { throw new Error('x'); });
    const next = order.prepare('a', never, async () => 'done');
    await expect(failed).rejects.toThrow('x');
    expect(await next).toBe('done');
  });

  test('who gives up waiting leaves his place without letting others pass those before him', async () => {
    const order = new ArrivalOrder();
    const first = gate();
    const log: string[] = [];
    void order.prepare('a', never, async () => { await first.opened; log.push('first'); });
    const leave = new AbortController();
    const second = order.prepare('a', leave.signal, async () => { log.push('second'); });
    const third = order.prepare('a', never, async () => { log.push('third'); });
    leave.abort();
    await expect(second).rejects.toThrow(TurnLostError);
    await settled();
    expect(log).toEqual([]);
    first.open();
    await third;
    expect(log).toEqual(['first', 'third']);
  });

  test('giving back tells who is under way, sends away who waits, and does not touch who comes later', async () => {
    const order = new ArrivalOrder();
    const first = gate();
    let overtaken = false;
    const underWay = order.prepare('a', never, async (turn) => { await first.opened; overtaken = turn.overtaken.aborted; });
    const waiting = order.prepare('a', never, async () => 'never');
    const back = order.giveBack('a', never, async (turn) => turn.arrival);
    const later = order.prepare('a', never, async (turn) => [turn.arrival, turn.overtaken.aborted]);
    await expect(waiting).rejects.toThrow(TurnLostError);
    first.open();
    await underWay;
    expect([overtaken, await back, await later]).toEqual([true, 3, [4, false]]);
  });

  test('all idle means that also calls which came meanwhile have ended', async () => {
    const order = new ArrivalOrder();
    const first = gate();
    let isDone = false;
    void order.prepare('a', never, async () => first.opened);
    const idle = order.allIdle();
    void order.prepare('b', never, async () => { await settled(); isDone = true; });
    first.open();
    await idle;
    expect(isDone).toBe(true);
  });
});

test('work on parts never overlaps on a part, follows its arrival there, and always ends', async () => {
  const job = fc.record({ parts: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }), turns: fc.nat(5), fails: fc.boolean() });
  await fc.assert(fc.asyncProperty(fc.array(job, { maxLength: 20 }), async (all) => {
    const order = new PartOrder();
    const busy = new Map<number, number>();
    const arrived = new Map<number, number>();
    const run = all.map(async ({ parts, turns, fails }, index) => order.run(parts.map(String), async () => {
      for (const part of parts) {
        expect(busy.get(part)).toBeUndefined();
        expect(arrived.get(part) ?? -1).toBeLessThan(index);
        busy.set(part, index);
        arrived.set(part, index);
      }
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => { setImmediate(resolve); });
      for (const part of parts) busy.delete(part);
      if (fails) throw new Error('it failed');
    }));
    const results = await Promise.allSettled(run);
    expect(results.map(({ status }) => status)).toEqual(all.map(({ fails }) => fails ? 'rejected' : 'fulfilled'));
  }), { numRuns: 100 });
});

test('pauses grow up to a cap, and chance only ever makes them shorter', () => {
  const policy = { first: 200, factor: 2, cap: 3000, jitter: 0.25 };
  expect([1, 2, 3, 4, 5, 6, 1000].map((failures) => pauseAfter(failures, policy, () => 0))).toEqual([200, 400, 800, 1600, 3000, 3000, 3000]);
  fc.assert(fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
    const full = pauseAfter(failures, policy, () => 0);
    const pause = pauseAfter(failures, policy, () => chance);
    expect(pause).toBeLessThanOrEqual(full);
    expect(pause).toBeGreaterThanOrEqual(full * 0.75);
  }));
});

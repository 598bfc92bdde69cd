import type { Account } from './account.js';
import type { ArrivalOrder } from './arrival-order.js';
import { pauseAfter } from './backoff.js';
import type { BackoffPolicy } from './backoff.js';
import type { ClaimObserver } from './claim-observer.js';
import type { ClaimStore } from './claim-store.js';
import type { Clock } from './clock.js';
import type { DeviceWork } from './device-work.js';
import { asFailure } from './failure.js';
import type { ClaimRecord } from './record/claim-record.js';
import { fileName } from './record/record-name.js';
import type { RecordName } from './record/record-name.js';
import type { ReleaseClaim } from './release-claim.js';

export interface CleanUpOptions {
  readonly account: Account;
  readonly store: ClaimStore;
  readonly order: ArrivalOrder;
  readonly release: ReleaseClaim;
  readonly devices: DeviceWork;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: ClaimObserver;
  readonly backoff: BackoffPolicy;
}

/**
 * Finishes what nobody else finishes: claims that a crash or a full disk left half done, and devices that could not be cleaned.
 *
 * It stands in the same line as kubelet's calls. Each failure makes the pause before the next try longer.
 */
export class CleanUp {
  private readonly tries = new Map<string, { readonly failures: number; readonly notBefore: number }>();

  public constructor(private readonly options: CleanUpOptions) {}

  /** One pass over what is due. */
  public async run(signal: AbortSignal): Promise<void> {
    const { account, order } = this.options;
    const halfDone = account.records.filter(({ uid, state }) => (state === 'preparing' || state === 'releasing') && !order.isBusy(uid));
    const due = [
      ...halfDone.map((record) => ({ key: record.uid, work: async () => this.finish(record, signal) })),
      ...account.unclean.map(({ name, record }) => ({ key: fileName(name), work: async () => this.clean(name, record) })),
    ].filter(({ key }) => (this.tries.get(key)?.notBefore ?? 0) <= this.options.clock.monotonic());
    const left = new Set([...account.records.map(({ uid }) => uid), ...account.unclean.map(({ name }) => fileName(name))]);
    for (const key of [...this.tries.keys()]) if (!left.has(key)) this.tries.delete(key);
    await Promise.all(due.map(async ({ key, work }) => this.attempt(key, work)));
  }

  private async finish(record: ClaimRecord, signal: AbortSignal): Promise<void> {
    const { order, account, release } = this.options;
    await order.giveBack(record.uid, signal, async () => {
      // A call of kubelet may have been faster.
      if (account.record(record.uid) === record) await release.release(record, 'clean-up');
    });
  }

  private async clean(name: RecordName, record: ClaimRecord): Promise<void> {
    const { devices, store, order, observer } = this.options;
    await order.inTurn(uncleanLane(name), async () => {
      for (const device of record.devices) await devices.undo(record.uid, device, 'clean-up');
      await store.forgetUnclean(name);
    });
    observer.noticed({ message: `device ${record.devices.map(({ device }) => device).join(', ')} is clean again`, claim: record, devices: record.devices.map(({ device }) => device) });
  }

  private async attempt(key: string, work: () => Promise<void>): Promise<void> {
    const { clock, random, backoff } = this.options;
    try {
      await work();
      this.tries.delete(key);
    } catch (error) {
      const failures = (this.tries.get(key)?.failures ?? 0) + 1;
      this.tries.set(key, { failures, notBefore: clock.monotonic() + pauseAfter(failures, backoff, random) });
      const { code, message } = asFailure(error, 'DRA359');
      // Told at the first failure and then ever more rarely.
      if (Number.isInteger(Math.log2(failures))) this.options.observer.noticed({ code, message: `not cleaned up after ${failures} tries: ${message}` });
    }
  }
}

/** What was left behind is not the claim's business any more, which may be used again. */
export function uncleanLane(name: RecordName): string {
  return `unclean/${fileName(name)}`;
}

import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';

import { failureOf } from 'cdk8s-dra/model';

import type { Inventory } from '../../devices/inventory.js';
import type { NodeFailure } from '../../devices/node-failure.js';
import type { Followed, Isolation } from '../device-state.js';
import { FollowedValue } from '../followed-value.js';
import type { Account } from './account.js';
import { pauseAfter } from './backoff.js';
import type { BackoffPolicy } from './backoff.js';
import type { Clock } from './clock.js';

export interface RestPolicy {
  /** Failures one after another until a device rests. */
  readonly after: number;
  readonly backoff: BackoffPolicy;
}

/** Devices that get no new work because of what happened to claims: left unclean, held in doubt, or failing again and again. */
export class ClaimIsolations {
  private readonly value = new FollowedValue<readonly Isolation[]>([]);
  private readonly streaks = new Map<string, Streak>();
  private readonly stopped = new AbortController();

  public constructor(
    private readonly account: Account,
    private readonly inventory: Followed<Inventory>,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly rest: RestPolicy,
  ) {
    // One for each device that rests; Node would warn of a leak on standard error, which is JSON lines.
    setMaxListeners(0, this.stopped.signal);
    const stops = [account.held.follow(() => this.tell()), inventory.follow(() => this.tell())];
    this.stopped.signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  }

  /** For others; changes are told a moment after they happened. */
  public get followed(): Followed<readonly Isolation[]> {
    return this.value;
  }

  /** At this very moment, one a device at most; a doubt does not stand in the way of the claim that it is about. */
  public now(exceptUid?: string): readonly Isolation[] {
    const found = new Map<string, Isolation>();
    const add = (isolation: Isolation) => {
      if (!found.has(isolation.device)) found.set(isolation.device, isolation);
    };
    for (const { record } of this.account.unclean) {
      for (const { device, unclean } of record.devices) {
        if (unclean === undefined) continue;
        add({ device, ...unclean, message: `left unclean by claim ${record.namespace}/${record.name}: ${unclean.message}` });
      }
    }
    for (const { uid, devices, code, message, since } of this.account.inDoubt) {
      if (uid !== undefined && uid === exceptUid) continue;
      const free = () => this.inventory.current.devices.map(({ name }) => name).filter((name) => this.account.holders(name).length === 0);
      for (const device of devices ?? free()) {
        add({ device, code, message, since });
      }
    }
    for (const { isolation, until } of this.streaks.values()) if (isolation !== undefined && this.clock.monotonic() < until) add(isolation);
    return [...found.values()].sort((a, b) => (a.device < b.device ? -1 : 1));
  }

  /** How a device fared with a claim. A device that fails again and again would take every pod of a queue, since it is always free. */
  public fared(device: string, failed: NodeFailure | undefined): void {
    if (failed === undefined) {
      if (this.streaks.delete(device)) this.tell();
      return;
    }
    if (failureOf(failed.code).told !== 'hardware') return;
    const failures = (this.streaks.get(device)?.failures ?? 0) + 1;
    if (failures < this.rest.after) {
      this.streaks.set(device, { failures, until: 0 });
      return;
    }
    const pause = pauseAfter(failures - this.rest.after + 1, this.rest.backoff, this.random);
    const message = `failed ${failures} claims one after another, rests for ${Math.ceil(pause / 1000)} s; last ${failed.code} ${failed.message}`;
    this.streaks.set(device, { failures, until: this.clock.monotonic() + pause, isolation: { device, code: 'DRA339', message, since: this.clock.now().toISOString() } });
    this.tell();
    void this.clock.sleep(pause, this.stopped.signal).then(() => this.tell());
  }

  public stop(): void {
    this.stopped.abort();
  }

  private tell(): void {
    if (this.stopped.signal.aborted) return;
    const now = this.now();
    if (!isDeepStrictEqual(now, this.value.current)) this.value.set(now);
  }
}

interface Streak {
  readonly failures: number;
  /** Monotonic. */
  readonly until: number;
  readonly isolation?: Isolation;
}

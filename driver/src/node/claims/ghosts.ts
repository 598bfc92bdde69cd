import type { ClaimName } from '../claim-service.js';
import type { Account } from './account.js';
import type { ArrivalOrder } from './arrival-order.js';
import type { ClaimObserver } from './claim-observer.js';
import type { Clock } from './clock.js';
import { lookAtClaim } from './read-claim.js';
import type { ReadOptions } from './read-claim.js';
import type { ClaimRecord } from './record/claim-record.js';

export interface GhostOptions {
  readonly account: Account;
  readonly order: ArrivalOrder;
  readonly read: ReadOptions;
  readonly clock: Clock;
  readonly observer: ClaimObserver;
  /** Milliseconds between the first look that found the claim gone and the undoing; longer than kubelet needs by itself. */
  readonly grace: number;
  /** Whether a pod here still has the claim, as kubelet says; undefined when it cannot be told, which keeps the claim. */
  readonly inUse: (claim: ClaimName) => Promise<boolean | undefined>;
  /** As kubelet would have asked. */
  readonly giveBack: (record: ClaimRecord) => Promise<void>;
}

/**
 * Records whose claim is gone at the API server: deleted, replaced under its name, or without devices here.
 *
 * Kubelet asks back what it knows of. What it never knew, or forgot, would stay held for ever. A claim is judged by its UID, and by answers only:
 * an API server that does not answer, or refuses, proves nothing.
 */
export class Ghosts {
  /** When a claim was first found gone; monotonic. */
  private readonly missing = new Map<string, { readonly record: ClaimRecord; readonly since: number }>();

  /** Claim that was looked at last. */
  private last: string | undefined;

  public constructor(private readonly options: GhostOptions) {}

  /** Claims that were found gone and wait for the end of the grace time. */
  public get suspects(): readonly ClaimRecord[] {
    return [...this.missing.values()].map(({ record }) => record);
  }

  public async look(signal: AbortSignal): Promise<void> {
    const { account, clock, read } = this.options;
    const begun = clock.monotonic();
    for (const uid of [...this.missing.keys()]) if (account.record(uid) === undefined) this.missing.delete(uid);
    for (const record of this.inTurn(account.records)) {
      if (signal.aborted) return;
      if (record.state !== 'prepared' && record.state !== 'adopted') continue;
      await this.lookAt(record, signal);
      this.last = record.uid;
      // Other work waits for this look, and a server that answers nothing would take its full time for each claim.
      if (clock.monotonic() - begun >= read.timeout) return;
    }
  }

  /** Those first that the look before did not come to. */
  private inTurn(records: readonly ClaimRecord[]): readonly ClaimRecord[] {
    const next = records.findIndex(({ uid }) => uid === this.last) + 1;
    return [...records.slice(next), ...records.slice(0, next)];
  }

  private async lookAt(record: ClaimRecord, signal: AbortSignal): Promise<void> {
    const { account, order, read, clock, observer, grace, inUse, giveBack } = this.options;
    const { uid } = record;
    let claim: unknown;
    try {
      claim = await lookAtClaim(record, signal, read);
    } catch {
      return;
    }
    const why = goneBecause(claim, record, read);
    const suspect = this.missing.get(uid);
    if (why === undefined) {
      this.missing.delete(uid);
    } else if (suspect === undefined || suspect.record !== record) {
      this.missing.set(uid, { record, since: clock.monotonic() });
      observer.noticed({ code: 'DRA326', message: `${why}; its devices are given back in ${grace / 1000} s`, claim: record, devices: record.devices.map(({ device }) => device) });
    } else if (clock.monotonic() - suspect.since >= grace && await inUse(record) === false) {
      // Whatever happened while it was looked at counts: a call for the claim, or another record.
      if (order.isBusy(uid) || account.record(uid) !== record) return;
      this.missing.delete(uid);
      await giveBack(record);
    }
  }
}

/** Why no pod can have the claim here any more; undefined when one can. */
function goneBecause(claim: unknown, record: ClaimRecord, { driver }: Pick<ReadOptions, 'driver'>): string | undefined {
  if (claim === undefined) return 'the claim is gone';
  const { metadata, status } = claim as ClaimObject;
  if (metadata?.uid !== record.uid) return `another claim has its name (UID ${metadata?.uid ?? 'unknown'})`;
  const results = status?.allocation?.devices?.results ?? [];
  const isHere = record.devices.some(({ device, pool }) => {
    return results.some((result) => result.driver === driver && result.pool === pool && result.device === device);
  });
  return isHere ? undefined : 'the claim has no device here any more';
}

/** As far as it is looked at; anything else in it only makes the claim a living one. */
interface ClaimObject {
  readonly metadata?: { readonly uid?: string };
  readonly status?: { readonly allocation?: { readonly devices?: { readonly results?: readonly ResultObject[] } } };
}

interface ResultObject {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
}

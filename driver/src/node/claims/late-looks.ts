import { setMaxListeners } from 'node:events';

import type { ClaimName } from '../claim-service.js';
import { onAbort } from '../on-abort.js';
import type { Account } from './account.js';
import type { Notice } from './claim-observer.js';
import type { Clock } from './clock.js';
import { lookAtClaim } from './read-claim.js';
import type { ReadOptions } from './read-claim.js';

export interface LateLookOptions {
  readonly account: Account;
  readonly read: ReadOptions;
  readonly clock: Clock;
  /** Milliseconds until whoever has ended is off the list of a claim's users. */
  readonly settle: number;
  readonly notice: (notice: Notice) => void;
}

/**
 * A look at claims some time after they were given back.
 *
 * Kubelet gives a claim back when its last pod has ended, and has been seen to do so for a claim that another pod was using. It is obeyed at
 * once, and this look, which nobody waits for and which may fail, tells. At the time of the call the pod that ended is still listed, hence the delay.
 */
export class LateLooks {
  private readonly pending = new Map<string, AbortController>();

  public constructor(private readonly options: LateLookOptions) {}

  public schedule(claim: ClaimName, stopped: AbortSignal): void {
    this.pending.get(claim.uid)?.abort();
    if (this.pending.size >= MOST_PENDING) return;
    const cancel = new AbortController();
    setMaxListeners(0, stopped);
    const stop = onAbort(stopped, () => cancel.abort());
    this.pending.set(claim.uid, cancel);
    void this.look(claim, cancel.signal).catch(() => undefined).finally(() => {
      stop();
      if (this.pending.get(claim.uid) === cancel) this.pending.delete(claim.uid);
    });
  }

  private async look(name: ClaimName, signal: AbortSignal): Promise<void> {
    const { account, read, clock, settle, notice } = this.options;
    await clock.sleep(settle, signal);
    if (signal.aborted || account.record(name.uid) !== undefined) return;
    const claim = await lookAtClaim(name, signal, read) as ClaimObject | undefined;
    if (claim?.metadata?.uid !== name.uid || account.record(name.uid) !== undefined) return;
    const users = (claim.status?.reservedFor ?? []).map((user) => user.name ?? '');
    if (users.length === 0) return;
    const shown = users.slice(0, MOST_NAMED).join(', ');
    notice({ code: 'DRA327', message: `it was given back at kubelet's word ${settle / 1000} s ago and is still reserved for ${shown}`, claim: name });
  }
}

const MOST_PENDING = 256;
const MOST_NAMED = 8;

interface ClaimObject {
  readonly metadata?: { readonly uid?: string };
  readonly status?: { readonly reservedFor?: readonly { readonly name?: string }[] };
}

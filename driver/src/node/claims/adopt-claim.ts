import type { DeviceBackend } from '../../devices/backend.js';
import type { ClaimName } from '../claim-service.js';
import type { Doubt } from './account.js';
import { allocatedClaim } from './allocation.js';
import type { ClaimStore } from './claim-store.js';
import type { Clock } from './clock.js';
import { failure } from './failure.js';
import { judge } from './judge.js';
import type { NodeView } from './judge.js';
import { lookAtClaim } from './read-claim.js';
import type { ReadOptions } from './read-claim.js';
import type { ClaimRecord } from './record/claim-record.js';
import type { Quarantine } from './record/quarantine.js';

export interface AdoptOptions {
  readonly store: ClaimStore;
  readonly quarantine: Quarantine;
  readonly backend: DeviceBackend;
  readonly read: ReadOptions;
  readonly bootId: string;
  readonly clock: Clock;
  readonly view: (uid: string) => NodeView;
}

/**
 * Makes the record of a claim anew from the claim itself, after the old one was lost.
 *
 * What a backend would do now is what it did then only for a device that is taken whole: a share may have got any free piece. So shares are
 * never adopted.
 */
export class AdoptClaim {
  public constructor(private readonly options: AdoptOptions) {}

  /** Within the turn of the claim. Throws a NodeFailure when the claim stays in doubt. */
  public async adopt(doubt: Doubt, name: ClaimName, signal: AbortSignal): Promise<ClaimRecord> {
    const { store, quarantine, backend, read, bootId, clock, view } = this.options;
    const claim = await lookAtClaim(name, signal, read);
    const uid = (claim as { readonly metadata?: { readonly uid?: unknown } } | undefined)?.metadata?.uid;
    if (uid !== name.uid) throw failure(doubt.code, `${doubt.message}, and there is no such claim any more from which it could be made anew`);
    const { devices, podClaimName } = allocatedClaim(claim, read);
    const share = devices.find(({ shareId }) => shareId !== undefined);
    if (share !== undefined) throw failure(doubt.code, `${doubt.message}, and which share of device ${share.device} it has cannot be told without`);
    const unnamed = doubt.devices?.find((device) => !devices.some((allocated) => allocated.device === device));
    if (unnamed !== undefined) throw failure(doubt.code, `${doubt.message}, and names device ${unnamed}, which the claim does not have`);
    const planned = judge(name, devices, view(name.uid), backend);
    const record: ClaimRecord = {
      uid: name.uid,
      namespace: name.namespace,
      name: name.name,
      ...(podClaimName === undefined ? {} : { podClaimName }),
      state: 'adopted',
      bootId,
      since: clock.now().toISOString(),
      devices: planned.map(({ recorded }) => recorded),
    };
    await store.take(record);
    await quarantine.resolve(name.uid);
    return record;
  }
}

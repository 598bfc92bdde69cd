import { setMaxListeners } from 'node:events';

import { NodeFailure } from '../../devices/node-failure.js';
import type { ClaimCdi } from '../cdi/claim-cdi.js';
import type { AnsweredDevice, ClaimName, ClaimService, PrepareAnswer, UnprepareAnswer } from '../claim-service.js';
import type { Account, Doubt } from './account.js';
import type { AdoptClaim } from './adopt-claim.js';
import { ArrivalOrder, TurnLostError } from './arrival-order.js';
import type { Turn } from './arrival-order.js';
import { claimNameProblem } from './claim-name.js';
import type { ClaimObserver, ClaimOperation, Outcome } from './claim-observer.js';
import type { Clock } from './clock.js';
import { asFailure, failure, textForKubelet } from './failure.js';
import type { LateLooks } from './late-looks.js';
import type { WritingTime } from './lock/writing-time.js';
import { refuseGivenUp } from './prepare-claim.js';
import type { PrepareClaim } from './prepare-claim.js';
import type { ClaimRecord } from './record/claim-record.js';
import { isClaimUid } from './record/claim-uid.js';
import type { Quarantine } from './record/quarantine.js';
import type { ReleaseClaim } from './release-claim.js';

/** Told of what becomes of claims, to write it into their status: each time, so that who writes keeps count. Calls return at once and never throw. */
export interface ClaimStatusSink {
  prepared(record: ClaimRecord): void;
  failed(claim: ClaimName, failed: NodeFailure): void;
  /** Given back; no container uses its devices any more. */
  released(record: ClaimRecord): void;
}

export interface NodeClaimsOptions {
  readonly account: Account;
  readonly order: ArrivalOrder;
  readonly prepare: PrepareClaim;
  readonly release: ReleaseClaim;
  readonly adopt: AdoptClaim;
  readonly quarantine: Quarantine;
  readonly lateLooks: LateLooks;
  readonly writing: WritingTime;
  readonly cdi: ClaimCdi;
  readonly clock: Clock;
  readonly observer: ClaimObserver;
  readonly status: ClaimStatusSink;
}

/** Kubelet's calls: each claim in its turn, and only while this agent is the one that writes. */
export class NodeClaims implements ClaimService {
  public constructor(private readonly options: NodeClaimsOptions) {}

  public async prepare(claims: readonly ClaimName[], signal: AbortSignal): Promise<ReadonlyMap<string, PrepareAnswer>> {
    return this.forEach(claims, signal, async (claim) => this.prepareOne(claim, signal));
  }

  public async unprepare(claims: readonly ClaimName[], signal: AbortSignal): Promise<ReadonlyMap<string, UnprepareAnswer>> {
    return this.forEach(claims, signal, async (claim) => this.unprepareOne(claim, signal));
  }

  /** As kubelet would ask; for claims that are gone. */
  public async giveBackGhost(record: ClaimRecord): Promise<void> {
    const { order, account, release, observer } = this.options;
    const never = new AbortController().signal;
    try {
      await this.told('ghost', record, async () => order.giveBack(record.uid, never, async () => {
        if (account.record(record.uid) === record) await release.release(record, 'ghost');
        return 'ok' as const;
      }));
      observer.noticed({ message: 'its devices were given back, since the claim is gone', claim: record, devices: record.devices.map(({ device }) => device) });
    } catch {
      // Told already; the clean-up goes on with it.
    }
  }

  private async forEach<A>(
    claims: readonly ClaimName[], signal: AbortSignal, answer: (claim: ClaimName) => Promise<A>,
  ): Promise<ReadonlyMap<string, A>> {
    const unique = [...new Map(claims.map((claim) => [claim.uid, claim])).values()];
    // A listener or two for each claim of the call is no leak.
    setMaxListeners(0, signal);
    // All enter their lines in this very step: this is their order of arrival.
    return new Map(await Promise.all(unique.map(async (claim) => [claim.uid, await answer(claim)] as const)));
  }

  private async prepareOne(claim: ClaimName, signal: AbortSignal): Promise<PrepareAnswer> {
    const { order, cdi, status } = this.options;
    try {
      let record: ClaimRecord | undefined;
      await this.told('prepare', claim, async () => {
        const problem = claimNameProblem(claim);
        if (problem !== undefined) throw failure('DRA310', problem);
        return order.prepare(claim.uid, signal, async (turn) => {
          const prepared = await this.prepareInTurn(claim, turn);
          ({ record } = prepared);
          return prepared.repeated ? 'repeated' : 'ok';
        });
      });
      status.prepared(record!);
      return { devices: record!.devices.map((device) => answered(record!, device, cdi)) };
    } catch (error) {
      const failed = asFailure(error, 'DRA300');
      if (failed.code !== 'DRA319' && failed.code !== 'DRA303') {
        status.failed(claim, failed);
      }
      return { error: textForKubelet(failed) };
    }
  }

  private async prepareInTurn(claim: ClaimName, turn: Turn): ReturnType<PrepareClaim['prepare']> {
    const { writing, account, adopt, prepare, quarantine } = this.options;
    await writing.begun(turn.givenUp);
    refuseGivenUp(turn);
    const doubt = account.inDoubt.find(({ uid }) => uid === claim.uid);
    // Containers may be using what its lost record named, so it is made anew as it was and not as anything else.
    if (doubt?.isOfThisBoot && account.record(claim.uid) === undefined) await adopt.adopt(doubt, claim, turn.givenUp);
    const prepared = await prepare.prepare(claim, turn);
    if (doubt !== undefined) await quarantine.resolve(claim.uid);
    return prepared;
  }

  private async unprepareOne(claim: ClaimName, signal: AbortSignal): Promise<UnprepareAnswer> {
    // No record can be of it, and a pod must not hang for it.
    if (!isClaimUid(claim.uid)) return {};
    try {
      await this.told('unprepare', claim, async () => this.options.order.giveBack(claim.uid, signal, async () => this.unprepareInTurn(claim, signal)));
      return {};
    } catch (error) {
      return { error: textForKubelet(asFailure(error, 'DRA300')) };
    }
  }

  private async unprepareInTurn(claim: ClaimName, signal: AbortSignal): Promise<Outcome | NodeFailure> {
    const { writing, account, release, lateLooks, status } = this.options;
    await writing.begun(signal);
    const record = account.record(claim.uid);
    if (record === undefined) {
      await this.recover(claim, signal);
      return 'repeated';
    }
    const unclean = await release.release(record, 'unprepare');
    status.released(record);
    if (record.state !== 'preparing') lateLooks.schedule(claim, writing.ended);
    // A pod does not hang for a device that stays dirty: the device is kept from everybody instead.
    return unclean[0]?.failure ?? 'ok';
  }

  /**
   * No pod uses it any more, so what its lost record named can be cleaned, if the claim still tells what that was.
   *
   * Once kubelet has its answer the claim may be deleted at any moment, so it is read before, but not waited for long.
   */
  private async recover(claim: ClaimName, signal: AbortSignal): Promise<void> {
    const { account, clock } = this.options;
    const doubt = account.inDoubt.find(({ uid }) => uid === claim.uid);
    if (doubt === undefined || claimNameProblem(claim) !== undefined) return;
    const [late, over] = [new AbortController(), new AbortController()];
    void clock.sleep(RECOVERY_PATIENCE, over.signal).then(() => late.abort());
    try {
      await this.recoverFrom(doubt, claim, AbortSignal.any([signal, late.signal]));
    } catch {
      this.recoverLater(doubt, claim);
    } finally {
      over.abort();
    }
  }

  private async recoverFrom(doubt: Doubt, claim: ClaimName, signal: AbortSignal): Promise<void> {
    await this.options.release.release(await this.options.adopt.adopt(doubt, claim, signal), 'clean-up');
  }

  private recoverLater(doubt: Doubt, claim: ClaimName): void {
    const { account, order, writing, observer } = this.options;
    void this.told('clean-up', claim, async () => order.inTurn(claim.uid, async () => {
      if (account.record(claim.uid) !== undefined || !account.inDoubt.includes(doubt)) return 'repeated';
      await this.recoverFrom(doubt, claim, writing.ended);
      return 'ok';
    })).catch((error: unknown) => {
      const { code, message } = asFailure(error, doubt.code);
      observer.noticed({ code, message, claim });
    });
  }

  /** Measures an operation, whatever its end. */
  private async told(operation: ClaimOperation, claim: ClaimName, work: () => Promise<Outcome | NodeFailure>): Promise<void> {
    const { clock, observer } = this.options;
    const { uid, namespace, name } = claim;
    const begun = clock.monotonic();
    const event = () => ({ operation, claim: { uid, namespace, name }, seconds: (clock.monotonic() - begun) / 1000 });
    try {
      const outcome = await work();
      observer.ended({ ...event(), ...(outcome instanceof NodeFailure ? ended(outcome) : { outcome }) });
    } catch (error) {
      const failed = error instanceof TurnLostError ? failure('DRA319', 'the call was given up or the claim given back before its turn came') : asFailure(error, 'DRA300');
      observer.ended({ ...event(), ...ended(failed) });
      throw failed;
    }
  }
}

/** Milliseconds; a pod's end waits for it. */
const RECOVERY_PATIENCE = 3000;

function ended({ failureClass, code, message }: NodeFailure): { readonly outcome: Outcome; readonly code: string; readonly message: string } {
  return { outcome: failureClass, code, message };
}

function answered({ uid }: ClaimRecord, device: ClaimRecord['devices'][number], cdi: ClaimCdi): AnsweredDevice {
  return {
    requestNames: device.requests,
    poolName: device.pool,
    deviceName: device.device,
    cdiDeviceIds: cdi.deviceIds(uid, device),
    ...(device.shareId === undefined ? {} : { shareId: device.shareId }),
  };
}

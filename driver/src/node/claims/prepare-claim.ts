import { isDeepStrictEqual } from 'node:util';

import type { DeviceBackend } from '../../devices/backend.js';
import { NodeFailure } from '../../devices/node-failure.js';
import type { ClaimName } from '../claim-service.js';
import type { AllocatedClaim } from './allocation.js';
import type { ArrivalOrder, Turn } from './arrival-order.js';
import type { ClaimObserver, ClaimStage } from './claim-observer.js';
import type { ClaimStore } from './claim-store.js';
import type { Clock } from './clock.js';
import type { DeviceWork } from './device-work.js';
import { asFailure, failure } from './failure.js';
import { HeldByOthers, judge } from './judge.js';
import type { NodeView, PlannedDevice } from './judge.js';
import { readClaim } from './read-claim.js';
import type { ReadOptions } from './read-claim.js';
import type { ClaimRecord, RecordedDevice } from './record/claim-record.js';
import { shareKey } from './record/claim-record.js';
import type { ReleaseClaim } from './release-claim.js';
import { turnOrLeave } from './turn-or-leave.js';
import { UncleanDevice } from './unclean-device.js';

export interface PrepareOptions {
  readonly store: ClaimStore;
  readonly devices: DeviceWork;
  readonly release: ReleaseClaim;
  readonly order: ArrivalOrder;
  readonly backend: DeviceBackend;
  readonly read: ReadOptions;
  readonly bootId: string;
  readonly clock: Clock;
  readonly observer: ClaimObserver;
  /** As the node is now, for a claim. */
  readonly view: (uid: string) => NodeView;
  /** Throws when nothing new may be begun: another agent writes, or this one ends. */
  readonly mayBegin: () => void;
  /** Whether all device nodes of a prepared claim are there. */
  readonly isWhole: (record: ClaimRecord) => Promise<boolean>;
  /** Told how devices fared, for those that fail again and again. */
  readonly fared: (device: string, failed: NodeFailure | undefined) => void;
}

/** What became of a call: the record that answers it, and whether anything had to be done for it. */
export interface Prepared {
  readonly record: ClaimRecord;
  readonly repeated: boolean;
}

interface Taken {
  readonly record: ClaimRecord;
  readonly planned: readonly PlannedDevice[];
}

/** The steps of making a claim's devices ready; within the turn of the claim. */
export class PrepareClaim {
  public constructor(private readonly options: PrepareOptions) {}

  /** Throws a NodeFailure, after which the claim has nothing, or what a later call or the clean-up finds in its record. */
  public async prepare(name: ClaimName, turn: Turn): Promise<Prepared> {
    const { store } = this.options;
    const existing = store.account.record(name.uid);
    if (existing !== undefined) {
      if (existing.namespace !== name.namespace || existing.name !== name.name) {
        throw failure('DRA310', `claim ${name.namespace}/${name.name} has the UID of claim ${existing.namespace}/${existing.name}`);
      }
      if (existing.state === 'prepared' && existing.bootId === this.options.bootId) this.refuseExchanged(existing);
      if (existing.state === 'prepared' && existing.bootId === this.options.bootId && await this.options.isWhole(existing)) {
        await this.stage('cdi', async () => store.restoreCdi(existing));
        return { record: existing, repeated: true };
      }
      // Half done things are undone before anything is begun anew; what cannot be undone is isolated, and refused below.
      if (existing.state === 'preparing' || existing.state === 'releasing') await this.options.release.release(existing, 'clean-up');
    }
    const claim = await this.stage('read', async () => readClaim(name, turn.givenUp, this.options.read));
    const { record, planned } = await this.take(name, claim, turn);
    return { record: record.state === 'preparing' ? await this.makeReady(record, planned, turn) : await this.makeReadyAgain(record, planned, turn), repeated: false };
  }

  /**
   * Judges and takes in one step, and writes that down: the commit point.
   *
   * A record that containers may be using stays as it is: a claim goes only forward until kubelet asks for it back.
   */
  private async take(name: ClaimName, claim: AllocatedClaim, turn: Turn): Promise<Taken> {
    const { store, view, backend, bootId, clock, mayBegin } = this.options;
    for (;;) {
      refuseGivenUp(turn);
      mayBegin();
      let planned: readonly PlannedDevice[];
      try {
        planned = judge(name, claim.devices, view(name.uid), backend);
      } catch (error) {
        if (!(error instanceof HeldByOthers) || !await this.othersLeft(error, turn)) throw error;
        continue;
      }
      const before = store.account.record(name.uid);
      const isSame = before?.devices.every((device) => planned.some(({ recorded }) => isSameWork(device, recorded)));
      if (before !== undefined && mayBeInUse(before, bootId)) {
        if (isSame && before.devices.length === planned.length) return { record: before, planned };
        const names = before.devices.map(({ device }) => device);
        throw failure('DRA325', `the claim has ${names.join(', ')}, which would be made ready in another way now`, { devices: names });
      }
      if (before !== undefined && !isSame) {
        // Another plan than the one that was carried out: the old one is undone first.
        await this.options.release.release(before, 'clean-up');
        continue;
      }
      const record: ClaimRecord = {
        uid: name.uid,
        namespace: name.namespace,
        name: name.name,
        ...(claim.podClaimName === undefined ? {} : { podClaimName: claim.podClaimName }),
        state: 'preparing',
        bootId,
        since: clock.now().toISOString(),
        devices: planned.map(({ recorded }) => recorded),
      };
      await this.stage('record', async () => store.take(record));
      return { record, planned };
    }
  }

  /** Waits while others are giving back what is wanted; false when nobody is. */
  private async othersLeft({ holders }: HeldByOthers, turn: Turn): Promise<boolean> {
    const leaving = holders.filter(({ record }) => record.state === 'releasing' && this.options.order.isBusy(record.uid));
    if (leaving.length === 0) return false;
    await turnOrLeave(Promise.race(leaving.map(async ({ record }) => this.options.order.idle(record.uid))), turn.givenUp);
    return true;
  }

  private async makeReady(record: ClaimRecord, planned: readonly PlannedDevice[], turn: Turn): Promise<ClaimRecord> {
    const { store, devices, fared } = this.options;
    const results = await Promise.allSettled(planned.map(async (device) => devices.makeReady(device, turn.overtaken)));
    const ready = results.flatMap((result) => result.status === 'fulfilled' ? [result.value] : []);
    const failures = results.flatMap((result) => result.status === 'rejected' ? [result.reason as unknown] : []);
    results.forEach((result, index) => fared(planned[index]!.recorded.device, result.status === 'fulfilled' ? undefined : reasonOf(result.reason)));
    try {
      if (failures.length > 0) throw summary(failures.map(reasonOf));
      const prepared: ClaimRecord = { ...record, state: 'prepared', devices: ready };
      await this.stage('cdi', async () => store.finish(prepared));
      return prepared;
    } catch (error) {
      await this.rollBack(record, ready, failures.filter((one) => one instanceof UncleanDevice));
      throw error;
    }
  }

  /** Once more what was done already, because something of it is missing; on failure all stays as it was. */
  private async makeReadyAgain(record: ClaimRecord, planned: readonly PlannedDevice[], turn: Turn): Promise<ClaimRecord> {
    const results = await Promise.allSettled(planned.map(async (device) => this.options.devices.makeReadyAgain(device, turn.overtaken)));
    const failures = results.flatMap((result) => result.status === 'rejected' ? [reasonOf(result.reason)] : []);
    if (failures.length > 0) throw summary(failures);
    const devices = results.flatMap((result) => result.status === 'fulfilled' ? [result.value] : []);
    const prepared: ClaimRecord = { ...record, state: 'prepared', bootId: this.options.bootId, devices };
    await this.stage('cdi', async () => this.options.store.finish(prepared));
    return prepared;
  }

  /** A disk that refuses must not hide why the claim failed; the record stays, and what it says is undone later. */
  private async rollBack(record: ClaimRecord, ready: readonly RecordedDevice[], unclean: readonly UncleanDevice[]): Promise<void> {
    try {
      await this.options.release.rollBack(record, ready, unclean);
    } catch (error) {
      const { code, message } = asFailure(error, 'DRA300');
      this.options.observer.noticed({ code, message: `what was begun for it could not be undone yet: ${message}`, claim: record });
    }
  }

  /** A device of that name is another piece of hardware now: what was made ready is not there any more. */
  private refuseExchanged({ uid, devices }: ClaimRecord): void {
    const { inventory } = this.options.view(uid);
    for (const { device, identity } of devices) {
      const now = inventory.devices.find(({ name }) => name === device);
      if (now !== undefined && now.identity !== identity) {
        throw failure('DRA325', `device ${device} was ${identity} when the claim was prepared, and is ${now.identity} now`, { devices: [device] });
      }
    }
  }

  private async stage<T>(stage: ClaimStage, work: () => Promise<T>): Promise<T> {
    const { clock, observer } = this.options;
    const begun = clock.monotonic();
    const seconds = () => (clock.monotonic() - begun) / 1000;
    try {
      const result = await work();
      observer.stage({ operation: 'prepare', stage, outcome: 'ok', seconds: seconds() });
      return result;
    } catch (error) {
      observer.stage({ operation: 'prepare', stage, outcome: asFailure(error, 'DRA300').failureClass, seconds: seconds() });
      throw error;
    }
  }
}

export function refuseGivenUp({ overtaken, givenUp }: Turn): void {
  if (overtaken.aborted) throw failure('DRA319', 'the claim was given back meanwhile');
  if (givenUp.aborted) throw failure('DRA319', 'the call was given up');
}

/** Whether kubelet may have started containers with it. */
function mayBeInUse({ state, bootId }: ClaimRecord, now: string): boolean {
  return bootId === now && (state === 'prepared' || state === 'adopted');
}

/** Whether carrying out the one after the other changes nothing that has to be undone. */
function isSameWork(before: RecordedDevice, now: RecordedDevice): boolean {
  return shareKey(before) === shareKey(now) && before.identity === now.identity && before.adminAccess === now.adminAccess
    && isDeepStrictEqual(before.intent, now.intent);
}

function reasonOf(thrown: unknown): NodeFailure {
  return thrown instanceof UncleanDevice ? thrown.failure : asFailure(thrown, 'DRA300');
}

/** One failure for kubelet: a final one rather than one that may pass, and all that is to be said. */
function summary(failures: readonly NodeFailure[]): NodeFailure {
  const worst = failures.find(({ failureClass }) => failureClass === 'terminal') ?? failures.find(({ failureClass }) => failureClass === 'needs-cleanup') ?? failures[0]!;
  const messages = [...new Set([worst, ...failures].map(({ message }) => message))];
  return new NodeFailure(worst.code, worst.failureClass, messages.join('; '), { devices: failures.flatMap(({ details }) => details.devices ?? []), cause: worst });
}

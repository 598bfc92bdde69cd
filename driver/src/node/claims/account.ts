import type { HeldDevice, Followed } from '../device-state.js';
import { FollowedValue } from '../followed-value.js';
import { shareKey } from './record/claim-record.js';
import type { ClaimRecord, RecordedDevice } from './record/claim-record.js';
import { fileName } from './record/record-name.js';
import type { RecordName } from './record/record-name.js';

/** Who has a device, or a share of it. */
export interface Holder {
  readonly record: ClaimRecord;
  readonly device: RecordedDevice;
}

/** Devices that somebody may have, of whom no readable record tells. */
export interface Doubt {
  /** A file in quarantine, or a CDI file without a record. */
  readonly source: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Undefined: any device may be meant. */
  readonly devices: readonly string[] | undefined;
  /** Containers may be using it; before a reboot nothing is in use, and may still be unclean. */
  readonly isOfThisBoot: boolean;
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

/**
 * What is held on this node and by whom: the memory of what stands in the folder of records.
 *
 * A device is free when no record names it and no doubt covers it. Whoever takes one takes it here in the same step in which he looked.
 */
export class Account {
  private readonly claims = new Map<string, ClaimRecord>();
  /** Devices that claims left behind uncleaned, by file. */
  private readonly leftovers = new Map<string, { readonly name: RecordName; readonly record: ClaimRecord }>();
  private doubts: readonly Doubt[] = [];
  /** By claim: shares that are undone already and held only until the record says so. */
  private readonly undone = new Map<string, Set<string>>();
  private readonly heldValue = new FollowedValue<readonly HeldDevice[]>([]);
  private isTold = true;
  /** A record never changes; of a hundred, each change of one would count them all again. */
  private readonly heldByRecord = new WeakMap<ClaimRecord, readonly HeldDevice[]>();

  public get held(): Followed<readonly HeldDevice[]> {
    return this.heldValue;
  }

  public record(uid: string): ClaimRecord | undefined {
    return this.claims.get(uid);
  }

  public get records(): readonly ClaimRecord[] {
    return [...this.claims.values()];
  }

  public get unclean(): readonly { readonly name: RecordName; readonly record: ClaimRecord }[] {
    return [...this.leftovers.values()];
  }

  public get inDoubt(): readonly Doubt[] {
    return this.doubts;
  }

  public put(record: ClaimRecord): void {
    this.claims.set(record.uid, record);
    this.changed();
  }

  public remove(uid: string): void {
    this.undone.delete(uid);
    if (this.claims.delete(uid)) this.changed();
  }

  public putUnclean(name: RecordName, record: ClaimRecord): void {
    this.leftovers.set(fileName(name), { name, record });
    this.changed();
  }

  public removeUnclean(name: RecordName): void {
    const left = this.leftovers.get(fileName(name));
    if (left === undefined) return;
    this.leftovers.delete(fileName(name));
    const { uid } = left.record;
    if (!this.claims.has(uid) && ![...this.leftovers.values()].some(({ record }) => record.uid === uid)) this.undone.delete(uid);
    this.changed();
  }

  public setDoubts(doubts: readonly Doubt[]): void {
    this.doubts = doubts;
    this.changed();
  }

  public clear(): void {
    this.claims.clear();
    this.leftovers.clear();
    this.undone.clear();
    this.setDoubts([]);
  }

  /** All real uses of a device but those of one claim; monitoring is none. */
  public holders(device: string, exceptUid?: string): readonly Holder[] {
    const found: Holder[] = [];
    for (const record of this.everyRecord()) {
      if (record.uid === exceptUid && record.state !== 'releasing') continue;
      for (const used of record.devices) if (used.device === device && !used.adminAccess) found.push({ record, device: used });
    }
    return found;
  }

  /** All real uses of all devices but those of one claim. */
  public uses(exceptUid?: string): readonly Holder[] {
    return [...this.everyRecord()]
      .filter((record) => record.uid !== exceptUid || record.state === 'releasing')
      .flatMap((record) => record.devices.filter(({ adminAccess }) => !adminAccess).map((device) => ({ record, device })));
  }

  /** Whether hardware of a claim's device is as nobody had touched it, though the record still names it. */
  public setUndone(uid: string, device: RecordedDevice, isUndone: boolean): void {
    const keys = this.undone.get(uid) ?? new Set();
    this.undone.set(uid, keys);
    if (isUndone) keys.add(shareKey(device));
    else keys.delete(shareKey(device));
  }

  /** Whether nobody else has a share of the device any more. Monitoring is never the last use, since it was none. */
  public isLastUse(uid: string, device: RecordedDevice): boolean {
    return !device.adminAccess && this.holders(device.device).every((holder) => {
      const key = shareKey(holder.device);
      return (holder.record.uid === uid && key === shareKey(device)) || this.undone.get(holder.record.uid)?.has(key);
    });
  }

  public doubtAbout(device: string, exceptUid?: string): Doubt | undefined {
    return this.doubts.find(({ uid, devices }) => (uid === undefined || uid !== exceptUid) && (devices === undefined || devices.includes(device)));
  }

  private* everyRecord(): Iterable<ClaimRecord> {
    yield* this.claims.values();
    for (const { record } of this.leftovers.values()) yield record;
  }

  /** Many changes of one step are told once. */
  private changed(): void {
    if (!this.isTold) return;
    this.isTold = false;
    queueMicrotask(() => {
      this.isTold = true;
      this.heldValue.set(this.heldNow());
    });
  }

  private heldNow(): readonly HeldDevice[] {
    const held: HeldDevice[] = [];
    for (const record of this.everyRecord()) {
      const known = this.heldByRecord.get(record) ?? heldBy(record);
      this.heldByRecord.set(record, known);
      held.push(...known);
    }
    for (const { uid = '', namespace = '', name = '', devices = [] } of this.doubts) {
      held.push(...devices.map((device) => ({ device, claimUid: uid, namespace, name, state: 'quarantined' as const })));
    }
    return held;
  }
}

function heldBy({ uid, namespace, name, state, devices }: ClaimRecord): readonly HeldDevice[] {
  return devices.map(({ device, shareId, consumedCapacity, adminAccess }) => ({
    device,
    claimUid: uid,
    namespace,
    name,
    state: state === 'adopted' ? 'prepared' : state,
    ...(shareId === undefined ? {} : { shareId }),
    ...(Object.keys(consumedCapacity).length === 0 ? {} : { consumedCapacity }),
    ...(adminAccess ? { adminAccess } : {}),
  }));
}

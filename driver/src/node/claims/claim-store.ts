import type { Account } from './account.js';
import type { Clock } from './clock.js';
import type { ClaimRecord } from './record/claim-record.js';
import { codeOf } from './record/file-system.js';
import type { RecordFolder } from './record/record-folder.js';
import { fileName } from './record/record-name.js';
import type { RecordName } from './record/record-name.js';
import type { UncleanDevice } from './unclean-device.js';
import type { CdiFolder } from '../cdi/cdi-folder.js';

/** Records and account in step: memory never says `free` before the disk does, and never `held` less than the disk. */
export class ClaimStore {
  public constructor(
    public readonly account: Account,
    private readonly records: RecordFolder,
    private readonly cdi: CdiFolder,
    private readonly clock: Clock,
    /** Of the records that are written now. */
    private readonly format: () => number,
  ) {}

  /**
   * Takes what the record says: in memory in this very step, then on the disk. Once it returns, the claim is finished or undone, whatever happens.
   *
   * When it throws, nothing is taken that was not before.
   */
  public async take(record: ClaimRecord): Promise<void> {
    const previous = this.account.record(record.uid);
    this.account.put(record);
    try {
      await this.write(record);
    } catch (error) {
      if (previous !== undefined) this.account.put(previous);
      // The file may be there all the same. One that cannot be removed stays in memory too, and is undone when the claim is heard of next.
      else await this.records.remove({ kind: 'claim', uid: record.uid }).then(() => this.account.remove(record.uid), () => undefined);
      throw error;
    }
  }

  /**
   * All devices are ready: the CDI file first, so that a record that says `prepared` always has one.
   *
   * A loss of power may bring the record before it back. That names the same devices, and no container is left that uses them.
   */
  public async finish(record: ClaimRecord): Promise<void> {
    await this.cdi.put(record.uid, record.devices);
    await this.write(record, { mayBeLost: true });
    this.account.put(record);
  }

  /** Puts back the CDI file of a prepared claim when it is missing or says something else. */
  public async restoreCdi(record: ClaimRecord): Promise<void> {
    await this.cdi.put(record.uid, record.devices);
  }

  /** From here on the claim is only undone, also after a crash, and no container can be started with it. */
  public async beginRelease(record: ClaimRecord): Promise<ClaimRecord> {
    let releasing = record;
    if (record.state !== 'releasing') {
      await this.records.markReleasing(record.uid).catch((error: unknown) => {
        // Somebody has removed the file by hand; the devices are given back all the same.
        if (!(error instanceof Error) || codeOf(error.cause) !== 'ENOENT') throw error;
      });
      releasing = { ...record, state: 'releasing' };
      this.account.put(releasing);
    }
    await this.cdi.remove(record.uid);
    return releasing;
  }

  /** The claim is gone. What could not be cleaned stays behind under its own name, and its devices stay held. */
  public async endRelease(record: ClaimRecord, unclean: readonly UncleanDevice[]): Promise<void> {
    for (const { device, failure: { code, message } } of unclean) {
      const { uid } = record;
      const name: RecordName = { kind: 'unclean', uid, device: device.device, ...(device.shareId === undefined ? {} : { shareId: device.shareId }) };
      const since = device.unclean?.since ?? this.clock.now().toISOString();
      const left: ClaimRecord = { ...record, state: 'releasing', devices: [{ ...device, unclean: { code, message: message.slice(0, MAX_MESSAGE), since } }] };
      await this.records.write(name, left, this.format());
      this.account.putUnclean(name, left);
    }
    await this.records.remove({ kind: 'releasing', uid: record.uid });
    this.account.remove(record.uid);
  }

  /** A device that was left behind is clean. */
  public async forgetUnclean(name: RecordName): Promise<void> {
    await this.records.remove(name);
    this.account.removeUnclean(name);
  }

  /** Writes a record that is there already, in the format that is written now. */
  public async rewrite(uid: string): Promise<void> {
    const record = this.account.record(uid);
    if (record !== undefined) await this.write(record);
  }

  public async rewriteUnclean(name: RecordName): Promise<void> {
    const left = this.account.unclean.find((one) => fileName(one.name) === fileName(name));
    if (left !== undefined) await this.records.write(name, left.record, this.format());
  }

  /** Nothing of this agent is written any more; another one may go on. */
  public async close(): Promise<void> {
    await this.records.close();
  }

  /** Removes what a failing disk kept of files that never became anything. */
  public async sweep(): Promise<void> {
    await this.records.sweep();
    await this.cdi.sweep();
  }

  private async write(record: ClaimRecord, options?: { readonly mayBeLost: boolean }): Promise<void> {
    await this.records.write({ kind: record.state === 'releasing' ? 'releasing' : 'claim', uid: record.uid }, record, this.format(), options);
  }
}

const MAX_MESSAGE = 1024;

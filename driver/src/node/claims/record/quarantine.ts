import type { Account, Doubt } from '../account.js';
import type { ClaimObserver } from '../claim-observer.js';
import { isClaimUid } from './claim-uid.js';
import type { CdiFolder } from '../../cdi/cdi-folder.js';
import type { Clock } from '../clock.js';
import { asFailure } from '../failure.js';
import { bootMark } from './boot-mark.js';
import type { QuarantineFolder, QuarantinedFile } from './quarantine-folder.js';
import type { FoundRecord } from './record-folder.js';
import { fileName } from './record-name.js';
import type { RecordName } from './record-name.js';

/**
 * Claims of which no readable record tells: files that were set aside, and CDI files whose record is lost.
 *
 * Their devices are held. A doubt ends when the claim gets a record again, when a newer agent can read the file, or when a person removes it.
 */
export class Quarantine {
  private known: readonly Doubt[] = [];

  public constructor(
    private readonly folder: QuarantineFolder,
    private readonly cdi: CdiFolder,
    private readonly account: Account,
    private readonly clock: Clock,
    private readonly observer: ClaimObserver,
    private readonly bootId: string,
  ) {}

  /** Puts back what can be read again; before the records are read. */
  public async restoreReadable(): Promise<void> {
    await this.folder.make();
    for (const { file, name, decoded } of await this.folder.readAll()) {
      if (name === undefined || !('record' in decoded)) continue;
      if (!await this.folder.restore(file, name)) continue;
      this.observer.noticed({ message: `record ${fileName(name)} can be read again`, claim: decoded.record });
    }
  }

  /**
   * Sets aside what cannot be read, and doubts whatever it may be about.
   *
   * `boot` is the boot in which the files may have been written: nothing that was before a reboot is in use any more.
   */
  public async setAside(damaged: readonly FoundRecord[], boot: string): Promise<void> {
    for (const { file, decoded } of damaged) {
      if (!('problem' in decoded)) continue;
      const code = decoded.problem === 'newer' ? 'DRA332' : 'DRA331';
      const { devices, complete, ...claim } = decoded.salvage;
      const unsure = complete ? '' : ', and may name more devices than can be read';
      this.observer.noticed({ code, message: `record claims/${file} is set aside: ${decoded.message}${unsure}`, claim, devices });
      // On a disk that cannot be written it stays where it is, and is doubted all the same.
      await this.folder.setAside(file, boot).catch((error: unknown) => {
        const { code: reason, message } = asFailure(error, 'DRA330');
        this.observer.noticed({ code: reason, message, claim });
      });
    }
  }

  /** Doubts all files set aside and all CDI files without a record; `left` are damaged files that could not be moved. */
  public async look(cdiUids: readonly string[], left: readonly FoundRecord[]): Promise<void> {
    const aside = await this.folder.readAll();
    const doubts: Doubt[] = [];
    for (const file of aside) doubts.push(await this.doubtOf(`quarantine/${file.file}`, file));
    for (const file of left) doubts.push(await this.doubtOf(`claims/${file.file}`, { ...file, boot: undefined }));
    const told = new Set(doubts.map(({ uid }) => uid));
    for (const uid of cdiUids) {
      if (told.has(uid) || this.account.record(uid) !== undefined) continue;
      const devices = await this.cdi.devicesOf(uid) ?? [];
      doubts.push({
        source: `cdi/${uid}`,
        uid,
        devices,
        isOfThisBoot: true,
        code: 'DRA331',
        since: this.clock.now().toISOString(),
        message: `there is a CDI file for claim ${uid}, and no record of it`,
      });
      this.observer.noticed({ code: 'DRA331', message: `there is a CDI file for claim ${uid}, and no record of it`, claim: { uid }, devices });
    }
    // What was doubted before keeps its date, which is that of a taint.
    this.known = doubts.map((doubt) => ({ ...doubt, since: this.known.find(({ source }) => source === doubt.source)?.since ?? doubt.since }));
    this.account.setDoubts(this.known);
  }

  /** A person may have decided that a file may go. */
  public async forgetRemoved(): Promise<void> {
    if (this.known.length === 0) return;
    const files = new Set((await this.folder.list()).map((file) => `quarantine/${file}`));
    const cdiUids = new Set((await this.cdi.open()).map((uid) => `cdi/${uid}`));
    const still = this.known.filter(({ source }) => source.startsWith('claims/') || files.has(source) || cdiUids.has(source));
    if (still.length === this.known.length) return;
    this.known = still;
    this.account.setDoubts(still);
  }

  /** The claim has a record again. */
  public async resolve(uid: string): Promise<void> {
    const about = this.known.filter((doubt) => doubt.uid === uid);
    if (about.length === 0) return;
    this.known = this.known.filter((doubt) => doubt.uid !== uid);
    this.account.setDoubts(this.known);
    for (const { source } of about) {
      if (!source.startsWith('quarantine/')) continue;
      await this.folder.forget(source.slice('quarantine/'.length)).catch((error: unknown) => {
        const { code, message } = asFailure(error, 'DRA330');
        this.observer.noticed({ code, message });
      });
    }
  }

  private async doubtOf(source: string, { name, decoded, boot, file }: Pick<QuarantinedFile, 'decoded' | 'boot' | 'file'> & { readonly name: RecordName | undefined }): Promise<Doubt> {
    const salvage = 'salvage' in decoded ? decoded.salvage : { devices: decoded.record.devices.map(({ device }) => device), complete: true };
    const uid = name !== undefined && isClaimUid(name.uid) ? name.uid : salvage.uid;
    const isNewer = 'problem' in decoded && decoded.problem === 'newer';
    const isOfThisBoot = boot === undefined || boot === bootMark(this.bootId);
    const inCdi = uid === undefined ? undefined : await this.cdi.devicesOf(uid);
    const devices = [...new Set([...salvage.devices, ...inCdi ?? [], ...(name?.kind === 'unclean' ? [name.device] : [])])].sort();
    // Nobody uses anything from before a reboot; what is named may be unclean all the same.
    const isKnown = salvage.complete || inCdi !== undefined || name?.kind === 'unclean' || !isOfThisBoot;
    const message = isNewer ? `its record was written by a newer agent and is set aside as ${file}` : `its record was damaged and is set aside as ${file}`;
    const { namespace, name: claimName } = salvage;
    return {
      source,
      ...(uid === undefined ? {} : { uid }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(claimName === undefined ? {} : { name: claimName }),
      devices: isKnown ? devices : undefined,
      isOfThisBoot,
      code: isNewer ? 'DRA332' : 'DRA331',
      message,
      since: this.clock.now().toISOString(),
    };
  }
}

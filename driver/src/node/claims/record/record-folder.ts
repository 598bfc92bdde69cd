import { join } from 'node:path';

import { bootMark } from './boot-mark.js';
import type { ClaimRecord } from './claim-record.js';
import { reason, unreadable, unwritable } from './disk-failure.js';
import { codeOf } from './file-system.js';
import type { FileSystem } from './file-system.js';
import { LeftoverFiles } from './leftover-files.js';
import { mendRecords } from './mend-records.js';
import { MAX_RECORD_BYTES } from './record-format.js';
import type { Decoded, RecordCodec } from './record-format.js';
import { RecordJournal } from './record-journal.js';
import type { NameChange } from './record-journal.js';
import { fileName, recordName } from './record-name.js';
import type { RecordName } from './record-name.js';
import { SpareFiles } from './spare-files.js';
import { temporaryName } from './temporary-name.js';
import { NodeFailure } from '../../../devices/node-failure.js';

export interface FoundRecord {
  readonly file: string;
  readonly name: RecordName;
  readonly decoded: Decoded;
}

/**
 * The records of this node's claims: `claims/` with a file each, and `claims.journal`.
 *
 * A file is written under another name and renamed: whoever reads finds the old content or the new one. What a loss of power must not undo is
 * told to the journal as well, from which the files are mended in the next boot; where it cannot be written, each file is put on the disk by itself.
 */
export class RecordFolder {
  private readonly claims: string;
  private readonly leftovers: LeftoverFiles;
  private readonly journal: RecordJournal;
  /** Used while the journal tells what a file is to say after a loss of power, since their content may then be that of any claim. */
  private readonly spares: SpareFiles;
  private boot: string | undefined;

  public constructor(
    private readonly files: FileSystem,
    private readonly folder: string,
    private readonly codec: RecordCodec,
    journalBytes?: number,
  ) {
    this.journal = new RecordJournal(files, join(folder, 'claims.journal'), journalBytes);
    this.claims = join(folder, 'claims');
    this.leftovers = new LeftoverFiles(files);
    this.spares = new SpareFiles(files, this.claims, this.leftovers);
  }

  /** Makes the folder, removes what a crash left of files that never became records, and mends what a loss of power did to those that did. */
  public async open(bootId: string): Promise<void> {
    try {
      // Of the time before, when this agent wrote last.
      this.journal.close();
      this.boot = undefined;
      await this.files.makeFolder(this.claims, 0o700);
      for (const name of await this.files.list(this.claims)) {
        if (TEMPORARY.test(name)) await this.leftovers.discard(join(this.claims, name));
      }
      await this.mend(bootId);
    } catch (error) {
      throw unreadable(error);
    }
  }

  /**
   * From here on the journal says what a loss of power must not undo; until then, and where it cannot be written, files are synced one by one.
   *
   * Throws when it cannot be written; it is tried again with each `sweep`.
   */
  public async beginJournal(bootId: string): Promise<void> {
    this.boot = bootId;
    try {
      await this.journal.begin(bootId, async () => this.contents());
    } catch (error) {
      await this.settle().catch(() => undefined);
      throw new NodeFailure('DRA330', 'retryable', `cannot write claims.journal, each record is put on the disk by itself: ${reason(error)}`, { cause: error });
    }
  }

  /** Puts all files on the disk; whoever writes next needs no journal. */
  public async close(): Promise<void> {
    this.journal.close();
    this.boot = undefined;
    await this.spares.clear();
    await this.settle();
  }

  /** Removes what a failing disk kept of files that never became records, and begins a journal where there is none. */
  public async sweep(): Promise<void> {
    await this.leftovers.sweep();
    if (this.boot !== undefined && !this.journal.isOn) await this.beginJournal(this.boot).catch(() => undefined);
  }

  /** All records, and the names of files that are none. */
  public async readAll(): Promise<{ readonly records: readonly FoundRecord[]; readonly others: readonly string[] }> {
    const records: FoundRecord[] = [];
    const others: string[] = [];
    try {
      for (const file of await this.files.list(this.claims)) {
        if (!file.endsWith('.json')) {
          if (!TEMPORARY.test(file)) others.push(file);
          continue;
        }
        const name = recordName(file);
        const bytes = await this.files.read(join(this.claims, file), MAX_RECORD_BYTES + 1);
        if (bytes !== undefined) records.push({ file, name: name ?? { kind: 'claim', uid: '' }, decoded: this.codec.decode(bytes, name?.uid ?? '') });
      }
    } catch (error) {
      throw unreadable(error);
    }
    return { records, others };
  }

  /** After an error either the old content stands there or the new one; after a loss of power too, where it `mayBeLost`. */
  public async write(name: RecordName, record: ClaimRecord, format: number, { mayBeLost = false } = {}): Promise<void> {
    const content = this.codec.encode(record, format);
    if (content === undefined) {
      throw new NodeFailure('DRA337', 'retryable', `the record of claim ${record.namespace}/${record.name} would have more than ${MAX_RECORD_BYTES} bytes`);
    }
    const file = fileName(name);
    const durable = !this.journal.isOn;
    await this.replace(file, content, durable);
    if (!mayBeLost) await this.promise(file, { put: file, content }, durable);
    else if (this.journal.isOn) this.mention({ put: file, content });
    // No journal tells of it any more: the name may be lost, but never be there without the content.
    else if (!durable) await this.synced(file);
  }

  /**
   * From here on the claim is only undone, whoever reads the folder next.
   *
   * Not put on the disk: after a loss of power it is a claim of another boot, which is undone or made ready anew just as well.
   */
  public async markReleasing(uid: string): Promise<void> {
    const [before, file] = [fileName({ kind: 'claim', uid }), fileName({ kind: 'releasing', uid })];
    try {
      await this.files.rename(join(this.claims, before), join(this.claims, file));
    } catch (error) {
      throw unwritable(`claims/${file}`, error);
    }
    this.mention({ rename: before, to: file });
  }

  public async remove(name: RecordName): Promise<void> {
    const file = fileName(name);
    const path = join(this.claims, file);
    let spare: string | undefined;
    try {
      if (this.journal.isOn) spare = await this.spares.takeAway(path);
      else await this.files.remove(path);
    } catch (error) {
      throw unwritable(`claims/${file}`, error);
    }
    try {
      await this.promise(file, { remove: file }, true);
    } catch (error) {
      if (spare !== undefined) await this.leftovers.discard(spare);
      throw error;
    }
    if (spare !== undefined) await this.spares.add(spare);
  }

  /** The boot in which an agent had these records last, and remembers this one; undefined on the first start, and when it is unreadable. */
  public async exchangeBoot(bootId: string): Promise<string | undefined> {
    const path = join(this.folder, 'boot-id');
    const [before = '', mark] = await this.files.read(path, 256).then((bytes) => bytes?.toString('utf8').trim().split(' ') ?? [], () => []);
    // What cannot be read must not look like a reboot, which ends holds.
    const known = before !== '' && mark === bootMark(before) ? before : undefined;
    if (known === bootId) return known;
    const temporary = join(this.claims, temporaryName('boot-id'));
    try {
      await this.files.create(temporary, `${bootId} ${bootMark(bootId)}\n`, { mode: 0o600, durable: true });
      await this.files.rename(temporary, path);
      await this.files.syncFolder(this.folder);
    } catch (error) {
      await this.leftovers.discard(temporary);
      throw unwritable('boot-id', error);
    }
    return known;
  }

  private async replace(file: string, content: string, durable: boolean): Promise<void> {
    const path = join(this.claims, file);
    const spare = durable ? undefined : await this.spares.filled(content);
    const temporary = spare ?? join(this.claims, temporaryName(file));
    let former: string | undefined;
    try {
      if (spare === undefined) await this.files.create(temporary, content, { mode: 0o600, durable });
      if (!durable) former = await this.spares.secondName(path);
      await this.files.rename(temporary, path);
    } catch (error) {
      for (const left of [temporary, former]) if (left !== undefined) await this.leftovers.discard(left);
      throw unwritable(`claims/${file}`, error);
    }
    if (former !== undefined) await this.spares.add(former);
  }

  /**
   * What was done to the name of a file stays so after a loss of power, once this returns.
   *
   * `isSynced`: the content of the file is on the disk, whatever becomes of its name.
   */
  private async promise(file: string, change: NameChange, isSynced: boolean): Promise<void> {
    try {
      if (this.journal.isOn && await this.journal.append(change, { durable: true }).then(() => true, () => false)) return;
      // What it says may be less than what was done meanwhile, and must not come back.
      if (this.journal.isBroken) await this.settle();
      if (!isSynced) await this.synced(file);
      await this.files.syncFolder(this.claims);
    } catch (error) {
      throw unwritable(`claims/${file}`, error);
    }
  }

  /** As the disk likes; a journal that cannot take it is seen by whoever promises next. */
  private mention(change: NameChange): void {
    if (this.journal.isOn) this.journal.append(change, { durable: false }).catch(() => undefined);
  }

  /** All files are on the disk, and the journal is not needed. */
  private async settle(): Promise<void> {
    const done = new Set<string>();
    // Again, since a claim that is on its way out meanwhile has its file under another name.
    for (;;) {
      const left = (await this.files.list(this.claims)).filter((file) => !done.has(file) && !TEMPORARY.test(file));
      if (left.length === 0) break;
      for (const file of left) {
        await this.synced(file);
        done.add(file);
      }
    }
    await this.files.syncFolder(this.claims);
    await this.journal.remove();
  }

  /** What stands in the file is on the disk; nothing happens when it is not there any more. */
  private async synced(file: string): Promise<void> {
    try {
      await this.files.syncFile(join(this.claims, file));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw unwritable(`claims/${file}`, error);
    }
  }

  private async contents(): Promise<ReadonlyMap<string, string>> {
    const contents = new Map<string, string>();
    for (const file of await this.files.list(this.claims)) {
      if (recordName(file) === undefined) continue;
      const bytes = await this.files.read(join(this.claims, file), MAX_RECORD_BYTES);
      if (bytes !== undefined) contents.set(file, bytes.toString('utf8'));
    }
    return contents;
  }

  private async mend(bootId: string): Promise<void> {
    const told = await this.journal.read();
    if (told === undefined || told.boot === bootId) return;
    const there = await this.contents();
    const isDamaged = (file: string) => {
      const decoded = this.codec.decode(Buffer.from(there.get(file) ?? ''), recordName(file)?.uid ?? '');
      return 'problem' in decoded && decoded.problem === 'damaged';
    };
    for (const { file, content } of mendRecords(told.files, there, isDamaged)) {
      if (content === undefined) await this.files.remove(join(this.claims, file));
      else await this.replace(file, content, true);
    }
    await this.files.syncFolder(this.claims);
  }
}

const TEMPORARY = /^\..*\.tmp$/;

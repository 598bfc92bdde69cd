import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { ClaimRecord } from './claim-record.js';
import { isClaimUid } from './claim-uid.js';
import { codeOf } from './file-system.js';
import type { FileSystem } from './file-system.js';
import { LeftoverFiles } from './leftover-files.js';
import { MAX_RECORD_BYTES } from './record-format.js';
import type { Decoded, RecordCodec } from './record-format.js';
import { NodeFailure } from '../../../devices/node-failure.js';

/**
 * What a file in the folder is about.
 *
 * - `<uid>.json`: a claim.
 * - `<uid>.releasing.json`: a claim on its way out. The same file under another name, so that the step needs no room on a full disk.
 * - `<uid>.<device>.unclean.json`: a device that a claim left behind and that could not be cleaned; with a share, `<uid>.<device>.<share>.unclean.json`.
 */
export type RecordName =
  | { readonly kind: 'claim' | 'releasing'; readonly uid: string }
  | { readonly kind: 'unclean'; readonly uid: string; readonly device: string; readonly shareId?: string };

export interface FoundRecord {
  readonly file: string;
  readonly name: RecordName;
  readonly decoded: Decoded;
}

/** A file in `quarantine`: nobody reads it again but a newer agent or a person. Its name there: `<name>.<mark of the boot>[.<n>].json`. */
export interface QuarantinedFile {
  readonly file: string;
  /** Mark of the boot in which it may have been in use. */
  readonly boot: string | undefined;
  /** Undefined when the name says nothing. */
  readonly name: RecordName | undefined;
  readonly decoded: Decoded;
}

/**
 * The records of this node's claims: `claims/` with a file each, `quarantine/` with those that cannot be read.
 *
 * A file is written under another name, put on the disk, renamed, and the folder put on the disk. Whoever reads finds the old content or the
 * new one, after any crash.
 */
export class RecordFolder {
  private readonly claims: string;
  private readonly quarantine: string;
  private readonly leftovers: LeftoverFiles;

  public constructor(private readonly files: FileSystem, private readonly folder: string, private readonly codec: RecordCodec) {
    this.claims = join(folder, 'claims');
    this.quarantine = join(folder, 'quarantine');
    this.leftovers = new LeftoverFiles(files);
  }

  /** A boot in a file name. */
  public bootMark(bootId: string): string {
    return createHash('sha256').update(bootId).digest('hex').slice(0, 8);
  }

  /** Makes the folders and removes what a crash left of files that never became records. */
  public async open(): Promise<void> {
    try {
      await this.files.makeFolder(this.claims, 0o700);
      await this.files.makeFolder(this.quarantine, 0o700);
      for (const name of await this.files.list(this.claims)) {
        if (TEMPORARY.test(name)) await this.leftovers.discard(join(this.claims, name));
      }
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Removes what a failing disk kept of files that never became records. */
  public async sweep(): Promise<void> {
    await this.leftovers.sweep();
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
    const temporary = join(this.claims, `.${name.uid}.${randomBytes(4).toString('hex')}.tmp`);
    try {
      await this.files.create(temporary, content, { mode: 0o600, durable: true });
      await this.files.rename(temporary, join(this.claims, file));
    } catch (error) {
      await this.leftovers.discard(temporary);
      throw unwritable(file, error);
    }
    if (!mayBeLost) await this.sync(file);
  }

  /**
   * From here on the claim is only undone, whoever reads the folder next.
   *
   * Not put on the disk: after a loss of power it is a claim of another boot, which is undone or made ready anew just as well.
   */
  public async markReleasing(uid: string): Promise<void> {
    const file = fileName({ kind: 'releasing', uid });
    try {
      await this.files.rename(join(this.claims, fileName({ kind: 'claim', uid })), join(this.claims, file));
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  public async remove(name: RecordName): Promise<void> {
    const file = fileName(name);
    try {
      await this.files.remove(join(this.claims, file));
    } catch (error) {
      throw unwritable(file, error);
    }
    await this.sync(file);
  }

  /** Takes a file out of the way and keeps it. */
  public async setAside(file: string, bootId: string): Promise<void> {
    try {
      const taken = new Set(await this.files.list(this.quarantine));
      const stem = `${file.slice(0, -'.json'.length)}.${this.bootMark(bootId)}`;
      let aside = `${stem}.json`;
      for (let i = 1; taken.has(aside); i++) aside = `${stem}.${i}.json`;
      await this.files.rename(join(this.claims, file), join(this.quarantine, aside));
      await this.files.syncFolder(this.quarantine);
      await this.files.syncFolder(this.claims);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  public async readQuarantine(): Promise<readonly QuarantinedFile[]> {
    const found: QuarantinedFile[] = [];
    try {
      for (const file of await this.quarantinedFiles()) {
        const bytes = await this.files.read(join(this.quarantine, file), MAX_RECORD_BYTES + 1);
        const [, stem = '', boot] = ASIDE.exec(file) ?? [];
        const name = recordName(`${stem}.json`);
        if (bytes !== undefined) found.push({ file, boot, name, decoded: this.codec.decode(bytes, name?.uid ?? '') });
      }
    } catch (error) {
      throw unreadable(error);
    }
    return found;
  }

  public async quarantinedFiles(): Promise<readonly string[]> {
    return (await this.files.list(this.quarantine)).filter((name) => name.endsWith('.json'));
  }

  /** A record that can be read again goes back, unless there is another by now. */
  public async restore(file: string, name: RecordName): Promise<boolean> {
    try {
      if ((await this.files.list(this.claims)).includes(fileName(name))) return false;
      await this.files.rename(join(this.quarantine, file), join(this.claims, fileName(name)));
      await this.files.syncFolder(this.claims);
      await this.files.syncFolder(this.quarantine);
      return true;
    } catch {
      // It stays set aside, and what it is about stays held.
      return false;
    }
  }

  public async forgetQuarantined(file: string): Promise<void> {
    try {
      await this.files.remove(join(this.quarantine, file));
      await this.files.syncFolder(this.quarantine);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** The boot in which an agent had these records last, and remembers this one; undefined on the first start, and when it is unreadable. */
  public async exchangeBoot(bootId: string): Promise<string | undefined> {
    const path = join(this.folder, 'boot-id');
    const [before = '', mark] = await this.files.read(path, 256).then((bytes) => bytes?.toString('utf8').trim().split(' ') ?? [], () => []);
    // What cannot be read must not look like a reboot, which ends holds.
    const known = before !== '' && mark === this.bootMark(before) ? before : undefined;
    if (known === bootId) return known;
    const temporary = join(this.claims, `.boot-id.${randomBytes(4).toString('hex')}.tmp`);
    try {
      await this.files.create(temporary, `${bootId} ${this.bootMark(bootId)}\n`, { mode: 0o600, durable: true });
      await this.files.rename(temporary, path);
      await this.files.syncFolder(this.folder);
    } catch (error) {
      await this.leftovers.discard(temporary);
      throw unwritable('boot-id', error);
    }
    return known;
  }

  private async sync(file: string): Promise<void> {
    try {
      await this.files.syncFolder(this.claims);
    } catch (error) {
      throw unwritable(file, error);
    }
  }
}

/** The name under which a record stands in the folder. */
export function fileName(name: RecordName): string {
  // Whoever calls has checked before; a path must never be made from anything else.
  const parts = name.kind === 'unclean' ? [name.uid, name.device, ...(name.shareId === undefined ? [] : [name.shareId])] : [name.uid];
  for (const part of parts) if (!isClaimUid(part)) throw new Error(`'${part}' must be a DNS label to be part of the name of a record`);
  return [...parts, ...(name.kind === 'claim' ? [] : [name.kind]), 'json'].join('.');
}

function recordName(file: string): RecordName | undefined {
  const parts = file.split('.').slice(0, -1);
  const kind = parts.length > 1 ? parts.pop() : 'claim';
  const [uid = '', device, shareId, ...more] = parts;
  if (!parts.every(isClaimUid) || more.length > 0) return undefined;
  if ((kind === 'claim' || kind === 'releasing') && device === undefined) return { kind, uid };
  if (kind !== 'unclean' || device === undefined) return undefined;
  return { kind, uid, device, ...(shareId === undefined ? {} : { shareId }) };
}

const TEMPORARY = /^\..*\.tmp$/;
const ASIDE = /^(.+?)\.([0-9a-f]{8})(?:\.\d+)?\.json$/;

function unwritable(file: string, error: unknown): NodeFailure {
  return new NodeFailure('DRA330', 'retryable', `cannot write claims/${file}: ${reason(error)}`, { cause: error });
}

function unreadable(error: unknown): NodeFailure {
  return new NodeFailure('DRA333', 'retryable', `cannot read the records of claims: ${reason(error)}`, { cause: error });
}

const REASONS: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk has an error',
  EACCES: 'permission denied',
  ENOENT: 'the folder is missing',
};

/** In words where the operating system's are short; never with a path, since the text goes to tenants. */
export function reason(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return `${REASONS[code] ?? 'the operating system refuses'} (${code})`;
}

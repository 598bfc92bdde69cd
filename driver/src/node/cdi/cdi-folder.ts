import { join } from 'node:path';

import { cdiProblems } from './cdi-rules.js';
import type { ClaimCdi } from './claim-cdi.js';
import { failure } from '../claims/failure.js';
import type { RecordedDevice } from '../claims/record/claim-record.js';
import { isClaimUid } from '../claims/record/claim-uid.js';
import { reason } from '../claims/record/disk-failure.js';
import type { FileSystem } from '../claims/record/file-system.js';
import { LeftoverFiles } from '../claims/record/leftover-files.js';
import { temporaryName } from '../claims/record/temporary-name.js';

/**
 * The CDI files of this driver: one a claim, made from its record and from nothing else.
 *
 * They need not survive a power failure, since they are made anew from the records; but a runtime must never read half a file, so each is
 * written under a name that runtimes ignore and renamed. Files of others are never touched.
 */
export class CdiFolder {
  private readonly leftovers: LeftoverFiles;

  public constructor(private readonly files: FileSystem, private readonly folder: string, private readonly cdi: ClaimCdi) {
    this.leftovers = new LeftoverFiles(files);
  }

  /** Makes the file say what the devices need; writes nothing when it does already. */
  public async put(uid: string, devices: readonly RecordedDevice[]): Promise<void> {
    const spec = this.cdi.spec(uid, devices);
    if (spec === undefined) return this.remove(uid);
    const problems = cdiProblems(spec);
    if (problems.length > 0) throw failure('DRA336', problems.join('; '), { devices: devices.map(({ device }) => device) });
    const content = `${JSON.stringify(spec)}\n`;
    const path = this.path(uid);
    try {
      const there = await this.files.read(path, content.length * 4 + 1).catch(() => undefined);
      if (there?.toString('utf8') === content) return;
      const temporary = join(this.folder, temporaryName(this.cdi.fileName(uid)));
      try {
        await this.files.create(temporary, content, { mode: 0o644, durable: false });
        await this.files.rename(temporary, path);
      } catch (error) {
        await this.leftovers.discard(temporary);
        throw error;
      }
    } catch (error) {
      throw failure('DRA334', `cannot write the CDI file: ${reason(error)}`, { cause: error });
    }
  }

  public async remove(uid: string): Promise<void> {
    try {
      await this.files.remove(this.path(uid));
    } catch (error) {
      throw failure('DRA334', `cannot remove the CDI file: ${reason(error)}`, { cause: error });
    }
  }

  /** Makes the folder, removes what a crash left of files of ours, and says for which claims there are files. */
  public async open(): Promise<readonly string[]> {
    try {
      await this.files.makeFolder(this.folder, 0o755);
      const uids: string[] = [];
      for (const name of await this.files.list(this.folder)) {
        const temporary = /^\.(.*)\.[0-9a-f]{8}\.tmp$/.exec(name)?.[1];
        if (temporary !== undefined && this.cdi.uidOf(temporary) !== undefined) {
          await this.leftovers.discard(join(this.folder, name));
          continue;
        }
        const uid = this.cdi.uidOf(name);
        if (uid !== undefined && isClaimUid(uid)) uids.push(uid);
      }
      return uids;
    } catch (error) {
      throw failure('DRA334', `cannot read the CDI folder: ${reason(error)}`, { cause: error });
    }
  }

  /** Removes what a failing disk kept of files that never got their name. */
  public async sweep(): Promise<void> {
    await this.leftovers.sweep();
  }

  /** Devices that the file of a claim names; undefined when there is none that can be read. */
  public async devicesOf(uid: string): Promise<readonly string[] | undefined> {
    const content = await this.files.read(this.path(uid), MAX_FILE_BYTES).catch(() => undefined);
    return content === undefined ? undefined : this.cdi.devicesIn(content.toString('utf8'), uid);
  }

  private path(uid: string): string {
    if (!isClaimUid(uid)) throw new Error(`'${uid}' must be the UID of a claim to be part of a file name`);
    return join(this.folder, this.cdi.fileName(uid));
  }
}

const MAX_FILE_BYTES = 1024 * 1024;

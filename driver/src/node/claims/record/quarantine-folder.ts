import { join } from 'node:path';

import { bootMark } from './boot-mark.js';
import { unreadable, unwritable } from './disk-failure.js';
import type { FileSystem } from './file-system.js';
import { MAX_RECORD_BYTES } from './record-format.js';
import type { Decoded, RecordCodec } from './record-format.js';
import { fileName, recordName } from './record-name.js';
import type { RecordName } from './record-name.js';

/** Its name: `<name of the record>.<mark of the boot>[.<n>].json`. */
export interface QuarantinedFile {
  readonly file: string;
  /** Mark of the boot in which it may have been in use. */
  readonly boot: string | undefined;
  /** Undefined when the name says nothing. */
  readonly name: RecordName | undefined;
  readonly decoded: Decoded;
}

/** `quarantine/`: records that cannot be read, beside `claims/`. Nobody reads them again but a newer agent or a person. */
export class QuarantineFolder {
  private readonly claims: string;
  private readonly folder: string;

  public constructor(private readonly files: FileSystem, dataFolder: string, private readonly codec: RecordCodec) {
    this.claims = join(dataFolder, 'claims');
    this.folder = join(dataFolder, 'quarantine');
  }

  public async make(): Promise<void> {
    try {
      await this.files.makeFolder(this.folder, 0o700);
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Takes a file out of the way and keeps it. */
  public async setAside(file: string, bootId: string): Promise<void> {
    try {
      const taken = new Set(await this.files.list(this.folder));
      const stem = `${file.slice(0, -'.json'.length)}.${bootMark(bootId)}`;
      let aside = `${stem}.json`;
      for (let i = 1; taken.has(aside); i++) aside = `${stem}.${i}.json`;
      await this.files.rename(join(this.claims, file), join(this.folder, aside));
      await this.files.syncFolder(this.folder);
      await this.files.syncFolder(this.claims);
    } catch (error) {
      throw unwritable(`claims/${file}`, error);
    }
  }

  public async readAll(): Promise<readonly QuarantinedFile[]> {
    const found: QuarantinedFile[] = [];
    try {
      for (const file of await this.list()) {
        const bytes = await this.files.read(join(this.folder, file), MAX_RECORD_BYTES + 1);
        const [, stem = '', boot] = ASIDE.exec(file) ?? [];
        const name = recordName(`${stem}.json`);
        if (bytes !== undefined) found.push({ file, boot, name, decoded: this.codec.decode(bytes, name?.uid ?? '') });
      }
    } catch (error) {
      throw unreadable(error);
    }
    return found;
  }

  public async list(): Promise<readonly string[]> {
    return (await this.files.list(this.folder)).filter((name) => name.endsWith('.json'));
  }

  /** A record that can be read again goes back, unless there is another by now. */
  public async restore(file: string, name: RecordName): Promise<boolean> {
    try {
      if ((await this.files.list(this.claims)).includes(fileName(name))) return false;
      await this.files.rename(join(this.folder, file), join(this.claims, fileName(name)));
      await this.files.syncFolder(this.claims);
      await this.files.syncFolder(this.folder);
      return true;
    } catch {
      // It stays set aside, and what it is about stays held.
      return false;
    }
  }

  public async forget(file: string): Promise<void> {
    try {
      await this.files.remove(join(this.folder, file));
      await this.files.syncFolder(this.folder);
    } catch (error) {
      throw unwritable(`quarantine/${file}`, error);
    }
  }
}

const ASIDE = /^(.+?)\.([0-9a-f]{8})(?:\.\d+)?\.json$/;

import { join } from 'node:path';

import { codeOf } from './file-system.js';
import type { FileSystem } from './file-system.js';
import type { LeftoverFiles } from './leftover-files.js';
import { temporaryName } from './temporary-name.js';

/**
 * Files of a folder that nobody needs any more, kept to be written anew.
 *
 * ext4 gives a new file slowly when many have gone in the seconds before, as when one batch of pods follows another, and no disk gives one when it is
 * full. The name of a spare file is that of a temporary one, so that the next agent removes it.
 */
export class SpareFiles {
  private readonly paths: string[] = [];

  public constructor(private readonly files: FileSystem, private readonly folder: string, private readonly leftovers: LeftoverFiles) {}

  /** A spare file with this content; undefined when there is none. */
  public async filled(content: string): Promise<string | undefined> {
    const path = this.paths.pop();
    if (path === undefined) return undefined;
    try {
      await this.files.rewrite(path, content);
      return path;
    } catch {
      // A new one may do where this one does not, and says why where it does not either.
      await this.leftovers.discard(path);
      return undefined;
    }
  }

  /** Takes the name of a file away, and returns that which it has now; undefined when it has none any more. */
  public async takeAway(path: string): Promise<string | undefined> {
    const spare = this.newName();
    try {
      await this.files.rename(path, spare);
      return spare;
    } catch (error) {
      // A removal needs no room on a full disk.
      if (codeOf(error) !== 'ENOENT') await this.files.remove(path);
      return undefined;
    }
  }

  /** A second name for a file that is about to lose its first; undefined where there is no such file, or no such name. */
  public async secondName(path: string): Promise<string | undefined> {
    const spare = this.newName();
    return this.files.link(path, spare).then(() => spare, () => undefined);
  }

  /** Its only name is this one, and no loss of power gives it another. */
  public async add(path: string): Promise<void> {
    if (this.paths.length < MOST_SPARE) this.paths.push(path);
    else await this.leftovers.discard(path);
  }

  public async clear(): Promise<void> {
    for (const path of this.paths.splice(0)) await this.leftovers.discard(path);
  }

  private newName(): string {
    return join(this.folder, temporaryName('spare'));
  }
}

/** Twice the claims that come and go at once on a large node: each has two files for a moment. */
const MOST_SPARE = 128;

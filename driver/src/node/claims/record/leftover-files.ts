import type { FileSystem } from './file-system.js';

/**
 * Files of ours that never got their name and could not be removed, because the disk was full, read-only or gone.
 *
 * They do no harm, and go once the disk lets them.
 */
export class LeftoverFiles {
  private readonly paths = new Set<string>();

  public constructor(private readonly files: FileSystem) {}

  /** Removes a file now, or later. */
  public async discard(path: string): Promise<void> {
    try {
      await this.files.remove(path);
      this.paths.delete(path);
    } catch {
      // On a disk that stays read-only most were never made. The rest goes at the next start, by its name.
      if (this.paths.size < MOST_REMEMBERED) this.paths.add(path);
    }
  }

  /** Tries those again that are left. */
  public async sweep(): Promise<void> {
    for (const path of [...this.paths]) await this.discard(path);
  }
}

const MOST_REMEMBERED = 1024;

import { constants, closeSync, fdatasync, fstatSync, fsync, ftruncateSync, linkSync, mkdirSync, openSync, readdirSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * What records and CDI files need of a disk: few steps, so that a test can fail or stop at each of them.
 *
 * Errors are those of the operating system, with their `code`.
 */
export interface FileSystem {
  /** With those above it; nothing happens when it is there. */
  makeFolder(path: string, mode: number): Promise<void>;
  /** Names of files, sorted; a folder that is missing is an error. */
  list(folder: string): Promise<readonly string[]>;
  /** Undefined when there is no such file. Of a larger file the first `limit` bytes and no more. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
  /** Writes a file that was not there; with `durable` its content is on the disk afterwards. After an error there may be a part of it. */
  create(path: string, content: string, options: { readonly mode: number; readonly durable: boolean }): Promise<void>;
  /** Over a part of a file that is there and long enough, which needs no room on the disk; with `durable` all that was written so is on the disk afterwards. */
  overwrite(path: string, content: string, options: { readonly at: number; readonly durable: boolean }): Promise<void>;
  /** Other content for a file that is there and has no other name (`EMLINK`), on its room as far as that goes. Until it returns, and after an error, there may be any part of either. */
  rewrite(path: string, content: string): Promise<void>;
  /** A second name for a file. */
  link(path: string, to: string): Promise<void>;
  /** Puts the content of a file on the disk. */
  syncFile(path: string): Promise<void>;
  /** In one step, over a file that may be there. */
  rename(from: string, to: string): Promise<void>;
  /** False when there was no such file. */
  remove(path: string): Promise<boolean>;
  /** Puts renames and removals in a folder on the disk. */
  syncFolder(path: string): Promise<void>;
}

const dataToDisk = promisify(fdatasync);
const toDisk = promisify(fsync);

/**
 * The disk of this machine.
 *
 * Only what waits for the disk leaves the event loop: the other calls end in the page cache, and a trip through libuv's threads costs more
 * than they do. One folder is synced for all that wait for it: a sync that begins after a rename covers it.
 */
export class LocalFileSystem implements FileSystem {
  private readonly folderSyncs = new Map<string, FolderSync>();

  public async makeFolder(path: string, mode: number): Promise<void> {
    mkdirSync(path, { recursive: true, mode });
  }

  public async list(folder: string): Promise<readonly string[]> {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name).sort();
  }

  public async read(path: string, limit: number): Promise<Buffer | undefined> {
    const file = openIfThere(path);
    if (file === undefined) return undefined;
    try {
      const buffer = Buffer.alloc(Math.min(limit, fstatSync(file).size));
      let length = 0;
      while (length < buffer.length) {
        const count = readSync(file, buffer, length, buffer.length - length, length);
        if (count === 0) break;
        length += count;
      }
      return buffer.subarray(0, length);
    } finally {
      closeSync(file);
    }
  }

  public async create(path: string, content: string, { mode, durable }: { readonly mode: number; readonly durable: boolean }): Promise<void> {
    const file = openSync(path, 'wx', mode);
    try {
      writeAt(file, Buffer.from(content), 0);
      if (durable) await dataToDisk(file);
    } finally {
      closeSync(file);
    }
  }

  public async overwrite(path: string, content: string, { at, durable }: { readonly at: number; readonly durable: boolean }): Promise<void> {
    const file = openSync(path, constants.O_WRONLY + constants.O_NOFOLLOW);
    try {
      writeAt(file, Buffer.from(content), at);
      if (durable) await dataToDisk(file);
    } finally {
      closeSync(file);
    }
  }

  public async rewrite(path: string, content: string): Promise<void> {
    const file = openSync(path, constants.O_WRONLY + constants.O_NOFOLLOW);
    try {
      const { nlink, size } = fstatSync(file);
      // Somebody's backup may be made of links.
      if (nlink !== 1) throw Object.assign(new Error('the file has other names'), { code: 'EMLINK' });
      const bytes = Buffer.from(content);
      writeAt(file, bytes, 0);
      if (size > bytes.length) ftruncateSync(file, bytes.length);
    } finally {
      closeSync(file);
    }
  }

  public async link(path: string, to: string): Promise<void> {
    linkSync(path, to);
  }

  public async syncFile(path: string): Promise<void> {
    const file = openSync(path, constants.O_RDONLY + constants.O_NOFOLLOW);
    try {
      await dataToDisk(file);
    } finally {
      closeSync(file);
    }
  }

  public async rename(from: string, to: string): Promise<void> {
    renameSync(from, to);
  }

  public async remove(path: string): Promise<boolean> {
    try {
      unlinkSync(path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  public async syncFolder(path: string): Promise<void> {
    let sync = this.folderSyncs.get(path);
    if (sync === undefined) {
      sync = new FolderSync(path);
      this.folderSyncs.set(path, sync);
    }
    await sync.next();
  }
}

/** The operating system's code of an error, such as ENOSPC. */
export function codeOf(error: unknown): string | undefined {
  // Not by class: errors of another realm, as test runners have them, are of another class of the same name.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Of a plain file only: a link in our folders is not ours, and what it points at is none of our business. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY + constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeAt(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written, bytes.length - written, at + written);
}

class FolderSync {
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;

  public constructor(private readonly path: string) {}

  /** A sync that begins from now on. */
  public async next(): Promise<void> {
    if (this.running === undefined) return this.begin();
    this.waiting ??= this.running.catch(() => undefined).then(async () => {
      this.waiting = undefined;
      await this.begin();
    });
    return this.waiting;
  }

  private async begin(): Promise<void> {
    this.running = this.sync().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async sync(): Promise<void> {
    const folder = openSync(this.path, constants.O_RDONLY + constants.O_DIRECTORY);
    try {
      await toDisk(folder);
    } finally {
      closeSync(folder);
    }
  }
}

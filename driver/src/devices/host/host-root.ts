/* eslint-disable no-bitwise -- Flags of files and numbers of device nodes are bits. */
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';

import { HostFileError, hostFileError } from './host-file-error.js';
import { naturalOrder } from './natural-order.js';

/** Numbers of a device node. */
export interface DeviceNumbers {
  readonly type: 'b' | 'c';
  readonly major: number;
  readonly minor: number;
}

/** Larger than any attribute of sysfs (a page), far smaller than what would hurt. */
export const MAX_ATTRIBUTE_BYTES = 64 * 1024;

/** A healthy kernel answers in microseconds; hardware in trouble may take for ever. */
const PATIENCE_MS = 5_000;

/**
 * The files of a host below a folder: `/` on the host itself, a mount of it in a container, a made tree in tests.
 *
 * Paths are those of the host. Symbolic links are followed as the host would, and never out of the folder. Calls that the kernel does not
 * answer end with an error, and the path is not tried again before it answered, so that sick hardware cannot use up all threads.
 */
export class HostRoot {
  private readonly folder: string;
  private real: Promise<string> | undefined;
  private readonly hanging = new Set<string>();

  public constructor(folder: string) {
    this.folder = normalize(folder);
  }

  /** The path on this machine, with all links followed. */
  public async resolve(path: string): Promise<string> {
    try {
      const root = await this.realRoot();
      const fast = await realpath(join(root, path));
      if (isWithin(root, fast)) return fast;
    } catch (error) {
      // An absolute link that holds only inside the folder looks broken from here.
      if (this.folder === sep) throw hostFileError(path, error);
    }
    return this.walk(path);
  }

  /** The path inside the folder, with all links followed. */
  public async target(path: string): Promise<string> {
    const root = await this.realRoot();
    const found = await this.resolve(path);
    return root === sep ? found : found.slice(root.length) || sep;
  }

  /** The content of a plain file. */
  public read(path: string, maxBytes = MAX_ATTRIBUTE_BYTES): Promise<Buffer> {
    return this.patiently(path, async () => {
      const file = await open(await this.resolve(path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      try {
        if (!(await file.stat()).isFile()) throw new HostFileError('wrong-kind', path, 'is no plain file');
        const buffer = Buffer.alloc(maxBytes + 1);
        let length = 0;
        while (length <= maxBytes) {
          const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
          if (bytesRead === 0) return buffer.subarray(0, length);
          length += bytesRead;
        }
        throw new HostFileError('too-large', path, `has more than ${maxBytes} bytes`);
      } finally {
        await file.close();
      }
    });
  }

  /** Names in a folder, in natural order: card2 before card10. */
  public list(path: string): Promise<string[]> {
    return this.patiently(path, async () => (await readdir(await this.resolve(path))).sort(naturalOrder));
  }

  /** Whether there is anything at the path. */
  public async exists(path: string): Promise<boolean> {
    try {
      await this.resolve(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The numbers of a device node; undefined when there is none, or something else. */
  public async deviceNode(path: string): Promise<DeviceNumbers | undefined> {
    try {
      const found = await stat(await this.resolve(path), { bigint: true });
      if (!found.isCharacterDevice() && !found.isBlockDevice()) return undefined;
      return { type: found.isBlockDevice() ? 'b' : 'c', major: major(found.rdev), minor: minor(found.rdev) };
    } catch {
      return undefined;
    }
  }

  /** Writes an attribute; nothing is created. Patience is the caller's, since programming hardware takes its time. */
  public async write(path: string, text: string, patienceMs: number): Promise<void> {
    await this.patiently(path, async () => {
      const file = await open(await this.resolve(path), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      try {
        await file.write(text);
      } finally {
        await file.close();
      }
    }, patienceMs);
  }

  private realRoot(): Promise<string> {
    this.real ??= realpath(this.folder).catch((error: unknown) => {
      this.real = undefined;
      throw hostFileError(sep, error);
    });
    return this.real;
  }

  /** Follows links one by one, as if the folder were `/`. */
  private async walk(path: string): Promise<string> {
    const root = await this.realRoot();
    let rest = path.split(sep).filter((part) => part !== '' && part !== '.');
    let at = root;
    for (let steps = 0; rest.length > 0; steps++) {
      if (steps > MAX_STEPS) throw new HostFileError('outside', path, 'leads in a circle');
      const [part, ...others] = rest as [string, ...string[]];
      rest = others;
      if (part === '..') {
        at = at === root ? root : dirname(at);
        continue;
      }
      const next = join(at, part);
      const link = await this.linkAt(next, path);
      if (link === undefined) {
        at = next;
        continue;
      }
      if (link.startsWith(sep)) at = root;
      rest = [...link.split(sep).filter((name) => name !== '' && name !== '.'), ...rest];
    }
    return at;
  }

  private async linkAt(place: string, path: string): Promise<string | undefined> {
    try {
      return (await lstat(place)).isSymbolicLink() ? await readlink(place) : undefined;
    } catch (error) {
      throw hostFileError(path, error);
    }
  }

  private async patiently<T>(path: string, act: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
    if (this.hanging.has(path)) throw new HostFileError('hangs', path, 'has not answered yet');
    let timer: NodeJS.Timeout | undefined;
    const work = act().finally(() => this.hanging.delete(path));
    try {
      return await Promise.race([work, new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          this.hanging.add(path);
          reject(new HostFileError('hangs', path, `does not answer within ${patienceMs / 1000} s`));
        }, patienceMs);
      })]);
    } catch (error) {
      work.catch(() => undefined);
      throw hostFileError(path, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** As the kernel itself limits it, counted in parts of the path. */
const MAX_STEPS = 400;

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : root + sep);
}

/** As glibc's gnu_dev_major and gnu_dev_minor. */
function major(device: bigint): number {
  return Number(((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn));
}

function minor(device: bigint): number {
  return Number((device & 0xffn) | ((device >> 12n) & ~0xffn & 0xffffffffn));
}

import { constants, closeSync, linkSync, lstatSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

import { codeOf } from '../record/file-system.js';

/** Longer paths of sockets are cut off without a word. */
const MAX_SOCKET_PATH = 107;

/** The sockets of the lock: `lock.<n>.sock` for each holder there ever was, `own.<id>.sock` before one becomes holder. */
export class LockNumbers {
  private readonly descriptor: number;

  public constructor(private readonly folder: string) {
    this.descriptor = openSync(folder, constants.O_RDONLY + constants.O_DIRECTORY);
  }

  /** The highest number that was given, 0 for none. */
  public highest(): number {
    return this.given().at(-1) ?? 0;
  }

  /** Gives a number to the socket under `ownName`; false when it is given, also when it was given and swept at any time before. */
  public claim(ownName: string, number: number): boolean {
    try {
      linkSync(join(this.folder, ownName), join(this.folder, lockName(number)));
    } catch (error) {
      // Somebody was faster, or took our own socket for a dead one and swept it.
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
      throw error;
    }
    const inode = this.inode(number);
    /*
     * Numbers below the highest are swept, so a slow agent can get one that was given before. Then a higher one existed when it was linked. The
     * listing shows that one, or it was swept meanwhile by an even higher holder, who sweeps from below and so removed this number first.
     */
    if (this.highest() === number && inode !== undefined && this.inode(number) === inode) return true;
    this.removeLink(number, inode);
    return false;
  }

  /** Whether the number is still given, to this socket. */
  public isInPlace(number: number, inode: bigint): boolean {
    return this.inode(number) === inode;
  }

  public inode(number: number): bigint | undefined {
    return lstatSync(join(this.folder, lockName(number)), { bigint: true, throwIfNoEntry: false })?.ino;
  }

  /** Removes all numbers below, lowest first: `claim` relies on it. */
  public sweepBelow(number: number): void {
    for (const lower of this.given()) if (lower < number) this.removeFile(lockName(lower));
  }

  /** Sockets that have no number. */
  public ownNames(): readonly string[] {
    return readdirSync(this.folder).filter((name) => OWN.test(name));
  }

  public removeFile(name: string): void {
    try {
      unlinkSync(join(this.folder, name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  /** A path that the socket layer takes whole: through the descriptor of the folder where its own path is too long. */
  public socketPath(name: string): string {
    const path = join(this.folder, name);
    return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(`/proc/self/fd/${this.descriptor}`, name);
  }

  public close(): void {
    closeSync(this.descriptor);
  }

  private given(): readonly number[] {
    return readdirSync(this.folder).flatMap((name) => {
      const [, number] = LOCK.exec(name) ?? [];
      return number === undefined ? [] : [Number(number)];
    }).sort((a, b) => a - b);
  }

  private removeLink(number: number, inode: bigint | undefined): void {
    if (inode !== undefined && this.inode(number) === inode) this.removeFile(lockName(number));
  }
}

export function lockName(number: number): string {
  return `lock.${number}.sock`;
}

/** Twelve digits are enough for a holder every millisecond for thirty years. */
const LOCK = /^lock\.([1-9]\d{0,11})\.sock$/;
const OWN = /^own\.[0-9a-f]{8}\.sock$/;

import { basename, dirname } from 'node:path';

import type { Steps } from './steps.js';
import { systemError } from './steps.js';
import type { FileSystem } from '../../../../src/node/claims/record/file-system.js';

interface Content {
  text: string;
  /** On the disk, and not only in memory. */
  isDurable: boolean;
  /** What is on the disk, where a part was written over since. */
  synced?: string;
}

/**
 * A disk in memory that knows what a power failure would leave of it.
 *
 * As ext4 in its usual mode: a sync of a folder commits all changes of names before it, a power failure leaves them up to some point in their
 * order, and content that was never synced may be empty.
 */
export class MemoryDisk {
  private names = new Map<string, Content>();
  private readonly folders = new Set<string>();
  private committed = new Map<string, Content>();
  private pending: ((names: Map<string, Content>) => void)[] = [];
  /** Folders in memory, such as /var/run, that a reboot empties. */
  public constructor(private readonly volatile: readonly string[] = []) {}

  public get paths(): readonly string[] {
    return [...this.names.keys()].sort();
  }

  public text(path: string): string | undefined {
    return this.names.get(path)?.text;
  }

  public under(folder: string): readonly string[] {
    return this.paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
  }

  /** By a person, or by a fault of the disk. */
  public set(path: string, text: string): void {
    this.folders.add(dirname(path));
    const content = { text, isDurable: true };
    this.names.set(path, content);
    this.committed.set(path, content);
  }

  public delete(path: string): void {
    this.names.delete(path);
    this.committed.delete(path);
  }

  public wipe(folder: string): void {
    for (const path of this.paths) if (path.startsWith(`${folder}/`)) this.delete(path);
    for (const path of [...this.folders]) if (path === folder || path.startsWith(`${folder}/`)) this.folders.delete(path);
  }

  /** The machine stops. `survive`: how many of the changes that were never synced are there afterwards, from 0 to 1. */
  public failPower(survive: number): void {
    const kept = Math.round(this.pending.length * survive);
    for (const change of this.pending.slice(0, kept)) change(this.committed);
    this.pending = [];
    this.names = new Map([...this.committed].map(([path, content]) => [path, { text: content.isDurable ? survivor(content, survive) : '', isDurable: true }]));
    this.reboot();
  }

  /** The machine stops in order. */
  public reboot(): void {
    for (const folder of this.volatile) this.wipe(folder);
    this.committed = new Map(this.names);
    this.pending = [];
  }

  public fileSystem(steps: Steps): FileSystem {
    return {
      makeFolder: async (path) => steps.take(`makeFolder ${path}`, () => {
        for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) this.folders.add(folder);
      }),
      list: async (folder) => steps.take(`list ${folder}`, () => {
        if (!this.folders.has(folder)) throw systemError('ENOENT');
        return this.under(folder);
      }),
      read: async (path, limit) => steps.take(`read ${path}`, () => {
        const content = this.names.get(path);
        return content === undefined ? undefined : Buffer.from(content.text).subarray(0, limit);
      }),
      create: async (path, text, { durable }) => {
        await steps.take(`create ${path}`, () => {
          if (this.names.has(path)) throw systemError('EEXIST');
          if (!this.folders.has(dirname(path))) throw systemError('ENOENT');
          this.change((names) => names.set(path, { text: '', isDurable: false }));
        });
        const content = this.names.get(path)!;
        await steps.take(`write ${path}`, () => {
          content.text = text.slice(0, text.length / 2);
        });
        await steps.take(`write ${path}`, () => {
          content.text = text;
        });
        if (durable) {
          await steps.take(`fdatasync ${path}`, () => {
            content.isDurable = true;
          });
        }
      },
      overwrite: async (path, text, { at, durable }) => {
        const content = await steps.take(`open ${path}`, () => {
          const there = this.names.get(path);
          if (there === undefined) throw systemError('ENOENT');
          return there;
        });
        const half = Math.ceil(text.length / 2);
        for (const [from, part] of [[at, text.slice(0, half)], [at + half, text.slice(half)]] as const) {
          await steps.take(`write ${path}`, () => {
            if (from + part.length > content.text.length) throw systemError('ENOSPC');
            content.synced ??= content.text;
            content.text = content.text.slice(0, from) + part + content.text.slice(from + part.length);
          });
        }
        if (durable) {
          await steps.take(`fdatasync ${path}`, () => {
            delete content.synced;
          });
        }
      },
      rewrite: async (path, text) => {
        const content = await steps.take(`open ${path}`, () => {
          const there = this.names.get(path);
          if (there === undefined) throw systemError('ENOENT');
          if ([...this.names.values()].filter((one) => one === there).length > 1) throw systemError('EMLINK');
          return there;
        });
        for (const length of [text.length / 2, text.length]) {
          await steps.take(`write ${path}`, () => {
            content.synced ??= content.text;
            content.text = text.slice(0, length) + content.text.slice(Math.ceil(length));
          });
        }
        await steps.take(`truncate ${path}`, () => {
          content.text = text;
        });
      },
      link: async (path, to) => steps.take(`link ${path} ${to}`, () => {
        const content = this.names.get(path);
        if (content === undefined) throw systemError('ENOENT');
        if (this.names.has(to)) throw systemError('EEXIST');
        this.change((names) => names.set(to, content));
      }),
      syncFile: async (path) => steps.take(`fdatasync ${path}`, () => {
        const content = this.names.get(path);
        if (content === undefined) throw systemError('ENOENT');
        content.isDurable = true;
        delete content.synced;
      }),
      rename: async (from, to) => steps.take(`rename ${from} ${to}`, () => {
        if (!this.names.has(from)) throw systemError('ENOENT');
        this.change((names) => {
          const content = names.get(from);
          if (content === undefined) return;
          names.delete(from);
          names.set(to, content);
        });
      }),
      remove: async (path) => steps.take(`remove ${path}`, () => {
        const isThere = this.names.has(path);
        if (isThere) this.change((names) => names.delete(path));
        return isThere;
      }),
      syncFolder: async (path) => steps.take(`syncFolder ${path}`, () => {
        for (const change of this.pending) change(this.committed);
        this.pending = [];
      }),
    };
  }

  private change(change: (names: Map<string, Content>) => void): void {
    change(this.names);
    // The same content object in both, so that a later sync of the content counts in both.
    const before = new Map(this.names);
    this.pending.push((names) => {
      for (const path of [...names.keys()]) if (!before.has(path)) names.delete(path);
      for (const [path, content] of before) names.set(path, content);
    });
  }
}

/** Of what was written over and never synced a part is there: its end, as the disk may write in any order. */
function survivor({ text, synced = text }: Content, survive: number): string {
  const lost = Math.round(text.length * (1 - survive));
  const from = [...text].findIndex((character, index) => character !== synced[index]);
  const end = text.length - [...text].reverse().findIndex((character, index) => character !== synced[text.length - 1 - index]);
  if (from === -1) return text;
  const cut = from + Math.round((end - from) * (lost / text.length));
  return synced.slice(0, cut) + text.slice(cut);
}

import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

import type { FileSystem } from './file-system.js';

/** What happened to the name of a file. */
export type NameChange =
  | { readonly put: string; readonly content: string }
  | { readonly rename: string; readonly to: string }
  | { readonly remove: string };

/** What a journal tells of the files, as they were last: their content, undefined for those that are gone. */
export interface JournalContent {
  readonly boot: string;
  readonly files: ReadonlyMap<string, string | undefined>;
}

/** Room for some hundred claims before it is begun anew. */
export const JOURNAL_BYTES = 256 * 1024;

interface Waiting {
  readonly line: string;
  readonly durable: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * What a loss of power must not undo: changes of small files, in their order, in one file whose room was there before.
 *
 * The files themselves are what is true as long as the machine runs, also for the next process. Only after a loss of power does the journal
 * count. So none of them waits for the disk by itself: a line in a file that does not grow is on the disk in a fraction of the time that a new file
 * takes, and all that wait at once share one write.
 *
 * The first line says the boot; then a line a change, with a checksum: what a loss of power left of an unfinished line is no line. Line feeds fill the room.
 */
export class RecordJournal {
  /** `off`: whoever changes a file syncs it. `broken`: it says less than the files, and must end before they change again. */
  private state: 'off' | 'on' | 'broken' = 'off';
  private end = 0;
  private size = 0;
  private boot = '';
  private snapshot: (() => Promise<ReadonlyMap<string, string>>) | undefined;
  private queue: Waiting[] = [];
  private running = false;

  public constructor(private readonly files: FileSystem, private readonly path: string, private readonly bytes = JOURNAL_BYTES) {}

  public get isOn(): boolean {
    return this.state === 'on';
  }

  public get isBroken(): boolean {
    return this.state === 'broken';
  }

  /** Of an agent before; undefined when there is none, or none whose first line is whole. */
  public async read(): Promise<JournalContent | undefined> {
    const bytes = await this.files.read(this.path, MAX_JOURNAL_BYTES);
    const [first, ...lines] = bytes?.toString('utf8').split('\n') ?? [];
    const head = entryOf(first ?? '');
    if (head === undefined || !('boot' in head)) return undefined;
    const files = new Map<string, string | undefined>();
    for (const line of lines) {
      const entry = entryOf(line);
      if (entry === undefined || 'boot' in entry) continue;
      if ('put' in entry) {
        files.set(entry.put, entry.content);
      } else if ('remove' in entry) {
        files.set(entry.remove, undefined);
      } else {
        const content = files.get(entry.rename);
        files.set(entry.rename, undefined);
        if (content !== undefined) files.set(entry.to, content);
      }
    }
    return { boot: head.boot, files };
  }

  /**
   * Begins a new one with all files there are. From this very step changes wait for it, so that none is missed.
   *
   * Throws when it cannot be made, and there is none or a broken one then.
   */
  public async begin(boot: string, snapshot: () => Promise<ReadonlyMap<string, string>>): Promise<void> {
    this.state = 'on';
    this.boot = boot;
    this.snapshot = snapshot;
    this.running = true;
    try {
      await this.renew();
    } catch (error) {
      this.fail(error);
      throw error;
    } finally {
      this.running = false;
    }
    void this.run();
  }

  /** Of a name that no other change waits for. With `durable` it survives a loss of power once this returns; else in time. Throws when it cannot be written, and is broken from then on. */
  public async append(change: NameChange, { durable }: { readonly durable: boolean }): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.queue.push({ line: lineOf(change), durable, done, failed });
      void this.run();
    });
  }

  /** Nothing needs it any more: all files are on the disk. */
  public async remove(): Promise<void> {
    await this.files.remove(this.path);
    await this.files.syncFolder(dirname(this.path));
    if (this.state === 'broken') this.state = 'off';
  }

  /** No change waits for it from now on; it stays as it is until it is removed. */
  public close(): void {
    if (this.state === 'on') this.state = 'broken';
  }

  /** Writes what waits, until nothing does. */
  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      while (this.queue.length > 0 && this.state === 'on') {
        const batch = this.queue;
        const content = batch.map(({ line }) => line).join('');
        if (this.end + Buffer.byteLength(content) > this.size) {
          // Anew from the files, in which what waits has happened already.
          await this.renew(Buffer.byteLength(content));
          continue;
        }
        this.queue = [];
        try {
          await this.files.overwrite(this.path, content, { at: this.end, durable: batch.some(({ durable }) => durable) });
        } catch (error) {
          this.queue = [...batch, ...this.queue];
          throw error;
        }
        this.end += Buffer.byteLength(content);
        for (const { done } of batch) done();
      }
      if (this.state !== 'on') this.refuse(new Error('the journal is closed'));
    } catch (error) {
      this.fail(error);
    } finally {
      this.running = false;
    }
  }

  private fail(error: unknown): void {
    this.state = 'broken';
    this.refuse(error);
  }

  private refuse(error: unknown): void {
    const failed = this.queue;
    this.queue = [];
    for (const one of failed) one.failed(error);
  }

  private async renew(room = 0): Promise<void> {
    const files = await this.snapshot!();
    const content = [lineOf({ boot: this.boot }), ...[...files].map(([put, text]) => lineOf({ put, content: text }))].join('');
    const length = Buffer.byteLength(content);
    const size = Math.max(this.bytes, 2 * (length + room));
    if (size > MAX_JOURNAL_BYTES) throw new Error(`the records have more than ${MAX_JOURNAL_BYTES / 2} bytes`);
    const temporary = join(dirname(this.path), `.${basename(this.path)}.tmp`);
    await this.files.remove(temporary);
    await this.files.create(temporary, content + '\n'.repeat(size - length), { mode: 0o600, durable: true });
    await this.files.rename(temporary, this.path);
    await this.files.syncFolder(dirname(this.path));
    this.end = length;
    this.size = size;
  }
}

const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

type Entry = NameChange | { readonly boot: string };

function lineOf(entry: Entry): string {
  const body = JSON.stringify(entry);
  return `${checksum(body)} ${body}\n`;
}

/** Undefined for what is no whole line. */
function entryOf(line: string): Entry | undefined {
  const body = line.slice(65);
  return line[64] === ' ' && checksum(body) === line.slice(0, 64) ? JSON.parse(body) as Entry : undefined;
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

import { setTimeout as pause } from 'node:timers/promises';

import { isApiError } from './api-error.js';
import type { KubeClient } from './kube-client.js';
import type { KubeObject } from './object.js';
import type { Resource } from './resource.js';

export interface MirrorSelection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface MirrorListener {
  /** Something is different from before, or the first list is there. */
  changed(): void;
  /** The server did not answer or ended the watch with an error; the mirror goes on by itself. */
  trouble(error: unknown): void;
}

/**
 * The objects of a selection as the server has them, kept by list and watch, and never older than what this process wrote.
 *
 * A watch lags behind: whoever writes and then decides from the old copy writes twice. So an answer to a write goes in at once, and events of that
 * object are skipped until the one of the write has passed.
 */
export class ObjectMirror {
  private readonly store = new Map<string, KubeObject>();
  /** Resource version, or uid of a deletion, whose event has not passed yet. */
  private readonly pending = new Map<string, { readonly mark: string; readonly since: number }>();
  /** Resource versions, and uids of deletions, of the last events: an event can be faster than the answer to the write. */
  private readonly passed = new Set<string>();
  private stopping: AbortController | undefined;
  private listed = false;
  private loop: Promise<void> = Promise.resolve();

  public constructor(
    private readonly client: KubeClient,
    private readonly resource: Resource,
    private readonly selection: MirrorSelection,
    private readonly listener: MirrorListener,
  ) {}

  /** Whether a list has succeeded since the start. */
  public get synced(): boolean {
    return this.listed;
  }

  public get objects(): readonly KubeObject[] {
    return [...this.store.values()];
  }

  public start(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    this.loop = this.run(this.stopping.signal);
  }

  public async stop(): Promise<void> {
    this.stopping?.abort();
    await this.loop;
    this.stopping = undefined;
    this.listed = false;
  }

  /** Puts in what the server answered to a create or update. */
  public wrote(object: KubeObject): void {
    const mark = object.metadata?.resourceVersion ?? '';
    if (this.passed.has(mark)) return;
    this.store.set(keyOf(object), object);
    this.pending.set(keyOf(object), { mark, since: performance.now() });
  }

  /** Takes out what the server deleted. */
  public deleted(object: KubeObject): void {
    const mark = object.metadata?.uid ?? '';
    if (this.passed.has(mark)) return;
    this.store.delete(keyOf(object));
    this.pending.set(keyOf(object), { mark, since: performance.now() });
  }

  private async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        let version = await this.list(signal);
        while (!signal.aborted) {
          const begun = performance.now();
          const isSteady = () => performance.now() - begun >= STEADY;
          try {
            version = await this.watch(version, signal);
          } finally {
            // Only now: a server that lists and refuses to watch would be listed several times a second.
            if (isSteady()) failures = 0;
          }
          // One that ends each watch at once, as a proxy that keeps no connection, must not be asked all the time.
          if (!isSteady()) await rest(failures++, signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        // Too old a version only asks for a new list.
        if (!isApiError(error, 'Expired')) this.listener.trouble(error);
        await rest(failures++, signal);
      }
    }
  }

  private async list(signal: AbortSignal): Promise<string> {
    const { items, resourceVersion } = await this.client.list(this.resource, { ...this.selection, signal });
    this.store.clear();
    this.pending.clear();
    for (const item of items) this.store.set(keyOf(item), item);
    this.listed = true;
    this.listener.changed();
    return resourceVersion;
  }

  private async watch(from: string, signal: AbortSignal): Promise<string> {
    let version = from;
    for await (const { type, object } of this.client.watch(this.resource, { ...this.selection, resourceVersion: from, signal })) {
      version = object.metadata?.resourceVersion ?? version;
      if (type === 'BOOKMARK') {
        this.refuseLostEvents();
        continue;
      }
      this.remember(type === 'DELETED' ? object.metadata?.uid : version);
      if (this.isBehind(object, type)) continue;
      if (type === 'DELETED') this.store.delete(keyOf(object));
      else this.store.set(keyOf(object), object);
      this.listener.changed();
    }
    return version;
  }

  /** Whether the event is from before this process wrote the object. */
  private isBehind(object: KubeObject, type: string): boolean {
    const key = keyOf(object);
    const waited = this.pending.get(key);
    if (waited === undefined) return false;
    const { uid, resourceVersion } = object.metadata ?? {};
    if (waited.mark !== resourceVersion && !(type === 'DELETED' && waited.mark === uid)) return true;
    this.pending.delete(key);
    return true;
  }

  private remember(mark = ''): void {
    this.passed.add(mark);
    if (this.passed.size > REMEMBERED) for (const oldest of this.passed) return void this.passed.delete(oldest);
  }

  /** A bookmark is newer than all events before it; a write of long ago must have shown by then. */
  private refuseLostEvents(): void {
    const now = performance.now();
    for (const { since } of this.pending.values()) {
      if (now - since > LOST) throw new Error(`the watch of ${this.resource.plural} did not show a write of ${LOST / 1000} s ago; it is listed anew`);
    }
  }
}

async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failures);
  await pause(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}

const FIRST_PAUSE = 200;
/** A watch that lasts that long works. */
const STEADY = 5000;
const MAX_PAUSE = 30_000;
const LOST = 30_000;
const REMEMBERED = 1000;

function keyOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

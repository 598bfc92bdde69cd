import { EmptyGuard } from './empty-guard.js';
import { poolContent } from './pool-content.js';
import { probeAbilities } from './probe-abilities.js';
import { RefusedDevices } from './refused-devices.js';
import { sameContent } from './same-content.js';
import type { ServerAbilities } from './server-abilities.js';
import type { OwnerNode, SliceContent, SliceObject } from './slice-object.js';
import { sliceWrites } from './slice-writes.js';
import type { PublishedPool, SliceWrite } from './slice-writes.js';
import type { InventoryProblem } from '../../devices/inventory.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { ObjectMirror } from '../../kube/object-mirror.js';
import { RESOURCE_SLICES } from '../../kube/resource.js';
import type { DeviceState } from '../device-state.js';

export interface SlicePublisherOptions {
  readonly client: KubeClient;
  readonly driver: string;
  readonly node: OwnerNode;
  readonly state: Pick<DeviceState, 'inventory' | 'isolations' | 'mode'>;
  readonly observer: SliceObserver;
  /** Wall clock, for the time of a taint. */
  readonly clock: () => Date;
}

/** Who is told about publishing: metrics, logs, events. Must not throw. */
export interface SliceObserver {
  wrote(kind: SliceWrite['kind'], outcome: 'success' | 'failure', seconds: number): void;
  /** The pool is as it should be. */
  published(pool: PublishedPool | undefined): void;
  /** Publishing failed and goes on by itself; an invalid slice only after something changed. */
  failed(error: unknown): void;
  /** All that stands in the way of devices now; empty when nothing does. */
  problems(problems: readonly InventoryProblem[]): void;
}

/**
 * Keeps the slices of this node as the inventory, the health and the mode say.
 *
 * It compares what should be with what is, whatever happened in between: a change on the node, a slice that somebody deleted or edited,
 * a kubelet that wiped all, an API server that was away.
 */
export class SlicePublisher {
  private readonly mirror: ObjectMirror;
  private readonly guard = new EmptyGuard();
  private readonly stops: (() => void)[] = [];
  private abilities: ServerAbilities | undefined;
  private published: PublishedPool | undefined;
  /** Slices that the server stored otherwise than sent, so that they are not sent for ever. */
  private readonly altered = new Map<string, { readonly sent: SliceContent; readonly stored: SliceContent }>();
  private readonly refused = new RefusedDevices();
  private frozenSince: string | undefined;
  private stopping: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private failures = 0;

  public constructor(private readonly options: SlicePublisherOptions) {
    const fieldSelector = `spec.driver=${options.driver},spec.nodeName=${options.node.name}`;
    this.mirror = new ObjectMirror(options.client, RESOURCE_SLICES, { fieldSelector }, {
      changed: () => this.wake(),
      trouble: (error) => {
        // The server that answers next may be another version.
        this.abilities = undefined;
        options.observer.failed(error);
      },
    });
  }

  public start(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    const { inventory, isolations, mode } = this.options.state;
    for (const value of [inventory, isolations, mode]) this.stops.push(value.follow(() => this.wake()));
    this.mirror.start();
  }

  /** Ends; the slices stay. */
  public async stop(): Promise<void> {
    this.stopping?.abort();
    clearTimeout(this.timer);
    for (const stop of this.stops.splice(0)) stop();
    await this.mirror.stop();
    await this.running;
    this.stopping = undefined;
  }

  private wake(delay = SETTLE): void {
    if (this.stopping?.signal.aborted !== false) return;
    if (this.running !== undefined) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(this.stopping!.signal), delay);
  }

  private async run(signal: AbortSignal): Promise<void> {
    let next: number | undefined;
    this.running = this.reconcile(signal).then(
      (later) => {
        this.failures = 0;
        next = later;
      },
      (error: unknown) => {
        if (signal.aborted) return;
        this.options.observer.failed(error);
        // Without the devices that were refused it is another slice.
        next = isApiError(error, 'Invalid') ? (this.refused.hasNews() ? SETTLE : INVALID_PAUSE) : pauseAfter(this.failures++);
      },
    );
    await this.running;
    this.running = undefined;
    if (this.again) next = SETTLE;
    this.again = false;
    if (next !== undefined) this.wake(next);
  }

  /** One comparison and its writes; answers in how many milliseconds to look again, if no event will tell. */
  private async reconcile(signal: AbortSignal): Promise<number | undefined> {
    if (!this.mirror.synced) return undefined;
    const { client, driver, node, observer } = this.options;
    this.abilities ??= await probeAbilities(client, driver, node.name, signal);
    const found = this.found();
    const { wanted, retryIn, problems } = this.wanted(found, this.abilities);
    observer.problems(problems);
    const { writes, pool } = sliceWrites({ driver, node, wanted, found, published: this.published });
    for (const write of writes) {
      signal.throwIfAborted();
      await this.write(write, signal);
    }
    this.published = pool;
    observer.published(pool);
    return retryIn;
  }

  private wanted(found: readonly SliceObject[], abilities: ServerAbilities): Wanted {
    const { state, clock } = this.options;
    const mode = state.mode.current;
    if (mode === 'frozen') this.frozenSince ??= timestamp(clock());
    else this.frozenSince = undefined;
    const inventory = this.refused.without(state.inventory.current);
    const content = poolContent({ inventory, isolations: state.isolations.current, mode, frozenSince: this.frozenSince ?? '', abilities });
    if (content === undefined) return { wanted: undefined, problems: [] };
    const problems = [...content.problems, ...this.refused.problems];
    // Withdrawn and frozen devices are there all the same.
    if (state.inventory.current.devices.length > 0) return { wanted: content.slices, problems };
    const before = found.filter(({ spec }) => spec.pool.name === this.options.node.name).map(({ spec: { devices, sharedCounters } }) => ({
      ...(devices === undefined ? {} : { devices }), ...(sharedCounters === undefined ? {} : { sharedCounters }),
    }));
    const { slices, retryIn } = this.guard.apply(content.slices, before, abilities, performance.now());
    const missed = { code: 'DRA372', subject: this.options.node.name, message: 'no device is found on this node any more, and its slices named some' };
    return retryIn === undefined ? { wanted: slices, problems } : { wanted: slices, problems: [missed], retryIn };
  }

  /** The slices of this driver and node, in the order of their names; what a server stored otherwise reads as it was sent. */
  private found(): readonly SliceObject[] {
    const slices = [...this.mirror.objects as readonly SliceObject[]].sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
    return slices.map((slice) => {
      const altered = this.altered.get(slice.metadata?.name ?? '');
      if (altered === undefined || !sameContent(altered.stored, slice.spec)) return slice;
      const { devices: _devices, sharedCounters: _sharedCounters, ...spec } = slice.spec;
      return { ...slice, spec: { ...spec, ...altered.sent } };
    });
  }

  private async write(write: SliceWrite, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const { observer } = this.options;
    try {
      await this.send(write, signal);
      observer.wrote(write.kind, 'success', (performance.now() - began) / 1000);
    } catch (error) {
      observer.wrote(write.kind, 'failure', (performance.now() - began) / 1000);
      throw error;
    }
  }

  private async send(write: SliceWrite, signal: AbortSignal): Promise<void> {
    const { client } = this.options;
    if (write.kind === 'delete') {
      try {
        await client.delete(RESOURCE_SLICES, { name: write.name }, { uid: write.uid, signal });
      } catch (error) {
        if (!isApiError(error, 'NotFound')) throw error;
      }
      this.mirror.deleted({ metadata: { name: write.name, uid: write.uid } });
      return;
    }
    const { slice } = write;
    const answer = await this.refused.learn(slice, write.kind === 'create'
      ? client.create(RESOURCE_SLICES, slice, { signal })
      : client.update(RESOURCE_SLICES, slice, { signal }));
    this.mirror.wrote(answer);
    this.compare(slice, answer as SliceObject);
  }

  /** A server drops fields without a word; it is asked anew what it keeps, and told what it drops. */
  private compare(sent: SliceObject, stored: SliceObject): void {
    const name = sent.metadata?.name ?? '';
    if (sameContent(sent.spec, stored.spec)) {
      this.altered.delete(name);
      return;
    }
    this.altered.set(name, { sent: contentOf(sent), stored: contentOf(stored) });
    this.abilities = undefined;
    this.again = true;
    this.options.observer.failed(new AlteredSliceError(name));
  }
}

/** The server stored a slice otherwise than it was sent. */
export class AlteredSliceError extends Error {
  public override readonly name = 'AlteredSliceError';
  public readonly code = 'DRA371';

  public constructor(slice: string) {
    super(`the API server stored slice ${slice} otherwise than it was sent; a feature of the slice is off there`);
  }
}

interface Wanted {
  readonly wanted: readonly SliceContent[] | undefined;
  readonly problems: readonly InventoryProblem[];
  readonly retryIn?: number;
}

/** Changes that come together are one change. */
const SETTLE = 20;
const FIRST_PAUSE = 250;
const MAX_PAUSE = 30_000;
const INVALID_PAUSE = 300_000;

function pauseAfter(failures: number): number {
  return Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failures) * (0.5 + Math.random() / 2);
}

function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function contentOf({ spec: { devices, sharedCounters } }: SliceObject): SliceContent {
  return { ...(devices === undefined ? {} : { devices }), ...(sharedCounters === undefined ? {} : { sharedCounters }) };
}

import { randomBytes } from 'node:crypto';

import { derivedName } from 'cdk8s-dra/model';

import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { EVENT_SERIES } from '../../kube/resource.js';
import type { ClaimEvent, EventSink } from '../claims/claim-observer.js';
import type { Clock } from '../claims/clock.js';

export interface EventWriterOptions {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly driver: string;
  readonly node: string;
  /** Known once the Node was read. */
  readonly nodeUid: () => string | undefined;
  /** Name of the pod, or of the node: who of all agents says it. */
  readonly instance: string;
  readonly clock: Clock;
  readonly counted: (outcome: 'written' | 'merged' | 'dropped' | 'failed', count?: number) => void;
  readonly limits?: Partial<EventLimits>;
}

export interface EventLimits {
  /** Events that wait; a burst beyond is dropped, oldest first, and counted. */
  readonly waiting: number;
  /** Milliseconds in which the same words about the same object are one Event with a count. */
  readonly window: number;
  /** Milliseconds between two writes of the count of one Event. */
  readonly quiet: number;
  /** Writes at once, and milliseconds until another one is allowed. */
  readonly burst: number;
  readonly refill: number;
  /** Milliseconds after which an Event that cannot be written is given up. */
  readonly patience: number;
}

const LIMITS: EventLimits = { waiting: 256, window: 600_000, quiet: 60_000, burst: 50, refill: 1000, patience: 300_000 };
/** More distinct texts than these are not remembered. */
const MAX_REMEMBERED = 1024;
const MAX_PAUSE = 30_000;
/** Bounds of events.k8s.io/v1, the first in bytes. */
const MAX_NOTE = 1024;
const MAX_REASON = 128;

/** The same words about the same object, said once or often. */
interface Said {
  readonly key: string;
  readonly event: ClaimEvent;
  readonly first: number;
  /** Wall time. */
  readonly at: Date;
  last: Date;
  count: number;
  /** Name and namespace of the Event, once it is there, with the count that it says. */
  written?: { readonly name: string; readonly namespace: string; count: number; at: number };
  isWaiting: boolean;
  failures: number;
  /** Of the monotonic clock. */
  retryAt: number;
}

/**
 * Kubernetes Events of the agent, written in the background: bounded, each text once with a count, and never waited for.
 *
 * An API server that is away makes them late and then lost; the log has them all.
 */
export class EventWriter implements EventSink {
  private readonly remembered = new Map<string, Said>();
  private readonly waiting: Said[] = [];
  private readonly limits: EventLimits;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private pause = new AbortController();
  private isEnding = false;
  private tokens: number;
  private refilled: number;

  public constructor(private readonly options: EventWriterOptions) {
    this.limits = { ...LIMITS, ...options.limits };
    this.tokens = this.limits.burst;
    this.refilled = options.clock.monotonic();
  }

  public emit(event: ClaimEvent): void {
    if (this.isEnding) return;
    const now = this.options.clock.monotonic();
    const key = [event.type, event.reason, event.message, event.claim?.uid ?? ''].join('\n');
    const before = this.remembered.get(key);
    if (before !== undefined && now - before.first < this.limits.window) {
      before.count++;
      before.last = this.options.clock.now();
      this.options.counted('merged');
      this.enqueue(before);
      return;
    }
    const at = this.options.clock.now();
    const said: Said = { key, event, first: now, at, last: at, count: 1, isWaiting: false, failures: 0, retryAt: 0 };
    this.remembered.delete(key);
    this.remembered.set(key, said);
    const oldest = this.remembered.keys().next();
    if (this.remembered.size > MAX_REMEMBERED && oldest.done !== true) this.remembered.delete(oldest.value);
    this.enqueue(said);
  }

  /** Writes what can be written now, for at most `grace` milliseconds, and takes nothing more. */
  public async stop(grace: number): Promise<void> {
    this.isEnding = true;
    this.pause.abort();
    const cut = new AbortController();
    void this.options.clock.sleep(grace, cut.signal).then(() => this.stopping.abort());
    await this.running;
    cut.abort();
  }

  private enqueue(said: Said): void {
    if (said.isWaiting) return;
    said.isWaiting = true;
    this.waiting.push(said);
    if (this.waiting.length > this.limits.waiting) {
      const dropped = this.waiting.shift();
      if (dropped !== undefined) this.forget(dropped, 'dropped');
    }
    this.pause.abort();
    this.begin();
  }

  private begin(): void {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      // Said between its last look at what waits and now.
      if (this.waiting.length > 0 && !this.isEnding) this.begin();
    });
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    // Lets the caller, who must not be held up, go on first; what it says in the same moment is merged.
    await Promise.resolve();
    for (let next = this.next(); next !== undefined && !signal.aborted; next = this.next()) {
      const { said, pause } = next;
      if (pause > 0) {
        if (this.isEnding) return;
        this.pause = new AbortController();
        await this.options.clock.sleep(pause, this.pause.signal);
        continue;
      }
      this.waiting.splice(this.waiting.indexOf(said), 1);
      said.isWaiting = false;
      await this.write(said, signal);
    }
  }

  /** The first that may be written now, or the pause until one may. */
  private next(): { readonly said: Said; readonly pause: number } | undefined {
    const now = this.options.clock.monotonic();
    const due = this.waiting.map((said) => ({ said, pause: Math.max(0, this.dueAt(said) - now) })).sort((a, b) => a.pause - b.pause)[0];
    return due === undefined ? undefined : { said: due.said, pause: Math.max(due.pause, this.untilToken(now)) };
  }

  private dueAt({ written, retryAt }: Said): number {
    return Math.max(retryAt, written === undefined ? 0 : written.at + this.limits.quiet);
  }

  private untilToken(now: number): number {
    const gained = Math.floor((now - this.refilled) / this.limits.refill);
    this.tokens = Math.min(this.limits.burst, this.tokens + gained);
    this.refilled += gained * this.limits.refill;
    return this.tokens > 0 ? 0 : this.refilled + this.limits.refill - now;
  }

  private async write(said: Said, signal: AbortSignal): Promise<void> {
    this.tokens--;
    const { client, clock } = this.options;
    const { count } = said;
    try {
      if (said.written === undefined) {
        const object = this.object(said);
        await client.create(EVENT_SERIES, object, { signal });
        said.written = { name: object.metadata.name, namespace: object.metadata.namespace, count, at: clock.monotonic() };
      } else if (said.written.count < count) {
        const { name, namespace } = said.written;
        await client.patch(EVENT_SERIES, { name, namespace }, { merge: { series: { count, lastObservedTime: microTime(said.last) } } }, { signal });
        said.written.count = count;
        said.written.at = clock.monotonic();
      }
      said.failures = 0;
      this.options.counted('written');
    } catch (error) {
      if (signal.aborted) return;
      said.failures++;
      said.retryAt = clock.monotonic() + Math.min(1000 * 2 ** (said.failures - 1), MAX_PAUSE);
      const isHopeless = isApiError(error) && !error.isRetryable;
      if (isHopeless || clock.monotonic() - said.first > this.limits.patience) this.forget(said, 'failed');
      else this.enqueue(said);
    }
    // Said again while it was being written.
    if (said.written !== undefined && said.count > said.written.count) this.enqueue(said);
  }

  private forget(said: Said, outcome: 'dropped' | 'failed'): void {
    said.isWaiting = false;
    if (this.remembered.get(said.key) === said) this.remembered.delete(said.key);
    this.options.counted(outcome);
  }

  private object({ event, at, last, count }: Said) {
    const { driver, node, nodeUid, instance } = this.options;
    const { claim } = event;
    const uid = claim === undefined ? nodeUid() : claim.uid;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: {
        name: `${derivedName([claim?.name ?? node], MAX_NAME)}.${randomBytes(8).toString('hex')}`,
        // Where Events of objects without a namespace belong.
        namespace: claim?.namespace ?? 'default',
      },
      eventTime: microTime(at),
      ...(count > 1 ? { series: { count, lastObservedTime: microTime(last) } } : {}),
      reportingController: driver,
      reportingInstance: instance.slice(0, 128),
      action: 'NodeAgent',
      type: event.type,
      reason: event.reason.slice(0, MAX_REASON),
      note: shortened(event.message),
      regarding: claim === undefined
        ? { apiVersion: 'v1', kind: 'Node', name: node, ...(uid === undefined ? {} : { uid }) }
        : { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', namespace: claim.namespace, name: claim.name, uid: claim.uid },
    };
  }
}

/** Room for a dot and sixteen digits within a DNS subdomain. */
const MAX_NAME = 236;

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  // A character that is cut in two at the end becomes a mark of its own, which is taken away.
  return bytes.length <= MAX_NOTE ? text : `${bytes.subarray(0, MAX_NOTE - 3).toString().replace(/\uFFFD+$/, '')}…`;
}

/** With the six digits that the API asks for. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

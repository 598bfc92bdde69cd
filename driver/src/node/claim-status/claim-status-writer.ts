import type { NodeFailure } from '../../devices/node-failure.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { apiVersionOf, RESOURCE_CLAIMS } from '../../kube/resource.js';
import type { ClaimName } from '../claim-service.js';
import type { DeviceStatus } from './device-status.js';
import { allocatedClaim } from '../claims/allocation.js';
import type { Clock } from '../claims/clock.js';
import type { ClaimStatusSink } from '../claims/node-claims.js';
import type { ClaimRecord } from '../claims/record/claim-record.js';
import type { Isolation } from '../device-state.js';
import { statusOfFailure, statusOfRecord } from './device-status.js';

export interface ClaimStatusWriterOptions {
  readonly client: Pick<KubeClient, 'find' | 'patch'>;
  readonly driver: string;
  readonly node: string;
  readonly clock: Clock;
  readonly records: () => readonly ClaimRecord[];
  readonly isolations: () => readonly Isolation[];
  readonly observer: ClaimStatusObserver;
  readonly limits?: Partial<ClaimStatusLimits>;
}

export interface ClaimStatusObserver {
  /** `dropped`: the server does not keep what is written, or too many claims wait. */
  wrote(outcome: 'written' | 'failed' | 'dropped', claim: ClaimName, error?: unknown): void;
}

export interface ClaimStatusLimits {
  /** Claims that wait; of a burst beyond, the oldest is left out. */
  readonly waiting: number;
  /** Milliseconds between two writes to one claim. */
  readonly quiet: number;
  /** Writes at once, and milliseconds until another one is allowed. */
  readonly burst: number;
  readonly refill: number;
  /** Tries at one write. */
  readonly tries: number;
}

const LIMITS: ClaimStatusLimits = { waiting: 256, quiet: 10_000, burst: 50, refill: 1000, tries: 8 };
const MAX_PAUSE = 30_000;
/** For each claim that may wait. */
const REMEMBERED = 16;

interface Due {
  readonly claim: ClaimName;
  failures: number;
  /** Of the monotonic clock. */
  notBefore: number;
}

/**
 * `status.devices` of the claims of this node: addresses of network devices, and what is wrong with a device or will never succeed.
 *
 * A claim with nothing to tell is never written. What is written is compared first, by server-side apply under the name of the driver, so that
 * entries of others stay and ours go with their reason. Nobody waits for it, and a claim is prepared without it just as well.
 */
export class ClaimStatusWriter implements ClaimStatusSink {
  private readonly due = new Map<string, Due>();
  /** What the API server has of us, by UID; nothing where it has none. */
  private readonly written = new Map<string, { readonly text: string; readonly at: number }>();
  private readonly final = new Map<string, { readonly failure: NodeFailure; readonly since: string }>();
  private readonly limits: ClaimStatusLimits;
  private stopping: AbortController | undefined;
  private pause = new AbortController();
  private running: Promise<void> | undefined;
  private tokens: number;
  private refilled: number;

  public constructor(private readonly options: ClaimStatusWriterOptions) {
    this.limits = { ...LIMITS, ...options.limits };
    this.tokens = this.limits.burst;
    this.refilled = options.clock.monotonic();
  }

  /** This agent is the one that writes. What the one before it did not come to is written now. */
  public start(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    this.look();
  }

  public async stop(): Promise<void> {
    this.stopping?.abort();
    this.stopping = undefined;
    this.due.clear();
    this.written.clear();
    this.pause.abort();
    await this.running;
  }

  /** What is wrong with devices may have changed. */
  public look(): void {
    for (const record of this.options.records()) if (record.state === 'prepared' || record.state === 'adopted') this.touch(record);
  }

  public prepared(record: ClaimRecord): void {
    this.final.delete(record.uid);
    this.touch(record);
  }

  public failed(claim: ClaimName, failure: NodeFailure): void {
    // What may pass is told by Events, and does not stay.
    if (failure.failureClass !== 'terminal') return;
    const before = this.final.get(claim.uid);
    const since = before?.failure.code === failure.code ? before.since : this.options.clock.now().toISOString();
    this.final.delete(claim.uid);
    this.final.set(claim.uid, { failure, since });
    const [oldest] = this.final.keys();
    if (this.final.size > this.limits.waiting && oldest !== undefined) this.final.delete(oldest);
    this.touch(claim);
  }

  public released(record: ClaimRecord): void {
    this.final.delete(record.uid);
    // Written perhaps by an agent before this one.
    if (record.devices.some(({ prepared }) => prepared?.networkData !== undefined) && !this.written.has(record.uid)) {
      this.written.set(record.uid, { text: 'unknown', at: -Infinity });
    }
    this.touch(record);
  }

  private touch({ uid, namespace, name }: ClaimName): void {
    if (this.stopping === undefined || this.due.has(uid)) return;
    this.due.set(uid, { claim: { uid, namespace, name }, failures: 0, notBefore: (this.written.get(uid)?.at ?? -Infinity) + this.limits.quiet });
    const [oldest] = this.due.values();
    if (this.due.size > this.limits.waiting && oldest !== undefined) {
      this.due.delete(oldest.claim.uid);
      this.options.observer.wrote('dropped', oldest.claim);
    }
    this.pause.abort();
    this.begin();
  }

  private begin(): void {
    if (this.stopping === undefined) return;
    this.running ??= this.run(this.stopping.signal).finally(() => {
      this.running = undefined;
      // Told between its last look at what is due and now, or after a new start while it was cut off.
      if (this.due.size > 0) this.begin();
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    // Whoever told must not be held up.
    await Promise.resolve();
    while (this.due.size > 0 && !signal.aborted) {
      const [first] = [...this.due.values()].sort((one, two) => one.notBefore - two.notBefore);
      const pause = Math.max(first!.notBefore - this.options.clock.monotonic(), this.untilToken());
      if (pause > 0) {
        this.pause = new AbortController();
        await this.options.clock.sleep(pause, this.pause.signal);
        continue;
      }
      this.due.delete(first!.claim.uid);
      await this.bringUpToDate(first!, signal);
    }
  }

  private untilToken(): number {
    const now = this.options.clock.monotonic();
    const gained = Math.floor((now - this.refilled) / this.limits.refill);
    this.tokens = Math.min(this.limits.burst, this.tokens + gained);
    this.refilled += gained * this.limits.refill;
    return this.tokens > 0 ? 0 : this.refilled + this.limits.refill - now;
  }

  private async bringUpToDate(due: Due, signal: AbortSignal): Promise<void> {
    const { claim } = due;
    const { observer, clock } = this.options;
    try {
      const devices = await this.wanted(claim, signal);
      const text = JSON.stringify(devices);
      if (text === (this.written.get(claim.uid)?.text ?? '[]')) return;
      this.tokens--;
      const isKept = await this.write(claim, devices, signal);
      if (devices.length === 0) this.written.delete(claim.uid);
      else this.remember(claim.uid, text);
      observer.wrote(isKept ? 'written' : 'dropped', claim);
    } catch (error) {
      if (signal.aborted) return;
      if (isApiError(error) && error.status === 404) {
        this.written.delete(claim.uid);
        return;
      }
      const failures = due.failures + 1;
      const isHopeless = isApiError(error) && !error.isRetryable;
      if (isHopeless || failures === this.limits.tries) observer.wrote('failed', claim, error);
      // What was told meanwhile is in it, as everything is read anew.
      else this.due.set(claim.uid, { claim, failures, notBefore: clock.monotonic() + Math.min(1000 * 2 ** (failures - 1), MAX_PAUSE) });
    }
  }

  /** A claim that is never prepared is never given back, so what it was told is forgotten when many others were told more. */
  private remember(uid: string, text: string): void {
    this.written.delete(uid);
    this.written.set(uid, { text, at: this.options.clock.monotonic() });
    if (this.written.size <= REMEMBERED * this.limits.waiting) return;
    const live = new Set(this.options.records().map((record) => record.uid));
    const oldest = [...this.written.keys()].find((one) => !live.has(one));
    if (oldest !== undefined) this.written.delete(oldest);
  }

  /** As things are now, not as they were when somebody told. */
  private async wanted(claim: ClaimName, signal: AbortSignal): Promise<readonly DeviceStatus[]> {
    const { client, driver, node, records, isolations } = this.options;
    const record = records().find(({ uid, state }) => uid === claim.uid && (state === 'prepared' || state === 'adopted'));
    if (record !== undefined) return statusOfRecord(driver, record, isolations());
    const final = this.final.get(claim.uid);
    if (final === undefined) return [];
    const found = await client.find(RESOURCE_CLAIMS, claim, { signal });
    if (found?.metadata?.uid !== claim.uid) return [];
    return statusOfFailure(driver, allocatedOrNone(found, { driver, node }), final.failure, final.since);
  }

  /** Whether the server keeps it: it drops the field without a word where `DRAResourceClaimDeviceStatus` is off. */
  private async write({ uid, namespace, name }: ClaimName, devices: readonly DeviceStatus[], signal: AbortSignal): Promise<boolean> {
    const { client, driver } = this.options;
    // With the UID a claim that has taken the name is refused as a conflict.
    const apply = { apiVersion: apiVersionOf(RESOURCE_CLAIMS), kind: RESOURCE_CLAIMS.kind, metadata: { namespace, name, uid }, status: { devices } };
    const answer = await client.patch(RESOURCE_CLAIMS, { namespace, name }, { apply, fieldManager: driver, force: true }, { subresource: 'status', signal });
    const kept = (answer as { readonly status?: { readonly devices?: readonly { readonly driver?: string }[] } }).status?.devices ?? [];
    return devices.length === 0 || kept.some((one) => one.driver === driver);
  }
}

/** An allocation that cannot be has no devices to say it of. */
function allocatedOrNone(claim: object, ours: { readonly driver: string; readonly node: string }) {
  try {
    return allocatedClaim(claim, ours).devices;
  } catch {
    return [];
  }
}

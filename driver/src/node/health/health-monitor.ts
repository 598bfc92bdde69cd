import { HEALTH_RULES, NEW_DEVICE, nextCondition } from './device-condition.js';
import type { DeviceCondition, HealthRules } from './device-condition.js';
import type { DeviceBackend } from '../../devices/backend.js';
import type { DeviceReading } from '../../devices/device-health.js';
import type { Inventory } from '../../devices/inventory.js';
import type { Followed, Isolation } from '../device-state.js';
import { FollowedValue } from '../followed-value.js';
import type { KubeletHealth } from '../kubelet/health-service.js';
import { onAbort } from '../on-abort.js';

export interface HealthMonitorOptions {
  readonly backend: Pick<DeviceBackend, 'health'>;
  readonly inventory: Followed<Inventory>;
  /** Name of the pool that kubelet is told. */
  readonly pool: string;
  /** Milliseconds between two looks. */
  readonly every: number;
  readonly rules?: HealthRules;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Wall clock, for the time of a taint and for kubelet. */
  readonly date: () => Date;
  readonly observer: HealthObserver;
  /** Told of the sick devices after each look; tells the others only when something changed. */
  readonly isolate: (isolations: readonly Isolation[]) => void;
}

/** Who is told about health: metrics, logs, events. Must not throw. */
export interface HealthObserver {
  looked(outcome: 'success' | 'failure', seconds: number, error?: unknown): void;
  becameSick(device: string, code: string, message: string): void;
  recovered(device: string): void;
}

/** Looks at all devices again and again, and says who is sick: to the slices as isolations, to kubelet as its health stream. */
export class HealthMonitor {
  /** For kubelet; the whole list each time. */
  public readonly kubelet = new FollowedValue<readonly KubeletHealth[]>([]);
  private readonly conditions = new Map<string, DeviceCondition>();
  private readonly since = new Map<string, string>();
  private readonly seen = new Map<string, { readonly reading: DeviceReading; readonly at: number; readonly date: number }>();
  private stopping: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  public constructor(private readonly options: HealthMonitorOptions) {}

  public start(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    this.schedule(0, this.stopping.signal);
  }

  public async stop(): Promise<void> {
    this.stopping?.abort();
    clearTimeout(this.timer);
    await this.running;
    this.stopping = undefined;
  }

  private schedule(delay: number, signal: AbortSignal): void {
    this.timer = setTimeout(() => {
      this.running = this.look(signal).finally(() => {
        if (!signal.aborted) this.schedule(this.options.every, signal);
      });
    }, delay);
  }

  /** One look at all devices. */
  public async look(signal: AbortSignal): Promise<void> {
    const { backend, inventory, now, observer } = this.options;
    const began = now();
    const devices = inventory.current;
    const limit = new AbortController();
    const longest = Math.max(this.options.every, SHORTEST_LIMIT);
    const timer = setTimeout(() => limit.abort(new Error(`it took longer than ${longest} ms`)), longest);
    timer.unref();
    const stop = onAbort(signal, () => limit.abort(signal.reason));
    try {
      const readings = await backend.health(devices, limit.signal);
      observer.looked('success', (now() - began) / 1000);
      this.learn(readings, now());
    } catch (error) {
      // Nobody knows more than before; old readings grow stale by themselves.
      if (!signal.aborted) observer.looked('failure', (now() - began) / 1000, error);
    } finally {
      clearTimeout(timer);
      stop();
    }
    this.tell(devices, now());
  }

  private learn(readings: readonly DeviceReading[], at: number): void {
    const { rules = HEALTH_RULES, observer, date } = this.options;
    for (const reading of readings) {
      const before = this.conditions.get(reading.device) ?? NEW_DEVICE;
      const after = nextCondition(before, reading, at, rules);
      this.conditions.set(reading.device, after);
      if (reading.health !== 'unknown') this.seen.set(reading.device, { reading, at, date: date().getTime() });
      if (after.isSick && !before.isSick) {
        this.since.set(reading.device, `${date().toISOString().slice(0, 19)}Z`);
        observer.becameSick(reading.device, after.reason?.code ?? '', after.reason?.message ?? '');
      }
      if (before.isSick && !after.isSick) {
        this.since.delete(reading.device);
        observer.recovered(reading.device);
      }
    }
  }

  private tell({ devices }: Inventory, at: number): void {
    const names = new Set(devices.map(({ name }) => name));
    // A device that left and comes back is looked at with fresh eyes only after a long time: until then its relapses count.
    for (const [name, { at: last }] of this.seen) if (!names.has(name) && at - last > FORGET) this.forget(name);
    const isolations: Isolation[] = [];
    const told: KubeletHealth[] = [];
    for (const device of names) {
      const condition = this.conditions.get(device) ?? NEW_DEVICE;
      if (condition.isSick) {
        const { code = '', message = '' } = condition.reason ?? {};
        isolations.push({ device, code, message, since: this.since.get(device) ?? '' });
      }
      told.push(this.kubeletHealth(device, condition, at));
    }
    this.options.isolate(isolations);
    this.kubelet.set(told);
  }

  private kubeletHealth(device: string, condition: DeviceCondition, at: number): KubeletHealth {
    const { pool, every, date } = this.options;
    const seen = this.seen.get(device);
    if (seen === undefined || at - seen.at > every * STALE_LOOKS) return { pool, device, health: 'unknown', at: seen?.date ?? date().getTime() };
    const message = condition.isSick ? condition.reason?.message ?? '' : '';
    return { pool, device, health: condition.isSick ? 'unhealthy' : 'healthy', ...(message === '' ? {} : { message }), at: seen.date };
  }

  private forget(device: string): void {
    this.conditions.delete(device);
    this.since.delete(device);
    this.seen.delete(device);
  }
}

/** Missed looks after which nobody knows any more. */
const STALE_LOOKS = 4;
const SHORTEST_LIMIT = 1_000;
const FORGET = 3_600_000;

import { isDeepStrictEqual } from 'node:util';

import type { DeviceBackend } from '../devices/backend.js';
import type { Inventory } from '../devices/inventory.js';
import type { Clock } from './claims/clock.js';
import type { Followed } from './device-state.js';
import { FollowedValue } from './followed-value.js';

export interface DiscoveryOptions {
  readonly backend: Pick<DeviceBackend, 'discover'>;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly every: number;
  readonly observer: DiscoveryObserver;
}

/** Told of every look. Calls return at once and never throw. */
export interface DiscoveryObserver {
  /** `inventory` when something is different from the look before. */
  discovered(seconds: number, inventory: Inventory | undefined): void;
  failed(seconds: number, error: unknown): void;
}

/**
 * Looks for devices again and again.
 *
 * A look that fails changes nothing: what was found stays, and until the first look succeeds nothing is known, which is not the same as
 * no devices.
 */
export class Discovery {
  private readonly value = new FollowedValue<Inventory>({ devices: [], counterSets: [], problems: [] });
  private readonly readyValue = new FollowedValue(false);
  private readonly stopping = new AbortController();
  private life: Promise<void> | undefined;

  public constructor(private readonly options: DiscoveryOptions) {}

  public get inventory(): Followed<Inventory> {
    return this.value;
  }

  /** Whether a look has succeeded. */
  public get ready(): Followed<boolean> {
    return this.readyValue;
  }

  public start(): void {
    this.life ??= this.live();
  }

  public async stop(): Promise<void> {
    this.stopping.abort();
    await this.life;
  }

  private async live(): Promise<void> {
    const { clock, every } = this.options;
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      failures = await this.look(signal) ? 0 : failures + 1;
      // The first time the agent waits for it, so it is tried more often.
      const pause = failures === 0 ? every : Math.min(every, FIRST_PAUSE * 2 ** (failures - 1));
      await clock.sleep(pause, signal);
    }
  }

  private async look(signal: AbortSignal): Promise<boolean> {
    const { backend, clock, observer } = this.options;
    const begun = clock.monotonic();
    const seconds = () => (clock.monotonic() - begun) / 1000;
    try {
      const inventory = await backend.discover(signal);
      const isNews = !this.readyValue.current || !isDeepStrictEqual(inventory, this.value.current);
      observer.discovered(seconds(), isNews ? inventory : undefined);
      if (isNews) this.value.set(inventory);
      if (!this.readyValue.current) this.readyValue.set(true);
      return true;
    } catch (error) {
      if (!signal.aborted) observer.failed(seconds(), error);
      return false;
    }
  }
}

const FIRST_PAUSE = 500;

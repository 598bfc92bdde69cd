import { ISOLATED_DEVICE_TAINT } from 'cdk8s-dra/model';

import type { ServerAbilities } from './server-abilities.js';
import type { SliceContent, SliceDevice } from './slice-object.js';

/**
 * Keeps a node's devices published for a while when all of them vanish at once.
 *
 * That is nearly always a kernel driver that is not loaded or a mount that is missing, and withdrawing devices that pods use helps
 * nobody. They are tainted where the server keeps taints, so that nothing new comes, and go when a later look still finds none.
 */
export class EmptyGuard {
  private emptySince: number | undefined;

  public constructor(private readonly patience = 60_000) {}

  /** What to publish instead of `wanted`; `now` in milliseconds of a clock that never goes back. */
  public apply(wanted: readonly SliceContent[], published: readonly SliceContent[], abilities: ServerAbilities, now: number): GuardedContent {
    if (hasDevices(wanted) || !hasDevices(published)) {
      this.emptySince = undefined;
      return { slices: wanted };
    }
    this.emptySince ??= now;
    const left = this.patience - (now - this.emptySince);
    if (left <= 0) return { slices: wanted };
    return { slices: abilities.taints ? published.map(tainted) : published, retryIn: left };
  }
}

export interface GuardedContent {
  readonly slices: readonly SliceContent[];
  /** Milliseconds until the next look counts; present while the devices are missed. */
  readonly retryIn?: number;
}

function hasDevices(slices: readonly SliceContent[]): boolean {
  return slices.some(({ devices = [] }) => devices.length > 0);
}

function tainted({ devices, sharedCounters }: SliceContent): SliceContent {
  return {
    ...(devices === undefined ? {} : { devices: devices.map(missed) }),
    ...(sharedCounters === undefined ? {} : { sharedCounters }),
  };
}

function missed(device: SliceDevice): SliceDevice {
  const others = (device.taints ?? []).filter(({ key }) => key !== ISOLATED_DEVICE_TAINT);
  return { ...device, taints: [...others, { key: ISOLATED_DEVICE_TAINT, value: 'inventory-empty', effect: 'NoSchedule' }] };
}

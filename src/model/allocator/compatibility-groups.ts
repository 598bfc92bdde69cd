import type { SliceDevice } from './slice';

/** What the devices on one counter set have in common: no group at all, or the groups that all of them name. */
type Common = { readonly groups: readonly string[] } | 'ungrouped';

/** Keeps devices apart that share a counter set of a pool but no compatibility group (KEP alpha of 1.37). */
export class CompatibilityGroups {
  private readonly common = new Map<string, Common>();

  public constructor(allocated: Iterable<SliceDevice>) {
    for (const device of allocated) this.add(device);
  }

  /** Adds a device if it fits; the answer takes it away again, or names the counter set on which it does not fit. */
  public take(device: SliceDevice): (() => void) | string {
    const before = new Map(this.common);
    const restore = (): void => {
      this.common.clear();
      for (const [set, common] of before) this.common.set(set, common);
    };
    for (const { counterSet, compatibilityGroups } of device.consumesCounters) {
      const common = this.common.get(counterSet);
      if (common && !admits(common, compatibilityGroups)) {
        restore();
        return counterSet;
      }
      this.common.set(counterSet, joined(common, compatibilityGroups));
    }
    return restore;
  }

  private add(device: SliceDevice): void {
    for (const { counterSet, compatibilityGroups } of device.consumesCounters) {
      this.common.set(counterSet, joined(this.common.get(counterSet), compatibilityGroups));
    }
  }
}

function admits(common: Common, groups: readonly string[]): boolean {
  if (common === 'ungrouped') return groups.length === 0;
  return groups.some(group => common.groups.includes(group));
}

/** Devices that should not be together leave the first impression unchanged, as upstream does. */
function joined(common: Common | undefined, groups: readonly string[]): Common {
  if (!common) return groups.length === 0 ? 'ungrouped' : { groups };
  if (common === 'ungrouped' || groups.length === 0) return common;
  return { groups: common.groups.filter(group => groups.includes(group)) };
}

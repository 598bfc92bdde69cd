import type { Slice } from './slice';

/** Slices looked up by node and by pool; made once for many nodes. */
export class SliceIndex {
  private readonly byPool = new Map<string, Slice[]>();
  private readonly byNode = new Map<string, Slice[]>();
  private readonly unpinned: Slice[] = [];
  private readonly pinnedCounters: Slice[] = [];
  private merged: readonly Slice[] | undefined;
  private readonly uniqueNames = new Map<string, Map<number, boolean>>();

  public constructor(public readonly slices: readonly Slice[]) {
    for (const slice of slices) {
      push(this.byPool, slice.poolKey, slice);
      if (slice.nodeName === undefined || slice.nodeName === '') {
        this.unpinned.push(slice);
      } else {
        push(this.byNode, slice.nodeName, slice);
        if (slice.sharedCounters.length > 0) this.pinnedCounters.push(slice);
      }
    }
  }

  /**
   * Slices that a node may use, in the order in which upstream comes to them; the first of a pool says how many there should be.
   *
   * @param counters Whether counter sets pinned to any node belong to them.
   * @param nodeFirst Whether slices pinned to the node come first, rather than all in input order.
   */
  public forNode(node: string, counters: boolean, nodeFirst: boolean): readonly Slice[] {
    const pinned = this.byNode.get(node) ?? NONE;
    const own = counters && this.pinnedCounters.length > 0 ? pinned.filter(slice => slice.sharedCounters.length === 0) : pinned;
    const others = counters ? this.unpinnedAndCounters() : this.unpinned;
    if (others.length === 0) return own;
    if (own.length === 0) return others;
    const slices = [...own, ...others];
    return nodeFirst ? slices : slices.sort(byIndex);
  }

  private unpinnedAndCounters(): readonly Slice[] {
    if (this.pinnedCounters.length === 0) return this.unpinned;
    return this.merged ??= [...this.unpinned, ...this.pinnedCounters].sort(byIndex);
  }

  /** Every slice of a pool, of all generations. */
  public inPool(key: string): readonly Slice[] {
    return this.byPool.get(key) ?? [];
  }

  /** Whether no device name appears twice in one generation of a pool. */
  public hasUniqueNames(key: string, generation: number): boolean {
    let byGeneration = this.uniqueNames.get(key);
    if (!byGeneration) this.uniqueNames.set(key, byGeneration = new Map());
    let unique = byGeneration.get(generation);
    if (unique === undefined) {
      unique = duplicateName(this.inPool(key).filter(slice => slice.generation === generation)) === undefined;
      byGeneration.set(generation, unique);
    }
    return unique;
  }
}

/** The first device name that comes a second time. */
export function duplicateName(slices: readonly Slice[]): string | undefined {
  const names = new Set<string>();
  for (const slice of slices) {
    for (const device of slice.devices) {
      if (names.has(device.name)) return device.name;
      names.add(device.name);
    }
  }
  return undefined;
}

function push(map: Map<string, Slice[]>, key: string, slice: Slice): void {
  const list = map.get(key);
  if (list) list.push(slice);
  else map.set(key, [slice]);
}

function byIndex(a: Slice, b: Slice): number {
  return a.index - b.index;
}

const NONE: readonly Slice[] = Object.freeze([]);

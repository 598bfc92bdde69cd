import type { AllocatorFeatures } from './features';
import { matchesNode } from './node';
import type { AllocationNode } from './node';
import type { CounterSet, Slice } from './slice';
import { duplicateName } from './slice-index';
import type { SliceIndex } from './slice-index';
import type { Variant } from './variant';

/** The newest generation of a pool, as far as it concerns a node. */
export interface Pool {
  readonly driver: string;
  readonly name: string;
  readonly key: string;
  readonly incomplete: boolean;
  /** Why the pool is invalid. */
  readonly invalid: string | undefined;
  /** Slices with devices for the node, in the order of search. */
  readonly slices: readonly Slice[];
  /** Slices with devices for other nodes only. */
  readonly otherSlices: readonly Slice[];
  readonly counterSets: ReadonlyMap<string, CounterSet>;
}

export interface GatheredPools {
  readonly pools: readonly Pool[];
  /** Why nothing can be allocated at all. */
  readonly error?: string;
}

/** The pools with devices for a node, in the order in which they are searched. */
export function gatherPools(index: SliceIndex, node: AllocationNode, features: AllocatorFeatures, variant: Variant): GatheredPools {
  const found = new Map<string, Slice[]>();
  const late: Slice[] = [];
  for (const slice of index.forNode(node.name, variant.countersOnEveryNode, variant.ordered)) {
    const relevant = isRelevant(slice, node, features, variant);
    if (typeof relevant === 'string') return { pools: [], error: relevant };
    if (!relevant) continue;
    const alwaysUsed = variant.countersOnEveryNode && slice.sharedCounters.length > 0;
    if (variant.full && !variant.ordered && !alwaysUsed && slice.hasBindingConditions) late.push(slice);
    else addSlice(found, slice);
  }
  for (const slice of late) addSlice(found, slice);

  const first: Pool[] = [];
  const last: Pool[] = [];
  for (const [key, slices] of found) {
    const pool = variant.countersPerSlice ? plainPool(index, key, slices, variant) : fullPool(index, key, slices, features, variant);
    if (!pool) continue;
    (variant.full && pool.slices.some(slice => slice.hasBindingConditions) ? last : first).push(pool);
  }
  // Without an order, upstream iterates over a Go map: from a random place on, and then in this order.
  if (!variant.ordered) return { pools: [...first, ...last] };
  return { pools: [...first.sort(byName), ...last.sort(byName)] };
}

function isRelevant(slice: Slice, node: AllocationNode, features: AllocatorFeatures, variant: Variant): boolean | string {
  const withCounters = hasCounters(slice);
  if (!features.partitionableDevices) {
    if (slice.perDeviceNodeSelection !== undefined || (withCounters && !variant.countersPerSlice)) return false;
  }
  if (leftOut(slice, features, variant)) return false;
  if (withCounters && variant.countersOnEveryNode) return true;
  if ((slice.nodeName !== undefined && slice.nodeName !== '') || slice.allNodes || slice.nodeSelector) {
    const match = matchesNode(slice, node);
    return typeof match === 'string' ? `failed to perform node selection for slice ${slice.name}: ${match}` : match;
  }
  if (slice.perDeviceNodeSelection !== true) return false;
  for (const device of slice.devices) {
    const match = matchesNode(device, node);
    if (typeof match === 'string') return `failed to perform node selection for device ${device.name} in slice ${slice.name}: ${match}`;
    if (match) return true;
  }
  return false;
}

/** A slice that uses compatibility groups does not exist for an allocator that cannot honour them. */
function leftOut(slice: Slice, features: AllocatorFeatures, variant: Variant): boolean {
  return variant.compatibilityGroups && !features.compatibilityGroups
    && slice.usesCompatibilityGroups;
}

function addSlice(found: Map<string, Slice[]>, slice: Slice): void {
  const key = slice.poolKey;
  const slices = found.get(key);
  if (!slices || slice.generation > slices[0].generation) found.set(key, [slice]);
  else if (slice.generation === slices[0].generation) slices.push(slice);
}

/** Pools before counters moved to slices of their own. */
function plainPool(index: SliceIndex, key: string, slices: readonly Slice[], variant: Variant): Pool | undefined {
  let known = slices.length;
  if (known !== slices[0].sliceCount && !variant.naivePools) {
    const all = sameGeneration(index, key, slices[0].generation);
    if (!all) return undefined;
    known = all.length;
  }
  const duplicate = duplicateIn(index, key, slices);
  return { ...makePool(key, slices, duplicate, slices), incomplete: known !== slices[0].sliceCount };
}

function fullPool(
  index: SliceIndex, key: string, slices: Slice[], features: AllocatorFeatures, variant: Variant,
): Pool | undefined {
  let others: Slice[] = [];
  if (slices.length !== slices[0].sliceCount) {
    let all = sameGeneration(index, key, slices[0].generation);
    if (!all) return undefined;
    if (variant.compatibilityGroups && !features.compatibilityGroups) all = all.filter(slice => !leftOut(slice, features, variant));
    if (all.length !== slices[0].sliceCount) return { ...makePool(key, slices, undefined), incomplete: true };
    if (slices.length < all.length || (!variant.ordered && slices.length !== all.length)) {
      const names = new Set(slices.map(slice => slice.name));
      others = all.filter(slice => !names.has(slice.name));
    }
  }
  if (variant.ordered && slices.length > 1) slices.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const partitionable = features.partitionableDevices;
  const withCounters = partitionable ? slices.filter(hasCounters) : [];
  const withDevices = withCounters.length === 0 ? slices : slices.filter(slice => !hasCounters(slice));
  const duplicate = duplicateIn(index, key, withDevices);
  if (duplicate !== undefined) return makePool(key, slices, duplicate);
  if (!partitionable) return makePool(key, slices, undefined, withDevices);

  const lateCounters = variant.ordered && variant.compatibilityGroups;
  const otherSlices = lateCounters ? others.filter(slice => !hasCounters(slice)) : others;
  if (lateCounters) withCounters.push(...others.filter(hasCounters));
  let counterSets = NO_COUNTERS;
  if (withCounters.length > 0) {
    const sets = new Map<string, CounterSet>();
    for (const set of withCounters.flatMap(slice => slice.sharedCounters)) {
      if (sets.has(set.name)) return makePool(key, slices, `duplicate counter set name ${set.name}`);
      sets.set(set.name, set);
    }
    counterSets = sets;
  }
  const unknown = unknownCounter(counterSets, lateCounters ? withDevices : slices) ?? unknownCounter(counterSets, otherSlices);
  if (unknown !== undefined) return makePool(key, slices, unknown);
  return makePool(key, slices, undefined, withDevices, otherSlices, counterSets);
}

/** Every slice of one generation; undefined when there is a newer one. */
function sameGeneration(index: SliceIndex, key: string, generation: number): readonly Slice[] | undefined {
  const all = index.inPool(key);
  return all.some(slice => slice.generation > generation) ? undefined : all.filter(slice => slice.generation === generation);
}

function duplicateIn(index: SliceIndex, key: string, slices: readonly Slice[]): string | undefined {
  if (slices.length === 0 || index.hasUniqueNames(key, slices[0].generation)) return undefined;
  const name = duplicateName(slices);
  return name === undefined ? undefined : `duplicate device name ${name}`;
}

function unknownCounter(counterSets: ReadonlyMap<string, CounterSet>, slices: readonly Slice[]): string | undefined {
  for (const slice of slices) {
    if (!slice.consumesCounters) continue;
    for (const device of slice.devices) {
      for (const use of device.consumesCounters) {
        const set = counterSets.get(use.counterSet);
        if (!set) return `counter set ${use.counterSet} not found`;
        const counter = use.counters.find(one => !set.counters.some(known => known.name === one.name));
        if (counter) return `counter ${counter.name} not found in counter set ${set.name}`;
      }
    }
  }
  return undefined;
}

function makePool(
  key: string, known: readonly Slice[], invalid: string | undefined,
  slices: readonly Slice[] = NONE, otherSlices: readonly Slice[] = NONE, counterSets: Pool['counterSets'] = NO_COUNTERS,
): Pool {
  return { driver: known[0].driver, name: known[0].pool, key, incomplete: false, invalid, slices, otherSlices, counterSets };
}

function hasCounters(slice: Slice): boolean {
  return slice.sharedCounters.length > 0;
}

function byName(a: Pool, b: Pool): number {
  if (a.driver !== b.driver) return a.driver < b.driver ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

const NONE: readonly Slice[] = Object.freeze([]);
const NO_COUNTERS: Pool['counterSets'] = new Map();

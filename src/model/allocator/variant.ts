import { implementationFor } from './features';
import type { AllocatorFeatures, Implementation } from './features';
import { compareMinors } from '../target/versions';
import type { Minor } from '../target/versions';

/*
 * What tells upstream's twelve allocators apart, read at k8s.io/dynamic-resource-allocation v0.34.13, v0.35.10, v0.36.6 and
 * v0.37.2, structured/internal/{stable,incubating,experimental}.
 */

/** How one implementation of one minor decides. */
export interface Variant {
  readonly minor: Minor;
  readonly implementation: Implementation;

  /** Knows consumable capacity, distinctAttribute, binding conditions and bindsToNode. */
  readonly full: boolean;
  /** Knows attributes with lists of values in constraints. */
  readonly lists: boolean;
  /** Knows compatibility groups, at least enough to leave out slices that use them. */
  readonly compatibilityGroups: boolean;
  /** Knows derived attributes and optional node operations. */
  readonly newest: boolean;

  /** Counters belong to the slice that defines them; sets and references are not checked. */
  readonly countersPerSlice: boolean;
  /** Counters are kept by the name of the pool alone, so drivers with pools of one name mix up theirs. */
  readonly countersByPoolName: boolean;
  /** Slices with counter sets count for a pool on every node; else they are found among the slices of the whole pool. */
  readonly countersOnEveryNode: boolean;
  /** A device with shares in use counts as using its counters. */
  readonly sharesUseCounters: boolean;
  /** A device that already has a share is not charged its counters again. */
  readonly sharesSkipCounters: boolean;
  /** So is one whose shares name no amounts. */
  readonly shareIdsSkipCounters: boolean;

  /** A pool is judged by the slices for the node alone; devices of incomplete pools are used, an invalid pool ends the attempt. */
  readonly naivePools: boolean;
  /** Pools in order of driver and name, slices in order of name. Otherwise pools come in random order and slices as listed. */
  readonly ordered: boolean;

  /** Devices of one request are tried in combinations; otherwise in all permutations. */
  readonly combinations: boolean;
  /** A branch with too many devices is left at once; otherwise it counts as one that does not fit. */
  readonly leavesTooLarge: boolean;
  /** A refused device leaves traces in counters, constraints and marks. */
  readonly leaks: boolean;
  /** Mode All in a subrequest caches under, and goes on with, the wrong subrequest. */
  readonly mixesSubRequests: boolean;
  /** The recheck of capacity looks at the device whose place in the slice is the place in the request. */
  readonly rechecksWrongDevice: boolean;

  /** Every effect of a taint blocks, and results carry no tolerations. */
  readonly oldTaints: boolean;
  /** How distinctAttribute remembers values: by identity, one per request, or all. */
  readonly distinct: 'identity' | 'per-request' | 'all';
  /** The common values of matchAttribute are not restored on the way back. */
  readonly forgetsCommonValues: boolean;
  /** Bad capacities and requests are errors, undefined ones are not; rounding keeps the step's format. */
  readonly strictCapacity: boolean;
  /** A claim's configuration appears once, and without requests when it covers all of them. */
  readonly mergesConfig: boolean;
  /** Messages about labels count characters and speak of qualified names. */
  readonly oldLabelWords: boolean;
  /** CEL runtime errors name the device and may carry a hint. */
  readonly namesDevice: boolean;
}

/** Whether the scheduler of a minor looks, for each node, at the slices with counter sets of all nodes. */
export function seesCountersOfAllNodes(minor: Minor, features: AllocatorFeatures): boolean {
  return features.partitionableDevices && variantOf(minor, implementationFor(minor, features)).countersOnEveryNode;
}

/** What patch releases have mended. */
export type Quirks = Partial<Pick<Variant, 'countersByPoolName' | 'sharesUseCounters' | 'strictCapacity'>>;

/** The behaviour of one implementation of one minor. */
export function variantOf(minor: Minor, implementation: Implementation): Variant {
  const from = (first: Minor): boolean => compareMinors(minor, first) >= 0;
  const stable = implementation === 'stable';
  const experimental = implementation === 'experimental';
  const full = experimental || (implementation === 'incubating' && from('1.36'));
  const countersPerSlice = !from('1.35') || (minor === '1.35' && stable);
  return {
    minor,
    implementation,
    full,
    lists: experimental && from('1.36'),
    compatibilityGroups: from('1.37'),
    newest: experimental && from('1.37'),
    countersPerSlice,
    countersByPoolName: !countersPerSlice && !from('1.36'),
    countersOnEveryNode: !countersPerSlice && !(full && from('1.37')),
    sharesUseCounters: full && from('1.36'),
    sharesSkipCounters: full && from('1.35'),
    shareIdsSkipCounters: full && from('1.37'),
    naivePools: !from('1.35'),
    ordered: full && from('1.36'),
    combinations: full && from('1.36'),
    leavesTooLarge: from('1.36') || !stable,
    leaks: !from('1.36'),
    mixesSubRequests: !from('1.36'),
    rechecksWrongDevice: !from('1.35'),
    oldTaints: countersPerSlice,
    distinct: from('1.37') ? 'all' : from('1.35') ? 'per-request' : 'identity',
    forgetsCommonValues: !from('1.37'),
    strictCapacity: from('1.37'),
    mergesConfig: from('1.37'),
    oldLabelWords: !from('1.35'),
    namesDevice: from('1.37'),
  };
}

import type { Answer, Attempt } from './attempt';
import { NO, YES } from './attempt';
import { conflictsOf } from './conflicts';
import type { Conflict } from './conflicts';
import { matchesNode } from './node';
import type { Pool } from './pools';
import type { RequestData } from './request-data';
import { resultName } from './request-data';
import type { Slice, SliceDevice } from './slice';
import type { SliceIndex } from './slice-index';
import { blockingTaint } from './taint';
import type { Reason, Trace } from './trace';

/** Why devices were not chosen. */
export interface Explanation {
  readonly reasons?: readonly Reason[];
  /** Constraints that no choice of devices can satisfy, whatever else is asked for. */
  readonly conflicts?: readonly Conflict[];
}

/** Says for every device that was not chosen which rule excluded it first, sorted by driver, pool and device. */
export function explain(attempt: Attempt, trace: Trace, index: SliceIndex, answer: Answer): Explanation {
  const requests = attempt.slots.flatMap((slots, claim) => slots.flatMap(slot => slot.alternatives.map(data => ({ claim, data }))));
  // What the search did not come to is judged by itself, as far as that needs no choice of other devices.
  if (answer !== YES) for (const { claim, data } of requests) judgeUnseen(attempt, trace, claim, data);
  const chosen = new Set(answer === YES ? attempt.chosen.flat().map(one => one.position) : []);
  const reasons: Reason[] = [];
  const inUse = new Set<number>();
  for (const one of trace.exclusions()) {
    if (chosen.has(one.position)) continue;
    const device = attempt.devices[one.position];
    // What was in use before is so for all requests: once is enough.
    if (one.rule === 'in-use' && attempt.isDedicated(one.position)) {
      if (!inUse.has(one.position)) reasons.push(reason(device, 'in-use', 'is in use'));
      inUse.add(one.position);
      continue;
    }
    reasons.push({
      ...reason(device, one.rule, one.detail),
      claim: attempt.setting.claims[one.claim].reference,
      request: resultName(one.data),
    });
  }
  const searched = new Set<SliceDevice>(attempt.devices);
  for (const slice of index.slices) {
    for (const device of slice.devices) {
      if (!searched.has(device)) reasons.push(reason(device, ...outside(attempt, index, slice)));
    }
  }
  return { reasons: sorted(reasons), conflicts: answer === NO ? conflictsOf(attempt) : [] };
}

function judgeUnseen(attempt: Attempt, trace: Trace, claim: number, data: RequestData): void {
  const { features, variant } = attempt.setting;
  const before = attempt.fatal;
  for (let position = 0; position < attempt.devices.length; position++) {
    if (trace.has(data, position)) continue;
    const device = attempt.devices[position];
    if (!data.adminAccess && attempt.isDedicated(position)) {
      trace.excludeInUse(claim, data, position);
      continue;
    }
    if (attempt.selectable(claim, data, data.matches, position) !== YES) continue;
    if (attempt.consumable && attempt.fits(claim, data, position, 'checking capacity') !== YES) continue;
    const taint = features.deviceTaints ? blockingTaint(device.taints, data.request, variant.oldTaints) : undefined;
    if (taint) trace.exclude(claim, data, position, 'taint', `${taint.key}:${taint.effect} is not tolerated`);
  }
  attempt.fatal = before;
}

/** Why the devices of a slice were no candidates at all. */
function outside(attempt: Attempt, index: SliceIndex, slice: Slice): [rule: string, detail: string] {
  const { variant, node, features } = attempt.setting;
  const key = slice.poolKey;
  const newest = Math.max(...index.inPool(key).map(one => one.generation));
  const pool: Pool | undefined = attempt.pools.find(one => one.key === key);
  if (slice.generation < newest) return ['obsolete-generation', `has generation ${slice.generation} of its pool, the newest is ${newest}`];
  if (slice.perDeviceNodeSelection !== undefined && !features.partitionableDevices) return ['gate', 'selects nodes per device, and DRAPartitionableDevices is off'];
  if (slice.perDeviceNodeSelection !== true && matchesNode(slice, node) !== true) return ['node', 'is for other nodes'];
  if (pool?.incomplete && !variant.naivePools) return ['pool-incomplete', incomplete(index, slice, key)];
  if (pool?.invalid !== undefined) return ['pool-invalid', `is in an invalid pool: ${pool.invalid}`];
  if (slice.perDeviceNodeSelection === true && !slice.devices.some(device => matchesNode(device, node) === true)) return ['node', 'is for other nodes'];
  if (variant.naivePools && pool) return ['pool-invalid', 'comes after an invalid pool'];
  return ['gate', 'is in a slice that this allocator leaves out'];
}

function incomplete(index: SliceIndex, slice: Slice, key: string): string {
  const there = index.inPool(key).filter(one => one.generation === slice.generation).length;
  return `is in a pool of which ${there} of ${slice.sliceCount} slices are there`;
}

function reason(device: SliceDevice, rule: string, detail: string): Reason {
  return { driver: device.slice.driver, pool: device.slice.pool, device: device.name, rule, detail };
}

function sorted(reasons: Reason[]): Reason[] {
  const keys = new Map(reasons.map(one => [one, `${one.driver}\n${one.pool}\n${one.device}\n${one.claim ?? ''}\n${one.request ?? ''}`]));
  return reasons.sort((a, b) => {
    const left = keys.get(a) ?? '';
    const right = keys.get(b) ?? '';
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

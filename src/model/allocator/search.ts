import type { Attempt, Answer, Chosen } from './attempt';
import { FATAL, NO, TOO_LARGE, YES } from './attempt';
import { LIMITS } from '../limits';
import type { Counters } from './counters';
import type { RequestData } from './request-data';
import { blockingTaint } from './taint';
import type { Quantity } from '../quantity';

/** Searches devices for all claims, in upstream's order, until one choice fits all. */
export function search(attempt: Attempt): Answer {
  return next(attempt, 0, 0, 0, 0, false, 0);
}

/**
 * Finds device `index` of an alternative of a request, and everything behind it.
 *
 * @param inList Whether the alternative is already chosen, rather than all to be tried in turn.
 * @param from The first device to look at.
 */
function next(attempt: Attempt, claim: number, request: number, alternative: number, index: number, inList: boolean, from: number): Answer {
  const { variant, claims, maxSteps } = attempt.setting;
  attempt.steps += 1;
  if (attempt.steps > maxSteps) {
    attempt.outOfSteps = true;
    return attempt.stop('filter operation aborted: context deadline exceeded');
  }
  if (claim >= claims.length) return YES;
  const slots = attempt.slots[claim];
  if (request >= slots.length) {
    const answer = next(attempt, claim + 1, 0, 0, 0, false, 0);
    // A claim with alternatives may still fit when an earlier claim is allocated otherwise.
    return answer === TOO_LARGE ? NO : answer;
  }
  const slot = slots[request];
  if (slot.isList && !inList) {
    let allTooLarge = true;
    for (let i = 0; i < slot.alternatives.length; i++) {
      const answer = next(attempt, claim, request, i, index, true, 0);
      if (answer === TOO_LARGE) continue;
      allTooLarge = false;
      if (answer === FATAL) return FATAL;
      if (answer === YES) {
        slot.selected = i;
        return YES;
      }
    }
    return allTooLarge && variant.leavesTooLarge ? TOO_LARGE : NO;
  }

  const data = slot.alternatives[alternative];
  if (data.all && data.allDevices.length === 0) return NO;
  if (index >= data.deviceCount) return next(attempt, claim, request + 1, 0, 0, false, 0);
  if (data.deviceCount - index > LIMITS.resultsPerClaim.max - attempt.chosen[claim].length) return variant.leavesTooLarge ? TOO_LARGE : NO;

  if (data.all) {
    const answer = choose(attempt, claim, data, index, data.allDevices[index], true);
    if (answer !== YES) return answer;
    const rest = next(attempt, claim, request, variant.mixesSubRequests ? 0 : alternative, index + 1, inList, 0);
    if (rest !== YES) takeBack(attempt, claim);
    return rest;
  }

  const count = attempt.devices.length;
  for (let position = from; position < count; position++) {
    if (position === attempt.invalidAt) return attempt.stop(attempt.invalidText);
    if (data.adminAccess ? attempt.usedBy(claim, position) : attempt.inUse(position)) {
      attempt.setting.trace?.excludeInUse(claim, data, position);
      continue;
    }
    const selectable = attempt.selectable(claim, data, data.matches, position);
    if (selectable === FATAL) return FATAL;
    if (selectable === NO) continue;
    if (attempt.consumable) {
      const fits = attempt.fits(claim, data, position, 'checking capacity');
      if (fits === FATAL) return FATAL;
      if (fits === NO) continue;
    }
    const answer = choose(attempt, claim, data, index, position, false);
    if (answer === FATAL) return FATAL;
    if (answer === NO) continue;
    const rest = next(attempt, claim, request, alternative, index + 1, inList, variant.combinations ? position + 1 : 0);
    if (rest === YES) return YES;
    takeBack(attempt, claim);
    if (rest !== NO) return rest;
  }
  return count === attempt.invalidAt ? attempt.stop(attempt.invalidText) : NO;
}

/** Gives a selected device to a request if counters, taints, constraints and capacity allow it. */
function choose(
  attempt: Attempt, claim: number, data: RequestData, index: number, position: number, must: boolean,
): typeof NO | typeof YES | typeof FATAL {
  const { variant, features, trace, node, claims } = attempt.setting;
  const device = attempt.devices[position];
  const multiple = attempt.consumable && device.allowMultipleAllocations;
  if (data.adminAccess ? !multiple && attempt.usedBy(claim, position) : attempt.inUse(position)) {
    trace?.excludeInUse(claim, data, position);
    return NO;
  }
  if (variant.newest && device.slice.skipNodeOperations.length > 0) {
    if (!features.optionalNodeOperations || !node.declaredFeatures.includes('DRAOptionalNodeOperations')) {
      trace?.exclude(claim, data, position, 'gate', 'skips node operations, which scheduler and node must both support');
      return NO;
    }
  }
  const takesCounters = device.consumesCounters.length > 0;
  if (takesCounters && !features.partitionableDevices) {
    trace?.exclude(claim, data, position, 'gate', 'consumes counters, and DRAPartitionableDevices is off');
    return NO;
  }
  const skipsCounters = multiple && variant.sharesSkipCounters && hasShares(attempt, position);
  let restoreGroups: (() => void) | undefined;
  if (takesCounters && !skipsCounters && variant.newest && features.compatibilityGroups) {
    const groups = attempt.groupsFor(position).take(device);
    if (typeof groups === 'string') {
      trace?.exclude(claim, data, position, 'counters', `has no compatibility group in common on counter set ${groups}`);
      return NO;
    }
    restoreGroups = groups;
  }
  const counters = takesCounters && !skipsCounters ? attempt.countersFor(position) : undefined;
  const short = counters?.take(device);
  if (short !== undefined) {
    restoreGroups?.();
    if (trace && !trace.has(data, position)) trace.exclude(claim, data, position, 'counters', `too little of counter ${short} is left`);
    return NO;
  }

  const constraints = attempt.constraints[claim];
  if (features.deviceTaints && device.taints.length > 0) {
    const taint = blockingTaint(device.taints, data.request, variant.oldTaints);
    if (taint) {
      if (trace && !trace.has(data, position)) {
        trace.exclude(claim, data, position, 'taint', `${taint.key}${taint.value === '' ? '' : `=${taint.value}`}:${taint.effect} is not tolerated`);
      }
      return reject(attempt, claim, data, position, false, 0, counters, restoreGroups);
    }
  }
  for (let i = 0; i < constraints.length; i++) {
    const fits = constraints[i].add(data, device);
    if (fits === true) continue;
    if (trace && !trace.has(data, position)) trace.exclude(claim, data, position, `constraint ${i}`, constraints[i].objection(data, device));
    if (typeof fits === 'string') return attempt.stop(fits);
    if (must) {
      return attempt.stop(`claim ${claims[claim].reference}, request ${data.request.name}: cannot add device ${attempt.deviceId(position)} `
        + 'because a claim constraint would not be satisfied');
    }
    for (let added = i - 1; added >= 0; added--) constraints[added].remove(data);
    return reject(attempt, claim, data, position, false, 0, counters, restoreGroups);
  }
  if (!multiple) attempt.mark(claim, position, true);
  if (!attempt.consumable) {
    attempt.chosen[claim].push({ position, data, share: undefined, marked: true, hadShares: false, counters, restoreGroups });
    return YES;
  }

  const rechecked = variant.rechecksWrongDevice ? misplaced(attempt, position, index) : position;
  if (rechecked === undefined) {
    return attempt.stop(`panic: runtime error: index out of range [${index}] with length ${device.slice.devices.length}`);
  }
  const fits = attempt.fits(claim, data, rechecked, 'rechecking capacity');
  if (fits === FATAL) return FATAL;
  if (fits === NO) return reject(attempt, claim, data, position, !multiple, constraints.length, counters, restoreGroups);
  const share = multiple ? attempt.need(data, position) : undefined;
  if (share?.panic !== undefined) return attempt.stop(share.panic);
  const hadShares = attempt.shares[position] !== undefined;
  if (share) addShare(attempt, position, amountsOf(device.capacity, share.amounts));
  attempt.chosen[claim].push({ position, data, share, marked: !multiple, hadShares, counters, restoreGroups });
  return YES;
}

/** Undoes what was done for a device that is refused after all; upstream before 1.36 forgets to. */
function reject(
  attempt: Attempt, claim: number, data: RequestData, position: number, marked: boolean, added: number,
  counters: Counters | undefined, restoreGroups: (() => void) | undefined,
): typeof NO {
  if (attempt.setting.variant.leaks) return NO;
  if (marked) attempt.mark(claim, position, false);
  const constraints = attempt.constraints[claim];
  for (let i = added - 1; i >= 0; i--) constraints[i].remove(data);
  restoreGroups?.();
  counters?.giveBack(attempt.devices[position]);
  return NO;
}

/** Undoes the last choice of a claim. */
function takeBack(attempt: Attempt, claim: number): void {
  const { variant } = attempt.setting;
  const last = attempt.chosen[claim].pop() as Chosen;
  const device = attempt.devices[last.position];
  const constraints = attempt.constraints[claim];
  // Before 1.36, a share without amounts stays.
  if (last.share && !(variant.leaks && last.share.amounts.length === 0)) {
    removeShare(attempt, last.position, amountsOf(device.capacity, last.share.amounts), !variant.leaks && last.hadShares);
  }
  if (last.marked) attempt.mark(claim, last.position, false);
  for (let i = constraints.length - 1; i >= 0; i--) constraints[i].remove(last.data);
  last.restoreGroups?.();
  // Before 1.36, the counters of a share are lost.
  if (!(variant.leaks && last.share)) last.counters?.giveBack(device);
}

function hasShares(attempt: Attempt, position: number): boolean {
  const { name } = attempt.devices[position];
  const use = attempt.use(position);
  return attempt.shares[position] !== undefined
    || (use !== undefined && (use.consumed.has(name) || (attempt.setting.variant.shareIdsSkipCounters && use.shared.has(name))));
}

type Amounts = readonly (readonly [name: string, amount: Quantity])[];

function amountsOf(capacity: readonly { readonly name: string }[], amounts: readonly Quantity[]): Amounts {
  return amounts.map((amount, i) => [capacity[i].name, amount]);
}

function addShare(attempt: Attempt, position: number, amounts: Amounts): void {
  const shares = attempt.shares[position] ??= new Map();
  for (const [name, amount] of amounts) {
    const before = shares.get(name);
    shares.set(name, before ? before.add(amount) : amount);
  }
}

function removeShare(attempt: Attempt, position: number, amounts: Amounts, keep: boolean): void {
  const shares = attempt.shares[position];
  if (!shares) return;
  for (const [name, amount] of amounts) {
    const before = shares.get(name);
    if (before) shares.set(name, before.sub(amount));
  }
  if ([...shares.values()].every(amount => amount.isZero())) attempt.shares[position] = keep ? new Map() : undefined;
}

/** The device of the same slice whose place in it is the place of the wanted device in its request. */
function misplaced(attempt: Attempt, position: number, index: number): number | undefined {
  const { slice } = attempt.devices[position];
  if (index >= slice.devices.length) return undefined;
  let first = position;
  while (first > 0 && attempt.devices[first - 1].slice === slice) first -= 1;
  return first + index;
}

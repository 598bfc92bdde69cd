import { checkSize, checkText, checkTexts, checkTotal, checkUnique } from './checks';
import type { Place } from './place';
import { report } from './report';
import type { RuleContext } from './rule';
import type { LimitKey } from '../limits';
import { dnsLabelProblem, fullyQualifiedNameProblem } from '../names';
import { show } from '../problem';

/** What the input holds of a pool. */
export interface Pool {
  readonly slices: number;
  readonly sets: readonly Place[];
}

/** Counter sets of a slice, and what its devices consume of those of the pool. */
export function checkCounterSets(context: RuleContext, spec: Place, devices: readonly Place[], pool: Pool): void {
  const candidates = context.target.atLeast('1.35') ? setsOfPool(spec, pool) : spec.at('sharedCounters').items();
  const sets = spec.at('sharedCounters');
  checkSize(context, sets, 'counterSets');
  checkUnique(context, sets.items(), (set) => set.at('name').text, 'counter sets');
  let shared = 0;
  for (const set of sets.items()) {
    checkText(context, 'DRA121', set.at('name'), dnsLabelProblem);
    checkCounters(context, set.at('counters'), 'countersPerSet');
    shared += set.at('counters').entries().length;
  }
  checkTotal(context, sets, 'sharedCountersPerSlice', shared);
  let consumedBySlice = 0;
  for (const device of devices) {
    const list = device.at('consumesCounters');
    checkSize(context, list, 'consumesCounters');
    checkUnique(context, list.items(), (entry) => entry.at('counterSet').text, 'counter sets that the device consumes from');
    let consumed = 0;
    for (const entry of list.items()) {
      checkText(context, 'DRA121', entry.at('counterSet'), dnsLabelProblem);
      checkCounters(context, entry.at('counters'), 'countersPerConsumption');
      if (candidates !== undefined) checkCounterReference(context, candidates, entry);
      checkGroups(context, entry.at('compatibilityGroups'));
      consumed += entry.at('counters').entries().length;
    }
    checkTotal(context, list, 'countersPerDevice', consumed);
    consumedBySlice += consumed;
  }
  checkTotal(context, spec.at('devices'), 'deviceCountersPerSlice', consumedBySlice);
}

/** Groups of partitions that may stand beside each other (1.37). */
function checkGroups(context: RuleContext, groups: Place): void {
  // A target that drops the field judges nothing in it.
  if (!context.target.fieldSupport('DeviceCounterConsumption', 'compatibilityGroups').supported) return;
  checkSize(context, groups, 'compatibilityGroups');
  checkUnique(context, groups.items(), (group) => group.text, 'compatibility groups');
  checkTexts(context, 'DRA121', groups, dnsLabelProblem);
}

function checkCounters(context: RuleContext, counters: Place, key: LimitKey): void {
  checkSize(context, counters, key);
  if (counters.fields !== undefined && counters.entries().length === 0) {
    report(context, 'DRA129', counters, { message: '\'counters\' must not be empty.', help: 'Name at least one counter.' });
  }
  for (const [name, place] of counters.entries()) {
    const problem = dnsLabelProblem(name);
    if (problem !== undefined) report(context, 'DRA121', place, { message: `The counter name ${problem.rule}, got ${show(name)}.`, help: problem.help });
  }
}

/** 1.34 keeps counter sets beside their devices, and refuses what they do not have; later they may stand in another slice of the pool. */
function checkCounterReference(context: RuleContext, candidates: readonly Place[], entry: Place): void {
  const name = entry.at('counterSet').text;
  if (name === undefined || name === '') return;
  const set = candidates.find((candidate) => candidate.at('name').text === name);
  if (set === undefined) {
    report(context, 'DRA129', entry.at('counterSet'), {
      message: `The pool has no counter set '${name}': its devices are never allocated.`, help: 'Publish the counter set in sharedCounters of the pool, or correct the name.',
    });
    return;
  }
  const known = new Set(set.at('counters').entries().map(([counter]) => counter));
  for (const [counter, place] of entry.at('counters').entries()) {
    if (known.has(counter)) continue;
    report(context, 'DRA129', place, { message: `The counter set '${name}' has no counter '${counter}'.`, help: `Its counters are ${[...known].sort().join(', ') || 'none'}.` });
  }
}

/** The counter sets of a pool, known when the input holds all of its slices. */
function setsOfPool(spec: Place, pool: Pool): readonly Place[] | undefined {
  const wanted = spec.at('pool', 'resourceSliceCount').value;
  return typeof wanted === 'number' && pool.slices >= wanted ? pool.sets : undefined;
}

/** Which attribute tells partitions apart: a text on every device that consumes counters (`validatePartitionTypeAttribute`, 1.37). */
export function checkPartitionType(context: RuleContext, spec: Place, devices: readonly Place[]): void {
  const place = spec.at('partitionTypeAttribute');
  const name = place.text;
  checkText(context, 'DRA121', place, fullyQualifiedNameProblem);
  // A target that drops the field judges nothing by it.
  if (name === undefined || fullyQualifiedNameProblem(name) !== undefined || !context.target.fieldSupport('ResourceSliceSpec', 'partitionTypeAttribute').supported) return;
  const partitions = devices.filter((device) => device.at('consumesCounters').items().length > 0);
  if (partitions.length === 0) {
    report(context, 'DRA129', place, {
      message: 'partitionTypeAttribute is for slices whose devices consume counters, and no device of this one does.', help: 'Remove it here, and set it in the slices with the partitions.',
    });
  }
  const own = `${spec.at('driver').text ?? ''}/`;
  const bare = name.startsWith(own) ? name.slice(own.length) : name;
  for (const device of partitions) {
    const attributes = device.at('attributes');
    const attribute = attributes.at(name).isSet ? attributes.at(name) : attributes.at(bare);
    if (attribute.fields !== undefined && attribute.at('string').text !== undefined) continue;
    report(context, 'DRA129', attribute.isSet ? attribute : attributes.at(name), {
      message: `partitionTypeAttribute names '${name}', and this device consumes counters: it must have the attribute with a string, got ${show(attribute.value)}.`,
      help: `Add attributes with ${bare}: {string: …}, the kind of the partition.`,
    });
  }
}

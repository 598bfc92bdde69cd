import { attributeTextProblem, capacityQuantityProblem, dnsLabelProblem, LIMITS, qualifiedNameProblem, Quantity, requestPolicyProblem } from 'cdk8s-dra/model';
import type { Problem } from 'cdk8s-dra/model';

import type { AttributeValue, CounterSet, DeviceCapacity, Inventory, InventoryDevice, InventoryProblem } from './inventory.js';

/**
 * An inventory that the API server takes, whatever hardware and settings yield.
 *
 * One bad device makes the API refuse its whole slice. Here it is left out and reported, and so is an attribute that breaks a rule; a capacity
 * or counter that does costs the whole device, as what is left of it could be oversold.
 */
export function publishable({ devices, counterSets, problems }: Inventory): Inventory {
  const found: InventoryProblem[] = [...problems];
  const report = (subject: string, message: string): void => void found.push({ code: 'DRA348', subject, message });

  const sets = new Map<string, CounterSet>();
  for (const set of counterSets) {
    const problem = sets.has(set.name) ? { rule: 'must be there once', help: '' } : counterSetProblem(set);
    if (problem === undefined) sets.set(set.name, set);
    else report(set.name, `The counter set ${set.name} ${problem.rule}; it and its devices are left out.`);
  }

  const names = new Set<string>();
  const identities = new Set<string>();
  const offered: InventoryDevice[] = [];
  for (const device of devices) {
    const fault = names.has(device.name) ? 'must have a name of its own: another device has it'
      : identities.has(device.identity) ? `must be another piece of hardware: a device with the identity ${device.identity} is there already`
        : deviceProblem(device, sets)?.rule;
    if (fault !== undefined) {
      report(device.name, `${device.name} ${fault}; it is not offered.`);
      continue;
    }
    names.add(device.name);
    identities.add(device.identity);
    offered.push({ ...device, attributes: publishableAttributes(device, report) });
  }
  const used = new Set(offered.flatMap(({ consumesCounters = [] }) => consumesCounters.map(({ counterSet }) => counterSet)));
  return { devices: offered, counterSets: [...sets.values()].filter(({ name }) => used.has(name)), problems: found };
}

function publishableAttributes({ name, attributes, capacity }: InventoryDevice, report: (subject: string, message: string) => void): InventoryDevice['attributes'] {
  const room = LIMITS.attributesAndCapacities.max - Object.keys(capacity).length;
  const kept: [string, AttributeValue][] = [];
  for (const [key, value] of Object.entries(attributes)) {
    const problem = qualifiedNameProblem(key) ?? attributeTextProblem(value)
      ?? (kept.length < room ? undefined : { rule: `must be one of the first ${room}: a device has at most ${LIMITS.attributesAndCapacities.max} attributes and capacities` });
    if (problem === undefined) kept.push([key, value]);
    else report(name, `The attribute ${key} of ${name} ${problem.rule}; it is left out.`);
  }
  return Object.fromEntries(kept);
}

function deviceProblem(device: InventoryDevice, sets: ReadonlyMap<string, CounterSet>): Problem | undefined {
  const { name, identity, capacity, allowMultipleAllocations = false, maxShares, consumesCounters = [], deviceNodes } = device;
  return dnsLabelProblem(name)
    ?? (identity === '' ? { rule: 'must have an identity', help: '' } : undefined)
    ?? (maxShares !== undefined && !(allowMultipleAllocations && Number.isInteger(maxShares) && maxShares > 0)
      ? { rule: 'must be shareable to have a limit of shares, which must be at least 1', help: '' } : undefined)
    ?? (deviceNodes.every((path) => path.startsWith('/')) ? undefined : { rule: 'must name its device nodes by absolute paths', help: '' })
    ?? (Object.keys(capacity).length <= LIMITS.attributesAndCapacities.max ? undefined : { rule: `must have at most ${LIMITS.attributesAndCapacities.max} capacities`, help: '' })
    ?? first(Object.entries(capacity), ([key, value]) => capacityProblem(key, value, allowMultipleAllocations))
    ?? (consumesCounters.length <= LIMITS.consumesCounters.max ? undefined : { rule: `must take from at most ${LIMITS.consumesCounters.max} counter sets`, help: '' })
    ?? (new Set(consumesCounters.map(({ counterSet }) => counterSet)).size === consumesCounters.length ? undefined : { rule: 'must name each counter set once', help: '' })
    ?? first(consumesCounters, ({ counterSet, counters }) => {
      const set = sets.get(counterSet);
      if (set === undefined) return { rule: `must take from counter sets that are there, not from ${counterSet}`, help: '' };
      return countersProblem(counters) ?? first(Object.entries(counters), ([counter, { value }]) => {
        const total = Object.hasOwn(set.counters, counter) ? set.counters[counter]?.value : undefined;
        if (total === undefined) return { rule: `must take counters that ${counterSet} has, not ${counter}`, help: '' };
        return amount(value).compareTo(amount(total)) <= 0 ? undefined : { rule: `must take at most ${total} of ${counter}, takes ${value}`, help: '' };
      });
    });
}

function capacityProblem(key: string, { value, requestPolicy }: DeviceCapacity, isShared: boolean): Problem | undefined {
  const broken = qualifiedNameProblem(key) ?? capacityQuantityProblem(value)
    ?? (requestPolicy === undefined ? undefined : policyProblem(value, requestPolicy, isShared));
  return broken && { rule: `must have a valid capacity: ${key} ${broken.rule}`, help: broken.help };
}

function policyProblem(value: string, policy: NonNullable<DeviceCapacity['requestPolicy']>, isShared: boolean): Problem | undefined {
  const { default: byDefault, validValues, validRange } = policy;
  if (!isShared) return { rule: 'must have no request policy on a device that is taken whole', help: '' };
  return requestPolicyProblem(value, {
    ...(byDefault !== undefined && { default: byDefault }),
    ...(validValues !== undefined && { validValues }),
    ...(validRange !== undefined && { validRange }),
  });
}

function counterSetProblem({ name, counters }: CounterSet): Problem | undefined {
  return dnsLabelProblem(name) ?? countersProblem(counters);
}

function countersProblem(counters: CounterSet['counters']): Problem | undefined {
  const entries = Object.entries(counters);
  const { max } = LIMITS.countersPerSet;
  if (entries.length === 0 || entries.length > max) return { rule: `must have 1 to ${max} counters, has ${entries.length}`, help: '' };
  return first(entries, ([counter, { value }]) => {
    const problem = dnsLabelProblem(counter) ?? capacityQuantityProblem(value);
    return problem && { rule: `must have valid counters: ${counter} ${problem.rule}`, help: problem.help };
  });
}

/** Of a text that was found valid. */
function amount(text: string): Quantity {
  return Quantity.parse(text.trim());
}

function first<T>(items: readonly T[], problemOf: (item: T) => Problem | undefined): Problem | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

import type { Place } from './place';
import { report } from './report';
import type { RuleContext } from './rule';
import { show } from '../problem';
import { Quantity } from '../quantity';

/** What a device takes of, or gives to, the resources of its node (`validateNodeAllocatableResources`, 1.37). */
export function checkNodeAllocatable(context: RuleContext, device: Place): void {
  // A target that drops the field judges nothing in it.
  if (!context.target.fieldSupport('Device', 'nodeAllocatableResources').supported) return;
  const capacities = Object.keys(device.at('capacity').fields ?? {});
  for (const [name, entry] of device.at('nodeAllocatableResources').entries()) {
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-')) {
      report(context, 'DRA129', entry, {
        message: `A device can only map cpu, memory and hugepages-<size> of its node, got ${show(name)}.`, help: 'Correct the name, or publish it as a capacity of the device alone.',
      });
    }
    const [mapping, overhead] = [entry.at('mapping'), entry.at('overhead')];
    if (!mapping.isSet && !overhead.isSet) {
      report(context, 'DRA129', entry, { message: `'${name}' must have a mapping or an overhead, got neither.`, help: 'Write one of them, or remove the entry.' });
    }
    if (mapping.fields !== undefined) checkMapping(context, mapping, capacities);
    if (overhead.fields !== undefined) checkOverhead(context, overhead);
  }
}

function checkMapping(context: RuleContext, mapping: Place, capacities: readonly string[]): void {
  const [key, factor, whole] = ['capacityKey', 'capacityMultiplier', 'deviceMultiplier'].map((field) => mapping.at(field));
  if (key.isSet === whole.isSet) {
    report(context, 'DRA124', mapping, {
      message: `Exactly one of capacityKey, deviceMultiplier must be set, got ${key.isSet ? 'both' : 'none'}.`,
      help: 'Use capacityKey where the amount follows a capacity, deviceMultiplier where each device takes the same.',
    });
  }
  if (key.isSet !== factor.isSet) {
    const missing = key.isSet ? factor : key;
    report(context, 'DRA129', missing, { message: 'capacityKey and capacityMultiplier must be set together.', help: `Add ${missing.field}, or remove the other.` });
  }
  if (key.text !== undefined && !capacities.includes(key.text)) {
    report(context, 'DRA129', key, {
      message: `The device has no capacity '${key.text}'.`, help: `Name one as the device writes it: ${capacities.join(', ') || 'it has none'}.`,
    });
  }
  for (const amount of [factor, whole]) {
    if (signOf(amount) < 1) report(context, 'DRA129', amount, { message: `'${amount.field}' must be more than 0, got ${show(amount.value)}.`, help: 'Write how much one unit takes.' });
  }
}

function checkOverhead(context: RuleContext, overhead: Place): void {
  const amounts = ['perPod', 'perContainer'].map((field) => overhead.at(field));
  if (amounts.every(({ isSet }) => !isSet)) {
    report(context, 'DRA129', overhead, { message: 'An overhead must have perPod or perContainer, got neither.', help: 'Write one of them, or remove the overhead.' });
  }
  for (const amount of amounts) {
    if (signOf(amount) < 0) report(context, 'DRA129', amount, { message: `'${amount.field}' must be 0 or more, got ${show(amount.value)}.`, help: 'Write what is taken besides.' });
  }
}

/** 1 for what is absent or no quantity, which is told elsewhere. */
function signOf(amount: Place): number {
  const quantity = amount.isSet ? Quantity.fromJson(amount.value) : undefined;
  return quantity instanceof Quantity ? quantity.sign() : 1;
}

import { Quantity } from 'cdk8s-dra/model';

import type { Inventory, InventoryDevice, InventoryProblem } from '../../devices/inventory.js';

export interface FittingDevices {
  readonly fitting: readonly InventoryDevice[];
  readonly problems: readonly InventoryProblem[];
}

/**
 * The devices that can all be had at once, in order of preference.
 *
 * A server that drops counters would hand out a whole card and its partitions together; so it only hears of devices whose counters
 * add up to no more than there is.
 */
export function fittingTogether({ devices, counterSets }: Inventory): FittingDevices {
  const left = new Map<string, Quantity>();
  for (const { name, counters } of counterSets) {
    for (const [counter, { value }] of Object.entries(counters)) left.set(key(name, counter), Quantity.parse(value));
  }
  const fitting: InventoryDevice[] = [];
  const problems: InventoryProblem[] = [];
  for (const device of devices) {
    const wanted = (device.consumesCounters ?? []).flatMap(({ counterSet, counters }) =>
      Object.entries(counters).map(([counter, { value }]) => [key(counterSet, counter), Quantity.parse(value)] as const));
    if (wanted.every(([counter, value]) => (left.get(counter)?.compareTo(value) ?? -1) >= 0)) {
      for (const [counter, value] of wanted) left.set(counter, left.get(counter)!.sub(value));
      fitting.push(device);
    } else {
      problems.push({
        code: 'DRA373',
        subject: device.name,
        message: `${device.name} shares counters with devices before it, and this API server drops counters (DRAPartitionableDevices is off there)`,
      });
    }
  }
  return { fitting, problems };
}

function key(set: string, counter: string): string {
  return `${set}\n${counter}`;
}

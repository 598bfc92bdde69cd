import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';
import type { DeviceInventory, KnownDevice } from './device-inventory';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';
import type { ViewObject } from '../view/view-object';

/** A counter of which a device needs more than is left. */
export interface CounterShortage {
  /** `set/counter`. */
  readonly counter: string;
  readonly needed: Quantity;
  readonly total: Quantity;
  readonly used: Quantity;
  readonly left: Quantity;
  /** Claims whose devices use it, sorted. */
  readonly users: readonly ViewObject[];
}

/** The first counter that keeps a free device from being given out; undefined when no single counter does. */
export function counterShortage(device: KnownDevice, inventory: DeviceInventory): CounterShortage | undefined {
  const { pool } = device;
  const sets = new Map(pool.slices.flatMap(slice => objectsAt(slice, 'spec', 'sharedCounters')).map(set => [textAt(set, 'name'), amountsOf(set)]));
  const held = pool.devices.map(one => ({ one, uses: inventory.usesOf(one) })).filter(({ uses }) => uses.length > 0);
  for (const use of objectsAt(device.value, 'consumesCounters')) {
    const name = textAt(use, 'counterSet');
    for (const [counter, needed] of amountsOf(use)) {
      const total = sets.get(name)?.get(counter);
      if (total === undefined) continue;
      let left = total;
      const users = new Set<ViewObject>();
      for (const { one, uses } of held) {
        const taken = objectsAt(one.value, 'consumesCounters').filter(other => textAt(other, 'counterSet') === name)
          .flatMap(other => amountsOf(other).get(counter) ?? []);
        for (const amount of taken) left = left.sub(amount);
        if (taken.length > 0) for (const { claim } of uses) users.add(claim);
      }
      if (left.compareTo(needed) >= 0) continue;
      return {
        counter: `${name}/${counter}`,
        needed,
        total,
        used: total.sub(left),
        left: left.sign() < 0 ? Quantity.of(0n) : left,
        users: [...users].sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    }
  }
  return undefined;
}

function amountsOf(set: JsonObject): ReadonlyMap<string, Quantity> {
  return new Map(Object.entries(objectAt(set, 'counters')).flatMap(([name, counter]) => {
    const amount = Quantity.fromJson(field(counter, 'value'));
    return amount instanceof Quantity ? [[name, amount] as const] : [];
  }));
}

import type { Need } from './device-demand';
import type { DeviceInventory, KnownDevice } from './device-inventory';
import { listed } from './wording';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';
import { field, objectAt, quantitiesAt } from '../view/json-field';

/** A capacity of a device, with what claims have taken of it. */
export interface KnownCapacity {
  readonly name: string;
  readonly total: Quantity;
  readonly left: Quantity;
  /** What a request takes that names no amount. */
  readonly byDefault: Quantity;
  /** The amounts that one share can have, or else the largest of them; none without a policy. */
  readonly choices: readonly Quantity[];
  readonly most?: Quantity;
}

/** What a device has, sorted by name. */
export function capacitiesOf(device: KnownDevice, inventory: DeviceInventory): readonly KnownCapacity[] {
  const uses = inventory.usesOf(device).map(({ entry }) => quantitiesAt(entry, 'consumedCapacity'));
  return Object.entries(objectAt(device.value, 'capacity')).sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, value]) => {
    const total = quantity(field(value, 'value'));
    if (total === undefined) return [];
    const policy = objectAt(value, 'requestPolicy');
    const choices = validValues(policy);
    const most = quantity(field(policy, 'validRange', 'max')) ?? choices[choices.length - 1];
    const left = uses.reduce((rest, taken) => rest.sub(taken.get(name) ?? NONE), total);
    return [{ name, total, left, byDefault: quantity(policy.default) ?? total, choices, ...(most === undefined ? {} : { most }) }];
  });
}

/** Why a device does not have what a request asks for, as a clause; undefined when nothing here says so. */
export function capacityShortage(device: KnownDevice, need: Need, inventory: DeviceInventory): string | undefined {
  const capacities = capacitiesOf(device, inventory);
  const unknown = [...need.capacity.keys()].find(name => !capacities.some(one => one.name === name));
  if (unknown !== undefined) {
    const published = capacities.length === 0 ? 'no capacity' : listed(capacities.map(({ name }) => name));
    return `${need.title} asks for capacity ${unknown}, where ${published} ${capacities.length > 1 ? 'are' : 'is'} published: names are compared letter by letter`;
  }
  for (const { name, total, left, byDefault, choices, most } of capacities) {
    const asked = need.capacity.get(name);
    const shares = choices.length === 0 ? '' : ` (in shares of ${listed(choices.map(String), 'or')})`;
    if (asked !== undefined && most !== undefined && asked.compareTo(most) > 0) return `${asked.toString()} of ${name} is asked, and one share has at most ${most.toString()}`;
    const taken = asked === undefined ? byDefault : choices.find(choice => choice.compareTo(asked) >= 0) ?? asked;
    if (taken.compareTo(left) <= 0) continue;
    const want = asked === undefined ? `no amount of ${name} is asked, which takes ${taken.toString()}` : `${asked.toString()} of ${name} is asked${shares}`;
    return `${want}, and ${left.equals(total) ? `there is ${total.toString()}` : `${(left.sign() < 0 ? NONE : left).toString()} of ${total.toString()} is left`}`;
  }
  return undefined;
}

function validValues(policy: JsonObject): readonly Quantity[] {
  return Array.isArray(policy.validValues) ? policy.validValues.flatMap(value => quantity(value) ?? []) : [];
}

function quantity(value: unknown): Quantity | undefined {
  const found = value === undefined ? undefined : Quantity.fromJson(value);
  return found instanceof Quantity ? found : undefined;
}

const NONE = Quantity.of(0n);

import type { DeviceInventory, KnownDevice } from './device-inventory';
import type { JsonObject } from '../manifests/manifest-set';
import { field, objectsAt, textAt, textsAt } from '../view/json-field';

/** Devices of a claim with one value of an attribute that its constraint wants to be different. */
export interface RepeatedValue {
  readonly attribute: string;
  readonly devices: readonly KnownDevice[];
  /** Whether two of them are for one request. */
  readonly isWithinRequest: boolean;
}

/** The first value that an allocation repeats though a `distinctAttribute` covers it. */
export function repeatedValue(claim: JsonObject, results: readonly JsonObject[], inventory: DeviceInventory): RepeatedValue | undefined {
  for (const constraint of objectsAt(claim, 'spec', 'devices', 'constraints')) {
    const attribute = textAt(constraint, 'distinctAttribute');
    if (attribute === '') continue;
    const requests = textsAt(constraint, 'requests');
    const byValue = new Map<string, { readonly device: KnownDevice; readonly request: string }[]>();
    for (const result of results) {
      const [request] = textAt(result, 'request').split('/');
      if (requests.length > 0 && !requests.some(one => one === textAt(result, 'request') || one === request)) continue;
      const device = inventory.pools.get(`${textAt(result, 'driver')}/${textAt(result, 'pool')}`)?.devices.find(({ name }) => name === textAt(result, 'device'));
      const value = device && attributeValue(device, attribute);
      if (device === undefined || value === undefined) continue;
      byValue.set(value, [...byValue.get(value) ?? [], { device, request }]);
    }
    const same = [...byValue.values()].find(list => list.length > 1);
    if (same === undefined) continue;
    return { attribute, devices: same.map(({ device }) => device), isWithinRequest: new Set(same.map(({ request }) => request)).size < same.length };
  }
  return undefined;
}

/** The single value that a device has of an attribute, by its full name. */
export function attributeValue({ view: { attributes, driver } }: KnownDevice, name: string): string | undefined {
  const attribute = field(attributes, name) ?? (name.startsWith(`${driver}/`) ? field(attributes, name.slice(driver.length + 1)) : undefined);
  const value = ['string', 'int', 'bool', 'version'].map(type => field(attribute, type)).find(one => one !== undefined);
  return value === undefined ? undefined : String(value);
}

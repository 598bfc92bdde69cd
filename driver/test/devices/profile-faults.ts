import { knownNames, profileForDriver } from 'cdk8s-dra/model';
import type { AttributeFact, CapacityFact, DriverProfileFacts } from 'cdk8s-dra/model';

import type { AttributeValue, Inventory, InventoryDevice } from '../../src/devices/inventory.js';

/** Where devices and the profile of their driver disagree: from the profile come the names that editors offer and that `check` knows. */
export function profileFaults(family: string, { devices }: Inventory): string[] {
  const profile = profileForDriver(`${family}.cdk8s-dra.dev`);
  if (profile === undefined) return [`there is no profile of ${family}`];
  return devices.flatMap((device) => [
    ...Object.entries(device.attributes).flatMap(([name, value]) => attributeFaults(profile, device, name, value)),
    ...Object.keys(device.capacity).filter((name) => factOf(profile.capacities, name) === undefined).map((name) => `${device.name} has the capacity ${name}`),
    ...missing(profile, device),
  ]);
}

function attributeFaults({ attributes, moreAttributes }: DriverProfileFacts, device: InventoryDevice, name: string, value: AttributeValue): string[] {
  const fact = factOf(attributes, name);
  if (fact === undefined) return moreAttributes !== undefined && name.startsWith('image_') ? [] : [`${device.name} has the attribute ${name}`];
  const [[type, content] = []] = Object.entries(value);
  const said = (what: string): string => `${name} of ${device.name} ${what}`;
  return [
    ...type === fact.type ? [] : [said(`is of type ${type}`)],
    ...fact.values === undefined || fact.values.includes(String(content)) ? [] : [said(`is ${String(content)}`)],
    ...fact.devices === undefined || fact.devices.includes(typeOf(device)) ? [] : [said(`is not for devices of type ${typeOf(device)}`)],
  ];
}

/** Names that the profile says no such device lacks. */
function missing(profile: DriverProfileFacts, device: InventoryDevice): string[] {
  const { attributes = [], capacity = [] } = knownNames(profile).always ?? {};
  const here = ({ devices }: { readonly devices?: readonly string[] }): boolean => devices === undefined || devices.includes(typeOf(device));
  return [
    ...attributes.filter((fact) => here(fact) && !Object.hasOwn(device.attributes, publishedName(fact))).map(({ id }) => `${device.name} has no attribute ${id}`),
    ...capacity.filter((fact) => here(fact) && !Object.hasOwn(device.capacity, publishedName(fact))).map(({ id }) => `${device.name} has no capacity ${id}`),
  ];
}

function typeOf({ attributes }: InventoryDevice): string {
  const { type } = attributes;
  return type !== undefined && 'string' in type ? type.string : '';
}

function factOf<T extends AttributeFact | CapacityFact>(facts: readonly T[], name: string): T | undefined {
  return facts.find((fact) => publishedName(fact) === name);
}

/** Names of the driver's own domain are published without it. */
export function publishedName({ id, domain }: { readonly id: string; readonly domain?: string }): string {
  return domain === undefined ? id : `${domain}/${id}`;
}

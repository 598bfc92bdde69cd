import { deviceClass, driverOf } from './device-classes';
import type { KnownAttributes } from '../cel';
import { DRIVER_PROFILES, knownNames, profileForDriver, STANDARD_ATTRIBUTES } from '../drivers';
import type { DriverProfileFacts } from '../drivers';
import type { ManifestSet } from '../manifests/manifest-set';

const CLASS_OWNERS = new Map<string, DriverProfileFacts>();
for (const profile of DRIVER_PROFILES) {
  for (const { name } of profile.installedClasses) if (!CLASS_OWNERS.has(name)) CLASS_OWNERS.set(name, profile);
}

/** The driver whose installation brings a DeviceClass of this name. */
export function classOwner(className: string): DriverProfileFacts | undefined {
  return CLASS_OWNERS.get(className);
}

/** The driver that a class is for: as the class in the input says, else as the driver's installation brings it. */
export function driverOfClass(manifests: ManifestSet, className: string): string | undefined {
  const object = deviceClass(manifests, className);
  return object === undefined ? classOwner(className)?.driverName : driverOf(object);
}

/** Whether the driver is known to publish memory under this name, as claims write it, with its domain or without. */
export function isMemoryOf(driverName: string | undefined, publishedName: string): boolean {
  const [id, domain] = publishedName.split('/').reverse();
  return namesOfDriver(driverName)?.bytes?.some((known) => known.id === id && (known.domain ?? driverName) === (domain ?? driverName)) ?? false;
}

const cache = new Map<string, KnownAttributes>();

/** The names that a driver publishes, for near misses in selectors; undefined for a driver that is not known. */
export function namesOfDriver(driverName: string | undefined): KnownAttributes | undefined {
  const profile = driverName === undefined ? undefined : profileForDriver(driverName);
  if (profile === undefined) return undefined;
  let names = cache.get(profile.driverName);
  if (names === undefined) {
    const { domains, attributes, capacity, bytes, always } = knownNames(profile);
    // Any driver may publish what Kubernetes defines; of a driver that was not read in full, no name is surely missing.
    names = {
      domains,
      bytes,
      always,
      ...(profile.depth === 'full' && {
        attributes: attributes && [...attributes, ...Object.values(STANDARD_ATTRIBUTES).map(({ id, domain, type }) => ({ id, domain, type }))],
        capacity,
      }),
    };
    cache.set(profile.driverName, names);
  }
  return names;
}

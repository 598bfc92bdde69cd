import type { KnownAttributes } from '../cel';
import { DRIVER_PROFILES, knownNames, profileForDriver, STANDARD_ATTRIBUTES } from '../drivers';
import type { DriverProfileFacts } from '../drivers';

const CLASS_OWNERS = new Map<string, DriverProfileFacts>();
for (const profile of DRIVER_PROFILES) {
  for (const { name } of profile.installedClasses) if (!CLASS_OWNERS.has(name)) CLASS_OWNERS.set(name, profile);
}

/** The driver whose installation brings a DeviceClass of this name. */
export function classOwner(className: string): DriverProfileFacts | undefined {
  return CLASS_OWNERS.get(className);
}

const cache = new Map<string, KnownAttributes>();

/** The names that a driver publishes, for near misses in selectors; undefined for a driver that is not known. */
export function namesOfDriver(driverName: string | undefined): KnownAttributes | undefined {
  const profile = driverName === undefined ? undefined : profileForDriver(driverName);
  if (profile === undefined) return undefined;
  let names = cache.get(profile.driverName);
  if (names === undefined) {
    const { domains, attributes, capacity, always } = knownNames(profile);
    // Any driver may publish what Kubernetes defines; of a driver that was not read in full, no name is surely missing.
    names = {
      domains,
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

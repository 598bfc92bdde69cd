import type { AttributeFact, CapacityFact, DriverProfileFacts } from './profile';
import { inRange } from './version-range';
import type { AlwaysThere, KnownAttributes, KnownName } from '../cel';
import { nearest } from '../near-miss';
import type { Problem } from '../problem';
import { show } from '../problem';

/**
 * The names that a driver publishes, in the form that the selector check takes.
 *
 * Without a version: what any version read publishes. Attributes and capacities are left out where others can add some to the driver's
 * devices; what is always there is told all the same.
 */
export function knownNames(profile: DriverProfileFacts, version?: string): KnownAttributes {
  const published = (fact: AttributeFact | CapacityFact) => inRange(fact.versions, version, profile.versionAliases);
  const attributes = profile.attributes.filter(published);
  const capacities = profile.capacities.filter(published);
  const domains = [...attributes, ...capacities].map(fact => fact.domain ?? profile.driverName).filter(domain => domain !== profile.driverName);
  return {
    domains: [...new Set(domains)].sort(),
    ...(profile.moreAttributes === undefined ? { attributes: attributes.map(fact => ({ ...name(fact), type: fact.type })) } : {}),
    ...(profile.moreCapacities === undefined ? { capacity: capacities.map(name) } : {}),
    bytes: capacities.filter(({ unit }) => unit === 'bytes').map(name),
    always: { attributes: attributes.flatMap(always), capacity: capacities.flatMap(always) },
  };
}

/** Why no device can have this value of an attribute: the set of values is closed and it is not in it. */
export function closedValueProblem(fact: AttributeFact, value: unknown): Problem | undefined {
  if (fact.values === undefined || typeof value !== 'string' || fact.values.includes(value)) return undefined;
  const meant = nearest(value, fact.values);
  return {
    rule: `should be one of ${fact.values.map(show).join(', ')}`,
    help: meant === undefined ? 'No device that the known versions of the driver publish has another value.' : `Did you mean '${meant}'?`,
  };
}

function name({ id, domain }: AttributeFact | CapacityFact): KnownName {
  return domain === undefined ? { id } : { id, domain };
}

/** A name that a device may lack in some version or setting is left out. */
function always(fact: AttributeFact | CapacityFact): AlwaysThere[] {
  if (fact.gate !== undefined || fact.versions !== undefined || fact.sometimes !== undefined) return [];
  return [fact.devices === undefined ? name(fact) : { ...name(fact), devices: fact.devices }];
}

import type { AttributeFact, CapacityFact, DriverProfileFacts } from './profile';
import { inRange } from './version-range';
import type { KnownAttributes, KnownName } from '../cel/selector-finding';
import { nearest } from '../near-miss';
import type { Problem } from '../problem';
import { show } from '../problem';

/**
 * The names that a driver publishes, in the form that the selector check takes.
 *
 * Without a version: what any version read publishes. Attributes are left out where others can add some to the driver's devices.
 */
export function knownNames(profile: DriverProfileFacts, version?: string): KnownAttributes {
  const published = (fact: AttributeFact | CapacityFact) => inRange(fact.versions, version, profile.versionAliases);
  const attributes = profile.attributes.filter(published);
  const capacities = profile.capacities.filter(published);
  const domains = [...attributes, ...capacities].map(fact => fact.domain ?? profile.driverName).filter(domain => domain !== profile.driverName);
  return {
    domains: [...new Set(domains)].sort(),
    ...(profile.moreAttributes === undefined ? { attributes: attributes.map(fact => ({ ...name(fact), type: fact.type })) } : {}),
    capacity: capacities.map(name),
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

/** A name that any device may lack, in some version or setting, is not one that is always there. */
function name(fact: AttributeFact | CapacityFact): KnownName {
  const sometimes = fact.devices ?? fact.gate ?? fact.versions ?? ('sometimes' in fact ? fact.sometimes : undefined);
  return { id: fact.id, ...(fact.domain === undefined ? {} : { domain: fact.domain }), always: sometimes === undefined };
}

import type { ConfigValue } from './config-kind';
import type { DriverProfileFacts } from './profile';
import { nearest } from '../near-miss';
import type { Problem } from '../problem';

/** How an installed driver is set up, as far as it is known. */
export interface DriverSettings {
  /** The driver's own gates that are set; others have their default. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Whether several claims can share a device (consumable capacity), by whatever switch the driver has. */
  readonly sharedDevices?: boolean;
}

/** Why a config needs another setting of the driver: the gate is off. Undefined without settings or for an unknown gate. */
export function gateProblem(profile: DriverProfileFacts, gate: string, settings: DriverSettings | undefined): Problem | undefined {
  const fact = profile.featureGates.find(candidate => candidate.name === gate);
  if (fact === undefined || settings === undefined || (settings.featureGates?.[gate] ?? fact.default)) return undefined;
  return {
    rule: `must not be used while the driver's feature gate ${gate} is off`,
    help: `Turn on ${gate} in the driver's install, or choose another value.`,
  };
}

/** Why an allowed value of a config cannot be used with this set-up of the driver. */
export function valueProblem(profile: DriverProfileFacts, value: ConfigValue, settings: DriverSettings | undefined): Problem | undefined {
  if (value.notWithSharedDevices === true && settings?.sharedDevices === true) {
    return {
      rule: `must not be ${value.value} while claims can share a device`,
      help: 'Choose another strategy, or turn off sharing between claims in the driver\'s install.',
    };
  }
  return value.gate === undefined ? undefined : gateProblem(profile, value.gate, settings);
}

/** Why a driver would refuse to start with these gates: unknown names, missing companions, exclusions. Sorted by gate. */
export function settingsProblems(profile: DriverProfileFacts, settings: DriverSettings): Array<Problem & { readonly gate: string }> {
  const known = new Map(profile.featureGates.map(fact => [fact.name, fact]));
  const on = (gate: string) => settings.featureGates?.[gate] ?? known.get(gate)?.default ?? false;
  const problems: Array<Problem & { readonly gate: string }> = [];

  if (known.size === 0) return problems;
  for (const gate of Object.keys(settings.featureGates ?? {}).sort()) {
    const fact = known.get(gate);
    if (fact === undefined) {
      const meant = nearest(gate, known.keys());
      if (meant !== undefined) problems.push({ gate, rule: `must be a feature gate of ${profile.driverName}`, help: `Did you mean '${meant}'?` });
    }
  }
  for (const fact of [...known.values()].sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (!on(fact.name)) continue;
    for (const other of fact.requires ?? []) {
      if (!on(other)) problems.push({ gate: fact.name, rule: `must not be on without ${other}`, help: `Turn on ${other} or turn off ${fact.name}.` });
    }
    for (const other of fact.excludes ?? []) {
      if (on(other)) problems.push({ gate: fact.name, rule: `must not be on together with ${other}`, help: `Turn off ${other} or ${fact.name}.` });
    }
  }
  return problems;
}

import { GATES } from './gates';
import type { Component, GateName, GateState, Maturity } from './gates';
import { compareMinors, MINORS, NEWEST } from './versions';
import type { Minor } from './versions';

/** The names of {@link GATES}, sorted. */
export const GATE_NAMES: readonly GateName[] = (Object.keys(GATES) as GateName[]).sort();

/** Whether a text is the name of a known gate. */
export function isGateName(text: string): text is GateName {
  return Object.hasOwn(GATES, text);
}

/** The state of a gate in a minor, undefined when that minor does not know the gate. */
export function gateAt(gate: GateName, minor: Minor): GateState | undefined {
  const { changes } = GATES[gate];
  const change = MINORS.filter(at => compareMinors(at, minor) <= 0 && changes[at] !== undefined).pop();
  return change && changes[change];
}

/** The first minor that knows a gate. */
export function gateSince(gate: GateName): Minor {
  return MINORS.find(minor => gateAt(gate, minor) !== undefined) ?? NEWEST;
}

/** The components that read a gate in a minor. */
export function gateComponents(gate: GateName, minor: Minor): readonly Component[] {
  const { components, componentsFrom = {} } = GATES[gate];
  return components.filter(component => {
    const from = componentsFrom[component];
    return from === undefined || compareMinors(from, minor) <= 0;
  });
}

/** A gate and every gate that it needs, itself first. */
export function gateClosure(gate: GateName): readonly GateName[] {
  return [...new Set([gate, ...GATES[gate].dependsOn.flatMap(gateClosure)])];
}

/** How far the feature behind a gate can be relied on. */
export function maturityOf(gate: GateName): Maturity {
  const newest = gateAt(gate, NEWEST);
  if (GATES[gate].driverSpecific) {
    return 'driver-specific';
  }
  if (newest === undefined || !newest.default) {
    return 'experimental';
  }
  return newest.stage === 'ga' ? 'stable' : 'beta';
}

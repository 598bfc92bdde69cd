import { nearest } from '../near-miss';
import { describeProblem } from '../problem';
import type { Problem } from '../problem';
import { gateAt, gateSince, GATE_NAMES, isGateName } from './gate-state';
import { COMPONENTS, GATES } from './gates';
import type { Component, GateName } from './gates';
import { list } from './support';
import type { Minor } from './versions';

/** The feature gates of a cluster that differ from the defaults of its minor. */
export interface TargetGates {
  /** Gates by name, set alike in every component. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Gates of single components, stronger than `featureGates`. */
  readonly componentFeatureGates?: Readonly<Partial<Record<Component, Readonly<Record<string, boolean>>>>>;
}

/** The gates that are on in each component; throws for a choice with which the components would not start. */
export function chosenGates(minor: Minor, gates: TargetGates): ReadonlyMap<Component, ReadonlySet<GateName>> {
  const everywhere = validGates('featureGates', minor, gates.featureGates);
  const single = gates.componentFeatureGates ?? {};
  for (const component of Object.keys(single)) {
    refuse('componentFeatureGates', component, componentProblem(component));
  }
  const on = new Map<Component, ReadonlySet<GateName>>();
  for (const component of COMPONENTS) {
    const own = validGates(`componentFeatureGates.${component}`, minor, single[component]);
    const chosen = new Map([...everywhere, ...own]);
    const active = new Set(GATE_NAMES.filter(gate => chosen.get(gate) ?? gateAt(gate, minor)?.default ?? false));
    on.set(component, active);
    requireDependencies(minor, component, active, chosen, own);
  }
  return on;
}

/**
 * Gates as on a command line: `Name=true` or `component:Name=false`, separated by commas.
 *
 * Only the form is judged here; whether gates exist depends on the minor.
 */
export function parseGates(text: string): TargetGates {
  const featureGates: Record<string, boolean> = {};
  const componentFeatureGates: Partial<Record<Component, Record<string, boolean>>> = {};
  for (const part of text.split(',').map(one => one.trim()).filter(one => one !== '')) {
    const match = /^(?:([a-z-]+):)?([A-Za-z0-9]+)=(true|false)$/.exec(part);
    if (match === null) {
      throw new Error(describeProblem('gates', part, {
        rule: 'must have the form Name=true or component:Name=false',
        help: 'Separate gates by commas, e.g. DRADeviceTaints=true,kubelet:DRAExtendedResource=false.',
      }));
    }
    const [, component, gate, value] = match;
    const into = component === undefined ? featureGates : componentFeatureGates[component as Component] ??= {};
    if (Object.hasOwn(into, gate)) {
      throw new Error(describeProblem('gates', part, { rule: 'must name a gate once', help: `Keep one of the values of ${gate}.` }));
    }
    into[gate] = value === 'true';
  }
  return { featureGates, componentFeatureGates };
}

function validGates(path: string, minor: Minor, gates: Readonly<Record<string, boolean>> = {}): ReadonlyMap<GateName, boolean> {
  const valid = new Map<GateName, boolean>();
  for (const [name, value] of Object.entries(gates)) {
    refuse(path, name, gateProblem(name, minor));
    if (isGateName(name)) {
      refuse(`${path}.${name}`, value, valueProblem(name, value, minor));
      valid.set(name, value);
    }
  }
  return valid;
}

/** Components refuse to start with a gate on and one that it needs off; 1.34 starts, and the gate has no effect. */
function requireDependencies(
  minor: Minor, component: Component, active: ReadonlySet<GateName>, chosen: ReadonlyMap<GateName, boolean>, own: ReadonlyMap<GateName, boolean>,
): void {
  for (const gate of GATE_NAMES) {
    const missing = GATES[gate].dependsOn.filter(needed => !active.has(needed));
    if (!active.has(gate) || missing.length === 0 || (minor === '1.34' && !chosen.has(gate))) {
      continue;
    }
    const ownChoice = own.has(gate) || missing.some(needed => own.has(needed));
    refuse(`${ownChoice ? `componentFeatureGates.${component}` : 'featureGates'}.${gate}`, true, {
      rule: `must not be on while ${list(missing)}, which it needs, is off in ${component}`,
      help: chosen.has(gate)
        ? `Switch ${list(missing)} on as well, or leave ${gate} off.`
        : `${gate} is on by default in ${minor}: switch it off as well, or leave ${list(missing)} on.`,
    });
  }
}

function componentProblem(component: string): Problem | undefined {
  if (COMPONENTS.some(known => known === component)) {
    return undefined;
  }
  const meant = nearest(component, COMPONENTS);
  return {
    rule: 'must name a component that reads feature gates of Dynamic Resource Allocation',
    help: meant === undefined ? `Name one of ${list(COMPONENTS)}.` : `Did you mean ${meant}?`,
  };
}

function gateProblem(name: string, minor: Minor): Problem | undefined {
  if (!isGateName(name)) {
    const meant = nearest(name, GATE_NAMES);
    return {
      rule: 'must name a feature gate of Dynamic Resource Allocation',
      help: meant === undefined ? `Leave other gates out; known are ${list(GATE_NAMES)}.` : `Did you mean ${meant}?`,
    };
  }
  return gateAt(name, minor) === undefined
    ? { rule: `must be known to Kubernetes ${minor}`, help: `${name} exists from ${gateSince(name)} on: target that or later, or leave it out.` }
    : undefined;
}

function valueProblem(gate: GateName, value: unknown, minor: Minor): Problem | undefined {
  const state = gateAt(gate, minor);
  if (typeof value !== 'boolean') {
    return { rule: 'must be true or false', help: 'Write the value without quotes.' };
  }
  return state?.locked && value !== state.default
    ? { rule: `must be ${state.default}`, help: `Kubernetes ${minor} locks ${gate}: leave it out.` }
    : undefined;
}

function refuse(field: string, given: unknown, problem: Problem | undefined): void {
  if (problem !== undefined) {
    throw new Error(describeProblem(field, given, problem));
  }
}

import { gateAt, gateClosure, gateComponents } from './gate-state';
import { coversMinor } from './gated-fields';
import type { GatedField } from './gated-fields';
import { COMPONENTS } from './gates';
import type { Component, GateName } from './gates';
import { compareMinors, MINORS } from './versions';
import type { Minor } from './versions';

/** Whether a cluster does what a field says, and what to do when it does not. */
export type FieldSupport = { readonly supported: true } | Unsupported;

export interface Unsupported {
  readonly supported: false;
  /** The gate that stops the field, undefined when only the version does. */
  readonly gate?: GateName;
  /** First minor that has the field, be its gate on or off. */
  readonly since?: Minor;
  /** First minor that has the field without a gate being switched on, undefined when no known minor has. */
  readonly defaultOnFrom?: Minor;
  /** Components that would ignore the field, with kube-apiserver among them not even store it; empty when the minor lacks it. */
  readonly offAt: readonly Component[];
  /** The way out, in full sentences. */
  readonly help: string;
}

/** Which gates are on where, in a cluster of one minor. */
export interface GateView {
  readonly minor: Minor;
  isOn(gate: GateName, component: Component): boolean;
}

/** The support of what the entries describe; without entries nothing stands in the way. */
export function supportOf(view: GateView, entries: readonly GatedField[]): FieldSupport {
  if (entries.length === 0) {
    return { supported: true };
  }
  const since = MINORS.find(minor => entries.some(entry => existsIn(entry, minor)));
  const defaultOnFrom = MINORS.find(minor => entries.some(entry => existsIn(entry, minor) && isDefaultOn(entry, minor)));
  const entry = entries.find(one => existsIn(one, view.minor));
  if (entry === undefined) {
    const help = versionHelp(view.minor, entries, since, defaultOnFrom);
    return { supported: false, gate: firstGate(entries, view.minor), since, defaultOnFrom, offAt: [], help };
  }

  const needed = requirements(entry, view.minor);
  const missing = needed
    .map(({ gate, components }) => ({ gate, components, off: components.filter(component => !view.isOn(gate, component)) }))
    .filter(({ off }) => off.length > 0);
  if (missing.length === 0) {
    return { supported: true };
  }
  const offAt = inOrder(missing.flatMap(({ off }) => off));
  const partly = missing.every(({ components, off }) => off.length < components.length);
  const help = partly
    ? partlyOffHelp(missing.map(({ gate }) => gate), inOrder(missing.flatMap(({ components }) => components)), offAt)
    : offHelp(view.minor, missing.map(({ gate }) => gate), offAt, defaultOnFrom);
  return { supported: false, gate: missing[0].gate, since, defaultOnFrom, offAt, help };
}

/** What has to be on for a gate to have an effect: itself and the gates that it needs, each in the components that read it. */
export function gateRequirements(gate: GateName, minor: Minor): readonly Requirement[] {
  return gateClosure(gate).map(name => ({ gate: name, components: gateComponents(name, minor) }));
}

export interface Requirement {
  readonly gate: GateName;
  readonly components: readonly Component[];
}

function requirements(entry: GatedField, minor: Minor): readonly Requirement[] {
  const own = entry.gates.map(gate => ({ gate, components: entry.components ?? gateComponents(gate, minor) }));
  const others = entry.gates.flatMap(gate => gateRequirements(gate, minor)).filter(({ gate }) => !entry.gates.includes(gate));
  return [...own, ...others.filter(({ gate }, i) => others.findIndex(other => other.gate === gate) === i)];
}

function existsIn(entry: GatedField, minor: Minor): boolean {
  return coversMinor(entry, minor) && entry.gates.every(gate => gateAt(gate, minor) !== undefined);
}

function isDefaultOn(entry: GatedField, minor: Minor): boolean {
  return entry.gates.flatMap(gateClosure).every(gate => gateAt(gate, minor)?.default === true);
}

/** The gate to name although the minor lacks the field: only one that this minor does not know is at fault. */
function firstGate(entries: readonly GatedField[], minor: Minor): GateName | undefined {
  return entries.flatMap(({ gates }) => gates).find(gate => gateAt(gate, minor) === undefined);
}

function versionHelp(minor: Minor, entries: readonly GatedField[], since: Minor | undefined, defaultOnFrom: Minor | undefined): string {
  const entry = since && entries.find(one => existsIn(one, since));
  if (since === undefined || entry === undefined || compareMinors(since, minor) < 0) {
    const last = MINORS.filter(at => entries.some(one => existsIn(one, at))).pop();
    return `Kubernetes ${last} is the last minor that has it: remove it, or target ${last} or earlier.`;
  }
  const off = requirements(entry, since).filter(({ gate }) => !gateAt(gate, since)?.default);
  const gates = off.map(({ gate }) => gate);
  const gated = `${since} with feature ${named(gates)} on in ${list(inOrder(off.flatMap(one => one.components)))} (${flag(gates)})`;
  if (defaultOnFrom === undefined) {
    return `Kubernetes ${minor} does not have it: target ${gated} and in the target's featureGates.`;
  }
  const earlier = off.length === 0 ? '' : `, or ${gated} and in the target's featureGates`;
  return `Kubernetes ${minor} does not have it: target ${defaultOnFrom} or later${earlier}.`;
}

function offHelp(minor: Minor, gates: readonly GateName[], offAt: readonly Component[], defaultOnFrom: Minor | undefined): string {
  const needs = `Needs feature ${named(gates)}`;
  const remedy = `switch ${them(gates)} on in ${list(offAt)} (${flag(gates)}) and in the target's featureGates.`;
  if (gates.some(gate => gateAt(gate, minor)?.default)) {
    return `${needs}, off in this target: ${remedy}`;
  }
  const later = defaultOnFrom === undefined ? '' : `target ${defaultOnFrom} or later, or `;
  return `${needs}, off by default in ${minor}: ${later}${remedy}`;
}

/** One component stores or schedules what another ignores: the object looks right and the pod gets another device. */
function partlyOffHelp(gates: readonly GateName[], needed: readonly Component[], offAt: readonly Component[]): string {
  const effect = offAt.includes('kube-apiserver') ? 'the API server drops the field' : 'the field is stored and not acted on';
  return `Needs feature ${named(gates)} in ${list(needed)}, or ${effect}: switch ${them(gates)} on in ${list(offAt)} (${flag(gates)}) too, `
    + 'and in the target\'s componentFeatureGates.';
}

function flag(gates: readonly GateName[]): string {
  return `--feature-gates=${gates.map(gate => `${gate}=true`).join(',')}`;
}

function named(gates: readonly GateName[]): string {
  return `${gates.length === 1 ? 'gate' : 'gates'} ${list(gates)}`;
}

function them(gates: readonly GateName[]): string {
  return gates.length === 1 ? 'it' : 'them';
}

function inOrder(components: readonly Component[]): readonly Component[] {
  return COMPONENTS.filter(component => components.includes(component));
}

/** A list as prose: `a`, `a and b`, `a, b and c`. */
export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

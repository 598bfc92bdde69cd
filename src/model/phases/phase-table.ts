import { PHASES, type Phase } from './phase';
import type { Door } from '../api/device-routing';

/** Which nodes of a pool may be owned by DRA. */
export type NodeShare = 'none' | 'canary' | 'steps' | 'all';

/** What one phase allows. */
export interface PhaseRow {
  readonly phase: Phase;
  readonly nodes: NodeShare;
  /** Of the classes of the pool. */
  readonly door: Door;
  /** Of the resources of the device plugin; a closed one stays open where a class serves it through the bridge. */
  readonly legacyDoor: Door;
  /** Whether a class may carry the name of the legacy resource, once every pool of the resource may. */
  readonly bridge: boolean;
  /** Whether the device plugin may run on nodes of the pool. */
  readonly plugin: boolean;
}

/** What each phase allows; everything else that depends on a phase is read from here. */
export const PHASE_TABLE: { readonly [phase in Phase]: PhaseRow } = {
  Legacy: { phase: 'Legacy', nodes: 'none', door: 'Closed', legacyDoor: 'Open', bridge: false, plugin: true },
  Observe: { phase: 'Observe', nodes: 'none', door: 'Closed', legacyDoor: 'Open', bridge: false, plugin: true },
  Canary: { phase: 'Canary', nodes: 'canary', door: 'Canary', legacyDoor: 'Open', bridge: false, plugin: true },
  Expand: { phase: 'Expand', nodes: 'steps', door: 'Tenants', legacyDoor: 'Open', bridge: true, plugin: true },
  AllWorkloads: { phase: 'AllWorkloads', nodes: 'all', door: 'Open', legacyDoor: 'Closed', bridge: true, plugin: true },
  PluginRemoved: { phase: 'PluginRemoved', nodes: 'all', door: 'Open', legacyDoor: 'Closed', bridge: true, plugin: false },
};

/** The phases that Git may name after one: the same, the next, and any before. */
export function phasesAfter(phase: Phase): readonly Phase[] {
  return PHASES.slice(0, PHASES.indexOf(phase) + 2);
}

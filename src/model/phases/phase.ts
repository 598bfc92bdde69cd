/** How far a pool may move to DRA; each allows what the one before allows, and more. */
export const PHASES = ['Legacy', 'Observe', 'Canary', 'Expand', 'AllWorkloads', 'PluginRemoved'] as const;

export type Phase = typeof PHASES[number];

/** Whether a pool is in a phase or further. */
export function isAtLeast(phase: Phase, least: Phase): boolean {
  return PHASES.indexOf(phase) >= PHASES.indexOf(least);
}

/** Tells GitOps engines never to delete an object that vanishes from Git. */
export const NO_PRUNE = { 'argocd.argoproj.io/sync-options': 'Prune=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };

/**
 * Lower waves first: a policy whose kind of parameter is not there yet decides nothing, a binding without its policy neither.
 *
 * All are before 0, where everything else is: an engine waits until a wave is healthy, and a workload that waits for a device is not.
 */
export type SyncWave = 'crds' | 'policies' | 'bindings';

/** The annotation by which Argo CD orders objects. */
export function syncWave(wave: SyncWave): { readonly [annotation: string]: string } {
  return { 'argocd.argoproj.io/sync-wave': WAVES[wave] };
}

const WAVES: { readonly [wave in SyncWave]: string } = { crds: '-10', policies: '-8', bindings: '-7' };

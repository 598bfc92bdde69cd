import type { PreviewFile } from './preview-file';
import type { PreviewInput } from './preview-input';
import { API_GROUP, API_VERSION, type HoldLevel } from '../api';
import { bridges } from '../migration/bridge';
import { holdPlan, withCarriedNames } from '../migration/hold-plan';
import type { PlannedMigration } from '../migration/plan';
import { ClusterView } from '../view';

/**
 * Holds of a pool for `kubectl create -f`, at 3 a.m. and without our tools, as far as Git knows what to hold.
 *
 * Names that classes carry at run time are not in Git; they are put in as the phases in Git have them.
 */
export function holdFiles(pool: PlannedMigration, input: PreviewInput): readonly PreviewFile[] {
  const view = withBridgeNames(input);
  return ([['Door', 'hold.yaml'], ['Allocation', 'hold-allocation.yaml']] as const).map(([level, file]) => {
    const { spec, namesOff, warnings, mistakes } = holdPlan(view, input.migrations, pool, { level, reason: 'REPLACE: what happened, and who holds it' });
    return {
      path: `${pool.name}/${file}`,
      comment: [
        `${EFFECT[level]} Use: kubectl create -f ${file}. Undo: kubectl delete devicehold NAME, or kubectl-dra release.`,
        `kubectl-dra hold ${pool.name} looks at the cluster as well: templates that are not in this repository, and the exact device pools.`,
        ...warnings,
        ...mistakes.map(mistake => `It cannot be made like this: ${mistake}`),
        ...namesOff.map(({ deviceClassName, resource }) => `Take ${resource} off class ${deviceClassName} first (rollback.md, step 2): by its door it stops on plugin nodes too.`),
      ],
      objects: [{
        apiVersion: `${API_GROUP}/${API_VERSION}`,
        kind: 'DeviceHold',
        metadata: { generateName: `${pool.name}-` },
        spec: withCarriedNames(spec, namesOff),
      }],
    };
  });
}

const EFFECT: { readonly [level in HoldLevel]: string } = {
  Door: 'Stops new work on the classes of the pool at submission; what runs, waits or is replaced goes on.',
  Allocation: 'Also stops new allocations: waiting pods stay Pending, and work that loses a pod cannot replace it here.',
  Rollback: '',
};

function withBridgeNames({ view, migrations, target }: PreviewInput): ClusterView {
  const patched = new ClusterView(view.collection);
  for (const kind of ['DeviceClass', 'ResourceClaimTemplate'] as const) for (const { value } of view.all(kind)) patched.put(value);
  for (const { deviceClassName, resource } of bridges(migrations, target).open) {
    const found = view.find('DeviceClass', '', deviceClassName)?.value ?? { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: deviceClassName } };
    patched.put({ ...found, spec: { ...found.spec as object, extendedResourceName: resource } });
  }
  return patched;
}

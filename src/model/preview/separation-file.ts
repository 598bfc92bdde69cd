import type { PreviewFile } from './preview-file';
import { pluginsOfPath, profileForDriver } from '../drivers';
import type { PlannedMigration } from '../migration/plan';
import { type DaemonSide, driverSeparation, pluginSeparation, type SeparationValues } from '../separation';

/** Values for the charts of plugin and driver, a document each; none where no chart is known. */
export function separationFile({ name, spec }: PlannedMigration): readonly PreviewFile[] {
  return separationOf(spec).map(({ side, install, chart, values, notes }) => ({
    path: `${name}/separation/${side}-${install}.yaml`,
    comment: [`Helm values that keep the ${side === 'plugin' ? 'device plugin' : 'DRA driver'} on its own nodes. Chart: ${chart}.`, ...notes],
    objects: [values],
  }));
}

/** The values of what a pool moves from and to, plugins first. */
export function separationOf(spec: PlannedMigration['spec']): ReadonlyArray<SeparationValues & { readonly side: DaemonSide }> {
  const profile = profileForDriver(spec.driver);
  return [
    ...pluginSeparation(pluginsOfPath(spec), spec.family).map(values => ({ side: 'plugin' as const, ...values })),
    ...(profile === undefined ? [] : driverSeparation(profile)).map(values => ({ side: 'driver' as const, ...values })),
  ];
}

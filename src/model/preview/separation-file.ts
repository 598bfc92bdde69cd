import type { PreviewFile } from './preview-file';
import { profileForDriver } from '../drivers';
import type { PlannedMigration } from '../migration/plan';
import { separationValues } from '../separation';

/** Values for the charts of plugin and driver, a document each; none where no chart is known. */
export function separationFile({ name, spec }: PlannedMigration): readonly PreviewFile[] {
  const profile = profileForDriver(spec.driver);
  if (profile === undefined) return [];
  const found = (['plugin', 'driver'] as const).flatMap(side => separationValues(profile, side).map(values => ({ side, ...values })));
  return found.map(({ side, install, chart, values, notes }) => ({
    path: `${name}/separation/${side}-${install}.yaml`,
    comment: [`Helm values that keep the ${side === 'plugin' ? 'device plugin' : 'DRA driver'} on its own nodes. Chart: ${chart}.`, ...notes],
    objects: [values],
  }));
}

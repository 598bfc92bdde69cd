import type { PlannedMigration } from './plan';
import { isAtLeast } from '../phases/phase';

/** Taint of devices that a driver publishes before it owns any node. */
export const EARLY_TAINT = 'cdk8s-dra.dev/not-yet-dra';

/** Name of the DeviceTaintRule of a pool. */
export function earlyTaintRuleName(pool: string): string {
  return `${pool}-not-yet-dra`;
}

/**
 * `spec` of the DeviceTaintRule that keeps a driver's devices from being allocated while no node of its pools may be DRA's.
 *
 * A rule names device pools one by one or none, and Git does not know them: so it means the whole driver, and informs only as soon as one of
 * the driver's pools is in Canary.
 */
export function earlyTaintRuleSpec(driver: string, migrations: readonly PlannedMigration[]): object {
  const isEarly = migrations.filter(({ spec }) => spec.driver === driver).every(({ spec }) => !isAtLeast(spec.phase, 'Canary'));
  return { deviceSelector: { driver }, taint: { key: EARLY_TAINT, effect: isEarly ? 'NoSchedule' : 'None' } };
}

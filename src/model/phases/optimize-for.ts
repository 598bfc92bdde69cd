import type { CountOrPercent, DeviceMigrationSpec, HandoverSpec } from '../api';

/** What a pool is moved for. */
export type OptimizeFor = NonNullable<DeviceMigrationSpec['optimizeFor']>;

/** What a migration does where its spec is silent. */
export interface MigrationDefaults {
  readonly steps: readonly CountOrPercent[];
  readonly handover: HandoverSpec;
  readonly onGateFailure: NonNullable<DeviceMigrationSpec['onGateFailure']>;
}

/** The defaults by `optimizeFor`; the table in docs/migration.md is checked against this. */
export const OPTIMIZE_FOR: { readonly [goal in OptimizeFor]: MigrationDefaults } = {
  Continuity: {
    steps: ['10%', '25%', '50%', '75%', '100%'],
    handover: { strategy: 'WaitForIdle', onDeadline: 'Hold', parallelism: 1, maxNodesWaiting: 1 },
    onGateFailure: 'Hold',
  },
  Throughput: {
    steps: ['25%', '50%', '100%'],
    handover: { strategy: 'WaitForIdle', deadline: '24h', onDeadline: 'Evict', parallelism: '20%', maxNodesWaiting: '20%' },
    onGateFailure: 'Hold',
  },
  Utilization: {
    steps: ['10%', '25%', '50%', '75%', '100%'],
    handover: { strategy: 'WaitForIdle', deadline: '12h', onDeadline: 'Skip', parallelism: 1, maxNodesWaiting: 1, maxIdleDeviceHours: 24 },
    onGateFailure: 'Hold',
  },
};

/** What a migration is moved for where it does not say. */
export const DEFAULT_OPTIMIZE_FOR: OptimizeFor = 'Continuity';

/** The steps, hand-over and reaction to a failed gate of a migration, defaults filled in. */
export function migrationDefaults(spec: DeviceMigrationSpec): MigrationDefaults {
  const defaults = OPTIMIZE_FOR[spec.optimizeFor ?? DEFAULT_OPTIMIZE_FOR];
  const steps = spec.expand?.steps ?? [];
  return {
    steps: steps.length === 0 ? defaults.steps : steps,
    handover: { ...defaults.handover, ...spec.handover },
    onGateFailure: spec.onGateFailure ?? defaults.onGateFailure,
  };
}

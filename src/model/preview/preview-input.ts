import type { PlannedMigration } from '../migration/plan';
import type { QueuePlan } from '../migration/queue-quota';
import type { Target } from '../target';
import type { ClusterView } from '../view';

/** What a plan folder is made from. */
export interface PreviewInput {
  /** Everything that Git declares. */
  readonly view: ClusterView;
  /** Sorted by name. */
  readonly migrations: readonly PlannedMigration[];
  readonly target: Target;
  /** Version of the driver of a migration, where the program says it. */
  readonly driverVersions: { readonly [migration: string]: string };
  /** What Kueue counts, as the program says it; empty where it counts nothing. */
  readonly queues: QueuePlan;
}

/** A migration as it is in another phase. */
export function inPhase({ name, spec }: PlannedMigration, phase: PlannedMigration['spec']['phase']): PlannedMigration {
  return { name, spec: { ...spec, phase } };
}

/** The migrations that decide about the doors of a pool: those with one of its classes or resources, the pool itself in another phase. */
export function relatedTo(pool: PlannedMigration, migrations: readonly PlannedMigration[]): readonly PlannedMigration[] {
  const classes = new Set(pool.spec.deviceClassNames);
  const resources = new Set(pool.spec.legacy?.resources.map(({ name }) => name));
  return [
    pool,
    ...migrations.filter(({ name, spec }) => name !== pool.name
      && (spec.deviceClassNames.some(each => classes.has(each)) || spec.legacy?.resources.some(each => resources.has(each.name)))),
  ];
}

/** All migrations, one of them in another phase. */
export function allWith(pool: PlannedMigration, migrations: readonly PlannedMigration[]): readonly PlannedMigration[] {
  return migrations.map(each => (each.name === pool.name ? pool : each));
}

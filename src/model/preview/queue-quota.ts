import type { PreviewFile } from './preview-file';
import { allWith, inPhase, type PreviewInput } from './preview-input';
import type { KueueJson } from '../migration/kueue';
import type { PlannedMigration } from '../migration/plan';
import { clusterQueues, type CountedPool, kueueConfiguration, poolShares, type SplitShare } from '../migration/queue-quota';
import { stepNodes } from '../phases/node-count';
import { migrationDefaults } from '../phases/optimize-for';
import { type Phase, PHASES } from '../phases/phase';

/** The ClusterQueues with a share of a pool, as they are when the pool stands in another phase. */
export function queuesInPhase(moved: PlannedMigration, { queues, migrations, target }: PreviewInput): readonly KueueJson[] {
  const own = new Set(queues.queues.filter(({ devices }) => devices[moved.name] !== undefined).map(({ name }) => name));
  return clusterQueues(withoutNow(queues, moved.name), allWith(moved, migrations), target)
    .filter(({ metadata }) => own.has((metadata as { readonly name: string }).name));
}

/** What Kueue's own configuration has to say; none where it counts nothing. */
export function queueFiles({ queues, migrations, target }: PreviewInput): readonly PreviewFile[] {
  const counted = migrations.filter(({ name }) => queues.pools.some(({ pool }) => pool === name));
  if (counted.length === 0) return [];
  return [{
    path: 'kueue/configuration.yaml',
    comment: [
      'Part of the Configuration of Kueue (ConfigMap kueue-manager-config in kueue-system, key controller_manager_config.yaml), the same in every phase.',
      'Kueue reads it when it starts. Without a mapping it lets nobody in who asks for the class.',
    ],
    objects: [kueueConfiguration(counted, target)],
  }];
}

/** How the queues' quota of a pool moves with its phase and steps, as Markdown. */
export function queueSection(pool: PlannedMigration, input: PreviewInput): readonly string[] {
  const counted = input.queues.pools.find(each => each.pool === pool.name);
  if (counted === undefined) return [];
  const rows = momentsOf(pool, counted).map(({ label, phase, draNodes }) => {
    const plan = { ...input.queues, pools: [{ ...counted, draNodes }] };
    const moved = inPhase(pool, phase);
    return [label, ...poolShares(plan, moved, allWith(moved, input.migrations), input.target).map(shareText)];
  });
  const names = input.queues.queues.filter(({ devices }) => devices[pool.name] !== undefined).map(({ name }) => name).sort();
  const header = ['phase', ...names.map(name => `ClusterQueue ${name}`)];
  return [
    '## Quota in Kueue',
    '',
    `Devices of ${counted.nodes} nodes with ${counted.devicesPerNode} each, by the old name and by class; a queue's sum never changes.`,
    '',
    ...[header, header.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`),
    '',
    'Within Expand the split moves with `draNodes` of the pool. `kueue/configuration.yaml` is for Kueue itself.',
    '',
  ];
}

interface Moment {
  readonly label: string;
  readonly phase: Phase;
  readonly draNodes?: number;
}

/** Each phase, and each step of Expand. */
function momentsOf(pool: PlannedMigration, { nodes, draNodes }: CountedPool): readonly Moment[] {
  return PHASES.flatMap((phase): readonly Moment[] => {
    const isNow = phase === pool.spec.phase;
    const own: Moment = { label: isNow ? `**${phase}** (now)` : phase, phase, ...(isNow && draNodes !== undefined ? { draNodes } : {}) };
    if (phase !== 'Expand') return [own];
    const steps = migrationDefaults(pool.spec).steps.map((step): Moment => ({ label: `Expand, step ${step}`, phase, draNodes: stepNodes(step, pool.spec, nodes) }));
    return isNow ? [own, ...steps] : steps;
  });
}

function shareText({ legacy, dra }: SplitShare): string {
  return `${legacy} + ${dra}`;
}

/** Where a pool is by now means nothing in another phase. */
function withoutNow(plan: PreviewInput['queues'], pool: string): PreviewInput['queues'] {
  return { ...plan, pools: plan.pools.map(each => (each.pool === pool ? { ...each, draNodes: undefined } : each)) };
}

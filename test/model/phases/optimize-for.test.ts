import { readFileSync } from 'fs';
import type { DeviceMigrationSpec } from '../../../src/model/api';
import { DEFAULT_OPTIMIZE_FOR, migrationDefaults, nodesOf, OPTIMIZE_FOR } from '../../../src/model/phases';

const SPEC: DeviceMigrationSpec = { family: 'gpu', driver: 'gpu.nvidia.com', nodes: {}, deviceClassNames: ['gpu'], phase: 'Observe' };

test('what a spec says wins over the defaults, field by field', () => {
  const { steps, handover } = migrationDefaults({ ...SPEC, optimizeFor: 'Throughput', expand: { steps: [1, 5] }, handover: { onDeadline: 'Hold' } });
  expect(steps).toEqual([1, 5]);
  expect(handover).toEqual({ ...OPTIMIZE_FOR.Throughput.handover, onDeadline: 'Hold' });
});

test('nobody is evicted unless it is asked for', () => {
  expect(migrationDefaults(SPEC)).toEqual(OPTIMIZE_FOR[DEFAULT_OPTIMIZE_FOR]);
  expect(DEFAULT_OPTIMIZE_FOR).toBe('Continuity');
  expect(OPTIMIZE_FOR.Continuity.handover).toMatchObject({ strategy: 'WaitForIdle', onDeadline: 'Hold' });
});

test('steps rise and end with the whole pool', () => {
  for (const { steps } of Object.values(OPTIMIZE_FOR)) {
    const nodes = steps.map(step => nodesOf(step, 1000));
    expect([...new Set(nodes)].sort((a, b) => a - b)).toEqual(nodes);
    expect(nodes[nodes.length - 1]).toBe(1000);
  }
});

test('the table of the documentation says the same', () => {
  const page = readFileSync(`${__dirname}/../../../docs/migration.md`, 'utf8');
  for (const [goal, { steps, handover, onGateFailure }] of Object.entries(OPTIMIZE_FOR)) {
    const cells = [
      `\`${goal}\`${goal === DEFAULT_OPTIMIZE_FOR ? ' (default)' : ''}`, steps.join(', '), handover.strategy, handover.deadline ?? 'none', handover.onDeadline, handover.parallelism,
      handover.maxNodesWaiting, handover.maxIdleDeviceHours ?? 'any', onGateFailure,
    ];
    expect(page).toContain(`| ${cells.join(' | ')} |`);
  }
});

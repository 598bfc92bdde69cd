import * as fc from 'fast-check';
import type { DeviceMigrationSpec } from '../../../src/model/api';
import { isFewer, mostDraNodes, nodeCountProblem, nodesOf, PHASES, stepNodes } from '../../../src/model/phases';

test.each([
  ['10%', 37, 4], ['10%', 40, 4], ['1%', 20, 1], ['0%', 20, 0], ['100%', 37, 37], ['50%', 1, 1], ['29%', 100, 29], [2, 37, 2], ['2', 37, 2], [50, 37, 37], ['10%', 0, 0],
])('%s of %i nodes are %i', (count, pool, expected) => {
  expect(nodesOf(count, pool)).toBe(expected);
});

test.each([-1, 1.5, '101%', '1e3', '', '10 %', '007', '-1', true, null, undefined, {}, 10_000_000])('%p is no number of nodes', count => {
  expect(nodeCountProblem(count)?.rule).toMatch(/^must be a number of nodes/);
  expect(() => nodesOf(count as number, 10)).toThrow(/'count' must be a number of nodes from 0 to 9999999, or a share from 0% to 100%, got/);
});

const count = fc.oneof(fc.nat(50), fc.nat(100).map(percent => `${percent}%`));

test('fewer is fewer in every pool, or not in any', () => {
  fc.assert(fc.property(count, count, (a, b) => {
    const pools = Array.from({ length: 300 }, (_, pool) => nodesOf(a, pool) < nodesOf(b, pool));
    const answer = isFewer(a, b);
    if (answer === 'no') expect(pools).not.toContain(true);
    if (answer === 'yes') expect(pools).toContain(true);
    if (answer === 'yes') expect(Array.from({ length: 300 }, (_, pool) => nodesOf(a, pool) > nodesOf(b, pool))).not.toContain(true);
  }));
});

const SPEC: DeviceMigrationSpec = {
  family: 'gpu', driver: 'gpu.nvidia.com', nodes: { matchLabels: { pool: 'a' } }, deviceClassNames: ['gpu'], phase: 'Expand', canary: { nodes: '10%', namespaces: ['sandbox'] },
};

test.each([['Legacy', 0], ['Observe', 0], ['Canary', 2], ['Expand', 17], ['AllWorkloads', 20], ['PluginRemoved', 20]] as const)('in %s DRA has at most %i of 20 nodes', (phase, expected) => {
  expect(mostDraNodes({ ...SPEC, phase, expand: { legacyFloor: 3 } }, 20)).toBe(expected);
});

test('the last step bounds Expand', () => {
  expect(mostDraNodes({ ...SPEC, expand: { steps: [1, '50%'], legacyFloor: 3 } }, 20)).toBe(10);
});

test('no phase gives DRA fewer nodes than the one before, nor takes the floor before AllWorkloads', () => {
  fc.assert(fc.property(fc.nat(60), fc.nat(100), count, (pool, canary, floor) => {
    const spec = { ...SPEC, canary: { nodes: `${canary}%`, namespaces: [] }, expand: { legacyFloor: floor } };
    expect(mostDraNodes({ ...spec, phase: 'Expand' }, pool) + nodesOf(floor, pool)).toBe(pool);
    expect(stepNodes('100%', spec, pool)).toBeGreaterThanOrEqual(0);
    const nodes = PHASES.filter(phase => phase !== 'Canary').map(phase => mostDraNodes({ ...spec, phase }, pool));
    expect([...nodes].sort((a, b) => a - b)).toEqual(nodes);
  }));
});

import { pendingCluster } from './allocator/pending-cluster.mjs';
import { compare } from '../timing/compare.mjs';
import { importTypeScript } from '../timing/upstream.mjs';

export const description = 'allocation on one node, beside upstream where Go is; explaining a pending pod';

const MILLISECONDS = 300;

/** Where selectors over many devices dominate. */
const MANY_SELECTORS = ['last-of-2048', 'last-of-16384', 'one-in-64-of-16384'];

export async function measure({ runs, progress }) {
  const { BENCHMARKS, LARGER_BENCHMARKS } = await importTypeScript('test/oracle/generate/allocation-benchmarks.ts');
  const allocations = Object.entries({ ...BENCHMARKS, ...LARGER_BENCHMARKS })
    .map(([name, make]) => ({ name, wanted: { ratio: MANY_SELECTORS.includes(name) ? 0.1 : 1 }, question: { kind: 'allocate', ...make() } }));
  const explanation = {
    name: 'explain of an infeasible pod, 1,000 nodes × 8 devices', wanted: { microseconds: 500_000 }, question: { kind: 'explain', ...pendingCluster(1_000, 8) }, oursOnly: true,
  };
  return { comparisons: await compare({ runs, milliseconds: MILLISECONDS, progress }, [...allocations, explanation]) };
}

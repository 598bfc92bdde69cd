import type { PlannedMigration } from './plan';
import { driverPools, ownerOf, poolNodes } from './pool-nodes';
import type { FencedPools } from '../api';
import type { ClusterView } from '../view';

/**
 * Pools of the nodes that are in hand-over, by driver.
 *
 * A node that publishes nothing is fenced under its own name, which is what drivers call the pool of a node: slices may come while it is on the move.
 */
export function handoverPools(view: ClusterView, migrations: readonly PlannedMigration[]): readonly FencedPools[] {
  const fenced = new Map<string, Set<string>>();
  for (const { spec } of migrations) {
    const moving = poolNodes(view, spec).filter(node => ownerOf(node, spec.family) === 'handover');
    if (moving.length === 0) continue;
    const { pools, silent } = driverPools(view, spec.driver, moving);
    const known = fenced.get(spec.driver) ?? new Set();
    for (const pool of [...pools, ...silent]) known.add(pool);
    fenced.set(spec.driver, known);
  }
  return [...fenced].map(([driver, pools]) => ({ driver, pools: [...pools].sort() })).sort((a, b) => (a.driver < b.driver ? -1 : 1));
}

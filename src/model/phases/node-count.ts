import { PHASE_TABLE } from './phase-table';
import type { CountOrPercent, DeviceMigrationSpec } from '../api';
import { describeProblem, type Problem } from '../problem';

const COUNT = /^(0|[1-9][0-9]{0,6})$/;
const PERCENT = /^([0-9]|[1-9][0-9]|100)%$/;

/** Why a value is neither a number of nodes nor a share of a pool. */
export function nodeCountProblem(count: unknown): Problem | undefined {
  const isCount = typeof count === 'number' ? Number.isInteger(count) && count >= 0 && count <= MOST_NODES : typeof count === 'string' && (COUNT.test(count) || PERCENT.test(count));
  return isCount ? undefined : {
    rule: `must be a number of nodes from 0 to ${MOST_NODES}, or a share from 0% to 100%`,
    help: 'Write a whole number such as 2, or a text such as 10%.',
  };
}

/**
 * How many nodes of a pool a number or share means: a share is rounded up, and nothing is more than the pool.
 *
 * Up in every use: `1%` of 20 nodes as a canary is one node, not none, and as a floor keeps one node. Throws for what is neither.
 */
export function nodesOf(count: CountOrPercent, pool: number): number {
  const problem = nodeCountProblem(count);
  if (problem !== undefined) throw new Error(describeProblem('count', count, problem));
  const percent = percentOf(count);
  return Math.min(pool, percent === undefined ? Number(count) : Math.ceil((percent * pool) / 100));
}

/**
 * Whether one number or share means fewer nodes than another: `yes` is fewer in some pools and more in none, `no` is fewer in none.
 *
 * A number against a share depends on the pool; only `0` and `100%` are certain.
 */
export function isFewer(count: CountOrPercent, than: CountOrPercent): 'yes' | 'no' | 'depends' {
  const [a, b] = [percentOf(count), percentOf(than)];
  const [isNone, isThanNone] = [(a ?? Number(count)) === 0, (b ?? Number(than)) === 0];
  if ((a === undefined) === (b === undefined)) return (a ?? Number(count)) < (b ?? Number(than)) ? 'yes' : 'no';
  if (isThanNone || a === 100) return 'no';
  return isNone || b === 100 ? 'yes' : 'depends';
}

/** The most nodes of a pool that may be owned by DRA in the phase that a spec names. */
export function mostDraNodes(spec: DeviceMigrationSpec, pool: number): number {
  switch (PHASE_TABLE[spec.phase].nodes) {
    case 'none': return 0;
    case 'canary': return spec.canary === undefined ? 0 : stepNodes(spec.canary.nodes, spec, pool);
    case 'steps': return stepNodes(lastStep(spec), spec, pool);
    case 'all': return pool;
  }
}

/**
 * The field that keeps every node of a pool with the device plugin in a phase that opens its classes; undefined where nodes move, or where a number cannot be read.
 *
 * Without a pool: of no pool, however large, would a node move.
 */
export function fieldThatMovesNone(spec: DeviceMigrationSpec, pool = MOST_NODES): readonly (string | number)[] | undefined {
  const share = PHASE_TABLE[spec.phase].nodes;
  const { canary, expand } = spec;
  const step = share === 'canary' ? canary?.nodes : share === 'steps' ? lastStep(spec) : undefined;
  const floor = expand?.legacyFloor ?? 0;
  if (step === undefined || pool === 0 || [step, floor].some(one => nodeCountProblem(one) !== undefined)) return undefined;
  if (stepNodes(step, spec, pool) > 0) return undefined;
  if (nodesOf(step, pool) > 0) return ['spec', 'expand', 'legacyFloor'];
  return share === 'canary' ? ['spec', 'canary', 'nodes'] : ['spec', 'expand', 'steps', (expand?.steps ?? []).length - 1];
}

/** Nodes of a canary or of a step of Expand: never so many that fewer than `legacyFloor` are left. */
export function stepNodes(step: CountOrPercent, spec: DeviceMigrationSpec, pool: number): number {
  return Math.min(nodesOf(step, pool), pool - nodesOf(spec.expand?.legacyFloor ?? 0, pool));
}

function lastStep(spec: DeviceMigrationSpec): CountOrPercent {
  const steps = spec.expand?.steps ?? [];
  return steps.length === 0 ? '100%' : steps[steps.length - 1];
}

function percentOf(count: CountOrPercent): number | undefined {
  return typeof count === 'string' && count.endsWith('%') ? Number(count.slice(0, -1)) : undefined;
}

/** As the CRD: seven digits. */
const MOST_NODES = 9_999_999;

import type { Estimate, Operand } from './estimated';
import { exactly, ONE, plus, scaled, times, UNBOUNDED } from './range';
import type { Range } from './range';
import { SORTABLE } from '../library/list-extensions';

type ListCall = (target: Operand | undefined, args: readonly Operand[], sizeOf: (operand: Operand) => Range) => Estimate | undefined;

/** Estimates that come with the libraries for lists and sets (cel-go `ext/lists.go`, `ext/sets.go`); undefined for others. */
export function estimateListCall(
  id: string, target: Operand | undefined, args: readonly Operand[], sizeOf: (operand: Operand) => Range,
): Estimate | undefined {
  return LIST_CALLS.get(id)?.(target, args, sizeOf);
}

/** The cost of reading the elements and of making a list of them. */
function makes(factor: number, size: Range): Estimate {
  return { cost: plus(plus(scaled(size, factor), ONE), exactly(10n)), size };
}

/** An int that is written in the expression, negative ones as 0. */
function literalInt({ expr }: Operand, otherwise: bigint): bigint {
  if (expr.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise;
  return expr.value < 0n ? 0n : expr.value;
}

const flattens: ListCall = (target, args, sizeOf) => {
  if (target === undefined) return undefined;
  const depth = args.length === 1 ? literalInt(args[0], UNBOUNDED) : 1n;
  return makes(Number(depth), sizeOf(target));
};

function comparesAll(size: Range, factor = 2): Estimate {
  return makes(factor, times(size, size));
}

function combines(factor: number): ListCall {
  return (_target, [a, b], sizeOf) => ({ cost: plus(scaled(times(sizeOf(a), sizeOf(b)), factor), ONE) });
}

const LIST_CALLS: ReadonlyMap<string, ListCall> = new Map<string, ListCall>([
  ['list_slice', (target, args, sizeOf) => {
    if (target === undefined) return undefined;
    const size = BigInt.asUintN(64, literalInt(args[1], sizeOf(target).max) - literalInt(args[0], 0n));
    return makes(1, exactly(size));
  }],
  ['lists_range', (_target, [count]) => makes(1, exactly(literalInt(count, UNBOUNDED)))],
  ['list_reverse', (target, _args, sizeOf) => (target === undefined ? undefined : makes(1, sizeOf(target)))],
  ['list_flatten', flattens],
  ['list_flatten_int', flattens],
  ['list_distinct', (target, _args, sizeOf) => (target === undefined ? undefined : comparesAll(sizeOf(target)))],
  ...SORTABLE.flatMap(({ name, kind }) => {
    const factor = kind === 'string' || kind === 'bytes' ? 2 + 0.1 : 2;
    const sort: ListCall = (target, _args, sizeOf) => (target === undefined ? undefined : comparesAll(sizeOf(target), factor));
    const sortBy: ListCall = (_target, [keys], sizeOf) => comparesAll(sizeOf(keys), factor);
    return [[`list_${name}_sort`, sort], [`list_${name}_sortByAssociatedKeys`, sortBy]] as const;
  }),
  ['list_sets_contains_list', combines(1)],
  ['list_sets_intersects_list', combines(1)],
  ['list_sets_equivalent_list', combines(2)],
]);

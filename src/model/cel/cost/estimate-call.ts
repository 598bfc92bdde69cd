import { estimateLibraryCall } from './estimate-library';
import { estimateListCall } from './estimate-list';
import type { Estimate, Operand, PathSize } from './estimated';
import { REGEX, TRAVERSAL } from './factors';
import { ONE, plus, scaled, times, UNKNOWN } from './range';
import type { Range } from './range';
import type { CelGo } from '../environment';

/** Estimated cost of a call without its operands; `pathSize` finds sizes that they do not carry. */
export function estimateCall(
  functionName: string, id: string, target: Operand | undefined, args: readonly Operand[], pathSize: PathSize, celGo: CelGo,
): Estimate {
  const sizeOf = (operand: Operand) => operand.size ?? pathSize(operand.path) ?? UNKNOWN;
  return estimateListCall(id, target, args, sizeOf)
    ?? estimateLibraryCall(functionName, id, target, args, pathSize)
    ?? (id === 'matches' && celGo === '0.29' ? matchesGlobally(args) : undefined)
    ?? BY_ID.get(id)?.(args.map(({ size }) => size ?? UNKNOWN), target === undefined ? undefined : target.size ?? UNKNOWN)
    ?? { cost: ONE };
}

/** `matches(text, pattern)`, which cost nothing special before cel-go 0.29. */
function matchesGlobally([text, pattern]: readonly Operand[]): Estimate {
  return matchesRegex(text.size ?? UNKNOWN, pattern.size ?? UNKNOWN);
}

function matchesRegex(text: Range, pattern: Range): Estimate {
  return { cost: times(scaled(plus(text, ONE), TRAVERSAL), scaled(pattern, REGEX)) };
}

type Sized = (args: readonly Range[], target: Range | undefined) => Estimate | undefined;

function readsTarget(_args: readonly Range[], target: Range | undefined): Estimate | undefined {
  return target === undefined ? undefined : { cost: scaled(target, TRAVERSAL) };
}

/** What the larger of the two operands adds is not compared. */
function compares([a, b]: readonly Range[]): Estimate {
  const max = a.max < b.max ? a.max : b.max;
  return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL) };
}

function joins([a, b]: readonly Range[]): Estimate {
  const size = plus(a, b);
  return { cost: scaled(size, TRAVERSAL), size };
}

const uint64 = (value: bigint) => BigInt.asUintN(64, value);

/** Costs that depend on sizes in cel-go itself. */
const BY_ID: ReadonlyMap<string, Sized> = new Map<string, Sized>([
  ['string_format', readsTarget],
  ['string_to_bytes', ([text]) => ({ cost: scaled(text, TRAVERSAL), size: { min: text.min, max: uint64(text.max * 4n) } })],
  ['bytes_to_string', ([bytes]) => ({ cost: scaled(bytes, TRAVERSAL), size: { min: bytes.min / 4n, max: bytes.max } })],
  ['strings_quote', ([text]) => ({ cost: scaled(text, TRAVERSAL), size: { min: uint64(text.min + 2n), max: uint64(text.max * 2n + 2n) } })],
  ['starts_with_string', ([part]) => ({ cost: scaled(part, TRAVERSAL) })],
  ['ends_with_string', ([part]) => ({ cost: scaled(part, TRAVERSAL) })],
  ['in_list', ([, list]) => ({ cost: scaled(list, 1) })],
  ['matches_string', ([pattern], target) => (target === undefined ? undefined : matchesRegex(target, pattern))],
  ['contains_string', ([part], target) => (target === undefined ? undefined : { cost: times(scaled(target, TRAVERSAL), scaled(part, TRAVERSAL)) })],
  ['add_string', joins],
  ['add_bytes', joins],
  ['add_list', ([a, b]) => ({ cost: ONE, size: plus(a, b) })],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [[`${name}_string`, compares], [`${name}_bytes`, compares]] as const),
  ['equals', compares],
  ['not_equals', compares],
]);

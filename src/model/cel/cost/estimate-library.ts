import type { Estimate, Operand, PathSize } from './estimated';
import { REGEX, TRAVERSAL } from './factors';
import { exactly, ONE, plus, scaled, times, UNBOUNDED, union, UNKNOWN, ZERO } from './range';
import type { Range } from './range';
import { CHECK_COST } from '../library/authorizer';

/** Estimates of Kubernetes' libraries (`k8s.io/apiserver/pkg/cel/library/cost.go`); undefined leaves the call to cel-go. */
export function estimateLibraryCall(
  functionName: string, id: string, target: Operand | undefined, args: readonly Operand[], pathSize: PathSize,
): Estimate | undefined {
  return BY_FUNCTION.get(functionName)?.({ id, target, args, sizeOf: ({ size, path }) => size ?? pathSize(path) ?? UNKNOWN, pathSize });
}

interface Call {
  readonly id: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly sizeOf: (operand: Operand) => Range;
  readonly pathSize: PathSize;
}

type Estimator = (call: Call) => Estimate | undefined;

function fixed(): Estimate {
  return { cost: ONE };
}

function readsArgument({ args, sizeOf }: Call, factor = TRAVERSAL): Estimate | undefined {
  return args.length === 0 ? undefined : { cost: scaled(sizeOf(args[0]), factor) };
}

/** A text that is no longer than the one it is made from. */
function shortens({ target, sizeOf }: Call): Estimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: scaled(size, TRAVERSAL), size };
}

/** Size of the elements of a list; undefined if it is no list. */
function elementSize({ type, path }: Operand, pathSize: PathSize): { size: Range; textual: boolean } | undefined {
  const [element] = type.parameters;
  if (element === undefined) return undefined;
  const size = (path.length > 0 ? pathSize([...path, '@items']) : undefined) ?? UNKNOWN;
  return { size, textual: element.kind === 'string' || element.kind === 'bytes' };
}

function comparesElements({ target, sizeOf, pathSize }: Call): Estimate | undefined {
  if (target === undefined) return undefined;
  const element = elementSize(target, pathSize);
  if (element === undefined) return { cost: scaled(sizeOf(target), TRAVERSAL) };
  const each = element.textual ? plus(ONE, scaled(element.size, TRAVERSAL)) : ONE;
  return { cost: times(sizeOf(target), each) };
}

const includes: Estimator = (call) => {
  const { id, target, sizeOf, pathSize } = call;
  if (target === undefined) return undefined;
  if (id === 'dra_includes_dyn_dyn') return { cost: { min: 0n, max: 48n } };
  return elementSize(target, pathSize) === undefined ? { cost: times(sizeOf(target), ONE) } : comparesElements(call);
};

const replaces: Estimator = ({ target, args, sizeOf }) => {
  if (target === undefined || args.length < 2) return undefined;
  const text = sizeOf(target);
  const [old, by] = args.map(sizeOf);
  const most = longest(text.max, old.min, by.max);
  const least = shortest(text.min, old.max, by.min);
  const size = plus(times({ min: least.count, max: most.count }, by), { min: least.kept, max: most.kept });
  return { cost: scaled(text, 2 * TRAVERSAL), size };
};

/** The smallest part replaced by the largest one, as often as it fits. */
function longest(text: bigint, old: bigint, by: bigint): { count: bigint; kept: bigint } {
  if (old === 0n) return { count: text < UNBOUNDED ? text + 1n : text, kept: text };
  return by <= old ? { count: 0n, kept: text } : { count: quotient(text, old), kept: 0n };
}

function shortest(text: bigint, old: bigint, by: bigint): { count: bigint; kept: bigint } {
  if (old === 0n) return { count: text < UNBOUNDED ? text + 1n : text, kept: text };
  return old <= by ? { count: 0n, kept: text } : { count: quotient(text, old), kept: 0n };
}

function quotient(a: bigint, b: bigint): bigint {
  const result = Math.ceil(Number(a) / Number(b));
  // Go's conversion of a double beyond uint64 gives this on amd64.
  return result >= 2 ** 64 ? 2n ** 63n : BigInt(result);
}

const splits: Estimator = ({ target, args, sizeOf }) => {
  if (target === undefined) return undefined;
  const text = sizeOf(target);
  const limit = args.length > 1 && args[1].expr.kind === 'literal' ? args[1].expr.value : undefined;
  const max = typeof limit === 'bigint' ? BigInt.asUintN(64, limit) : text.max;
  return { cost: scaled(text, 2 * TRAVERSAL), size: { min: 0n, max } };
};

const joins: Estimator = ({ target, args, sizeOf, pathSize }) => {
  if (target === undefined) return undefined;
  const list = sizeOf(target);
  const element = elementSize(target, pathSize);
  let size = element === undefined ? ZERO : times(list, element.size);
  if (args.length > 0) {
    const separators = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    size = plus(size, times(sizeOf(args[0]), separators));
  }
  return { cost: scaled(size, TRAVERSAL), size };
};

const finds: Estimator = ({ target, args, sizeOf }) => {
  if (target === undefined || args.length === 0) return undefined;
  const text = sizeOf(target);
  return { cost: times(scaled(plus(text, ONE), TRAVERSAL), scaled(sizeOf(args[0]), REGEX)), size: { min: 0n, max: text.max } };
};

/** Bytes of an address: 4 or 16. */
const ADDRESS: Range = { min: 4n, max: 16n };

const contains: Estimator = ({ id, args, sizeOf }) => {
  if (args.length === 0) return undefined;
  let cost = scaled(plus(ADDRESS, ADDRESS), TRAVERSAL);
  if (id.startsWith('cidr_contains_cidr')) cost = plus(plus(cost, scaled(ADDRESS, TRAVERSAL)), ONE);
  return { cost: id.endsWith('_string') ? plus(cost, scaled(sizeOf(args[0]), TRAVERSAL)) : cost };
};

/** A list of requirements, each of at least two characters. */
function parsesSelector(text: Range): Estimate {
  return { cost: plus(plus(exactly(10n), scaled(text, TRAVERSAL)), scaled(scaled(text, 0.5), 50)) };
}

/** Longest regular expression behind a named format. */
const FORMAT_REGEX = 128 * REGEX;

const equals: Estimator = ({ args: [a, b] }) => {
  if (a === undefined || b === undefined || a.type.name !== b.type.name) return undefined;
  switch (a.type.name) {
    case 'net.IP': case 'net.CIDR': case 'kubernetes.Quantity': case 'kubernetes.Semver': return fixed();
    case 'kubernetes.NamedFormat': return { cost: scaled({ min: 1n, max: 64n }, TRAVERSAL) };
    case 'kubernetes.URL': return { cost: scaled({ min: 1n, max: b.size === undefined ? 1n : union(b.size, b.size).max }, TRAVERSAL) };
    default: return undefined;
  }
};

const BY_FUNCTION: ReadonlyMap<string, Estimator> = new Map<string, Estimator>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, comparesElements] as const),
  ['includes', includes],
  ['url', (call) => (call.args.length === 1 ? { cost: scaled(call.sizeOf(call.args[0]), TRAVERSAL), size: call.sizeOf(call.args[0]) } : undefined)],
  ...['lowerAscii', 'upperAscii', 'substring', 'trim'].map((name) => [name, shortens] as const),
  ['replace', replaces],
  ['split', splits],
  ['join', joins],
  ['check', () => ({ cost: exactly(BigInt(CHECK_COST)) })],
  ...['fieldSelector', 'labelSelector'].map((name) => [name, ({ args, sizeOf }: Call) => (args.length === 1 ? parsesSelector(sizeOf(args[0])) : undefined)] as const),
  ['find', finds],
  ['findAll', finds],
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name) => [name, (call: Call) => readsArgument(call)] as const),
  ['ip', (call) => (call.id === 'cidr_ip' ? fixed() : readsArgument(call))],
  ['ip.isCanonical', (call) => readsArgument(call, 2 * TRAVERSAL)],
  ['containsIP', contains],
  ['containsCIDR', contains],
  ['validate', ({ args, sizeOf }) => (args.length === 0 ? undefined : { cost: scaled(scaled(sizeOf(args[0]), TRAVERSAL), FORMAT_REGEX) })],
  ['_==_', equals],
]);

import type { Gates, Minor, OracleCase } from './question';
import { Random } from './random';
import { callExpression } from './selector-calls';
import { SELECTOR_CORNERS } from './selector-corners';
import { DRIVER, OTHER, selectorDevice } from './selector-device';
import { ExpressionGenerator } from './selector-expression';
import type { CelType } from './selector-expression';
import { MESSAGE_CORNERS, messageExpression } from './selector-messages';
import { valueExpression } from './selector-value-cases';

/** Every second case is a corner, in an order that the seed gives, until all have been; the rest are random ones of all features in turn. */
export function selectorCases(seed: number, count: number, minor: Minor): OracleCase[] {
  const random = new Random(seed);
  const corners = random.shuffled([...SELECTOR_CORNERS, ...MESSAGE_CORNERS].map((expression, index) => ({ expression, id: `corner-${index}` })));
  const cases: OracleCase[] = [];
  for (let index = 0; cases.length < count; index++) {
    const corner = corners.pop();
    if (corner !== undefined) {
      cases.push({ feature: 'corner', question: { ...corner, kubernetes: minor, device: CORNER_DEVICE, ...gatesAndEnvironment(random, minor, 4) } });
    }
    const [feature, make] = FEATURES[index % FEATURES.length];
    cases.push({ feature, question: { id: `${feature}-${index}`, kubernetes: minor, ...make(random, minor) } });
  }
  return cases.slice(0, count);
}

type Maker = (random: Random, minor: Minor) => Record<string, unknown>;

const FEATURES: readonly (readonly [string, Maker])[] = [
  ['grammar', grammar], ['grammar', grammar], ['typed', typed], ['selector', selector], ['grammar', grammar], ['typed', typed], ['syntax', syntax],
  ['cost', costLimit], ['heavy', heavy], ['size', size], ['selector', selector], ['lists', lists], ['calls', calls], ['values', values], ['calls', calls], ['values', values], ['messages', messages],
];

const CORNER_DEVICE = {
  driver: DRIVER,
  attributes: {
    'model': { string: 'A100' },
    'index': { int: 3 },
    'healthy': { bool: true },
    'driverVersion': { version: '1.2.3' },
    'big': { int: 9223372036854775807n },
    [`${OTHER}/speed`]: { int: 400 },
    'resource.kubernetes.io/pcieRoot': { string: 'pci0000:00' },
  },
  capacity: { memory: { value: '80Gi' }, cores: { value: '108' } },
  allowMultipleAllocations: true,
};

function gatesAndEnvironment(random: Random, minor: Minor, rarity: number): { features?: Gates; envType?: string } {
  const features: Record<string, boolean> = {};
  if (random.once(rarity)) features.DRAConsumableCapacity = random.once(2);
  if (random.once(rarity * 2) && (minor === '1.36' || minor === '1.37')) features.DRAListTypeAttributes = true;
  return {
    ...(Object.keys(features).length > 0 ? { features } : {}),
    ...(random.once(4) ? { envType: random.pick(['new', 'new', 'stored']) } : {}),
  };
}

function grammar(random: Random, minor: Minor): Record<string, unknown> {
  const expression = new ExpressionGenerator(random, random.between(1, 4)).of('bool');
  const settings = gatesAndEnvironment(random, minor, 5);
  return { expression, device: selectorDevice(random, settings.features?.DRAListTypeAttributes === true), ...settings };
}

const VALUE_TYPES: readonly CelType[] = [
  'int', 'uint', 'double', 'string', 'bytes', 'ints', 'strings', 'map', 'duration', 'timestamp', 'quantity', 'semver', 'ip', 'cidr', 'url', 'optionalInt', 'any', 'anys',
];

/** Two values of one type, so that every function is seen often and its value shows in the answer. */
function typed(random: Random, minor: Minor): Record<string, unknown> {
  const type = random.pick(VALUE_TYPES);
  const grow = new ExpressionGenerator(random, random.between(1, 2));
  const settings = gatesAndEnvironment(random, minor, 6);
  // `string` of a value is the only way to see more than equality of it.
  const expression = random.once(8) ? grow.of(type) : `${grow.of(type)} ${random.pick(['==', '==', '!=', '<', '>='])} ${grow.of(type)}`;
  return { expression, device: selectorDevice(random, settings.features?.DRAListTypeAttributes === true), ...settings };
}

/** Every function with arguments of every type. */
function calls(random: Random, minor: Minor): Record<string, unknown> {
  return { expression: callExpression(random), device: CORNER_DEVICE, ...gatesAndEnvironment(random, minor, 12) };
}

/** Every function with values on which it is easily wrong. */
function values(random: Random, minor: Minor): Record<string, unknown> {
  return { expression: valueExpression(random), device: CORNER_DEVICE, ...gatesAndEnvironment(random, minor, 12) };
}

function messages(random: Random, minor: Minor): Record<string, unknown> {
  return { expression: messageExpression(random), device: CORNER_DEVICE, ...gatesAndEnvironment(random, minor, 12) };
}

const A = `device.attributes["${DRIVER}"]`;
const C = `device.capacity["${DRIVER}"]`;

/** What people write, with a guard or without. */
function selector(random: Random, minor: Minor): Record<string, unknown> {
  const terms = random.list(random.between(1, 4), () => random.pick([
    `device.driver == "${random.pick([DRIVER, OTHER])}"`,
    `${A}.model == "${random.pick(['A100', 'H100', ''])}"`,
    `"model" in ${A} && ${A}.model.startsWith("A")`,
    `has(${A}.model) && ${A}.model in ["A100", "H100"]`,
    `${A}.?model.orValue("").lowerAscii().contains("${random.pick(['a', '100', 'ü'])}")`,
    `${A}.driverVersion.compareTo(semver("${random.pick(['1.2.3', '500.0.0', '1.0.0'])}")) >= 0`,
    `${A}.driverVersion.isGreaterThan(semver("1.0.0"))`,
    `${A}.driverVersion == "1.2.3"`,
    `${C}.memory.compareTo(quantity("${random.pick(['40Gi', '80Gi', '1'])}")) ${random.pick(['>=', '>', '==', '<'])} 0`,
    `${C}.memory > 40`,
    `${C}.?memory.orValue(quantity("0")).isGreaterThan(quantity("1Gi"))`,
    `quantity("1Gi").isLessThan(${C}.memory)`,
    `cel.bind(dra, ${A}, dra.index < 4 && dra.healthy)`,
    `device.attributes["${OTHER}"].speed >= ${random.pick([100, 400, 401])}`,
    `"${OTHER}" in device.attributes && "speed" in device.attributes["${OTHER}"]`,
    'device.attributes["resource.kubernetes.io"].pcieRoot.matches("^pci[0-9a-f]{4}:[0-9a-f]{2}$")',
    `${A}.index == ${random.pick(['3', '"3"', '3.0', '3u', '9007199254740993', '9007199254740992'])}`,
    `${A}.model.gpu == "x"`,
    'device.allowMultipleAllocations',
    `device.attributes["${DRIVER}"].is-healthy`,
    `device.attribute["${DRIVER}"].model == "a"`,
    `device.attributes["${DRIVER}"].model = "a"`,
  ]));
  const settings = gatesAndEnvironment(random, minor, 3);
  const expression = terms.reduce((all, term) => `${all} ${random.pick(['&&', '&&', '||'])} ${term}`);
  return { expression, device: selectorDevice(random, settings.features?.DRAListTypeAttributes === true), ...settings };
}

const NOISE = [...'()[]{}.,?:!&|=<>+-*/%"\'`\\ \n\t#@$;~^', 'in', 'null', 'b"', 'r"', '"""', '//', '0x', '1e', '1u', '..', '\u00e9', '😀', '\u0000', 'if', 'for', 'let', '_', '&', '1.', '.1'];

/** A good expression with one or two characters changed. */
function syntax(random: Random, minor: Minor): Record<string, unknown> {
  const { expression, device } = random.once(2) ? grammar(random, minor) : selector(random, minor);
  let text = [...String(expression)];
  for (let changes = random.between(1, 2); changes > 0; changes--) {
    const at = random.below(text.length + 1);
    text = [...text.slice(0, at), ...(random.once(3) ? [] : [random.pick(NOISE)]), ...text.slice(at + random.below(3))];
  }
  return { expression: text.join(''), device };
}

function costLimit(random: Random, minor: Minor): Record<string, unknown> {
  const limited = random.once(2) ? grammar(random, minor) : selector(random, minor);
  return { ...limited, costLimit: random.pick([0, 1, 5, 10, 20, 50, 1000, random.below(40)]) };
}

/** Costs up to and beyond the limit of 1 000 000; longer flat loops take upstream minutes. */
function heavy(random: Random): Record<string, unknown> {
  const n = random.pick([10, 50, 100, 300]);
  const expression = random.pick([
    `lists.range(${n}).all(x, lists.range(${random.pick([10, 100, 200])}).all(y, x + y >= 0))`,
    `lists.range(${n}).map(x, x * 2).sum() == ${n * (n - 1)}`,
    `lists.range(${n}).exists(x, x == ${n - 1})`,
    `lists.range(${n}).map(x, string(x)).join(",").size() > ${random.between(1, 400)}`,
    `lists.range(${n}).filter(x, x % 3 == 0).map(x, [x, x]).flatten().size() == ${n}`,
    `[${Array.from({ length: random.between(1, 60) }, (_, index) => index).join(', ')}].all(x, "${'a'.repeat(random.between(1, 200))}".matches("a*${'b'.repeat(random.between(1, 5))}?"))`,
    `"${'ab'.repeat(random.between(1, 500))}".contains("${'b'.repeat(random.between(1, 100))}")`,
    `device.attributes["${DRIVER}"].model.matches("${'a?'.repeat(random.between(1, 30))}")`,
    `lists.range(${random.between(0, 60)}).sort() == lists.range(${random.between(0, 60)}).reverse().sort()`,
    `lists.range(${random.between(10, 2000)}).distinct().size() > 5`,
    `lists.range(${n}).all(x, ${A}.model.size() >= 0 && ${A}.?nosuch.orValue("x").contains("y") == false)`,
    `sets.contains(lists.range(${n}), lists.range(${random.between(1, 100)}))`,
    'lists.range(3).map(a, lists.range(3).map(b, lists.range(3).map(c, a * b * c).sum()).sum()).sum() == 27',
    '[1, 2, 3].all(a, [1, 2, 3].all(b, [1, 2, 3].all(c, [1, 2, 3].all(d, a + b + c + d > 3))))',
    `"${'x'.repeat(random.between(1, 300))}" + "${'y'.repeat(random.between(1, 300))}" == "z"`,
    `"${'x,'.repeat(random.between(1, 100))}".split(",").size() == 3`,
    'device.attributes.all(d, device.attributes[d].all(k, true))',
  ]);
  return { expression, device: selectorDevice(random, false), ...(random.once(6) ? { costLimit: random.pick([100, 1000, 10000]) } : {}) };
}

const LONGEST = 10240;

/** Around the limit of 10 KiB, counted in bytes, and around the limits of the parser. */
function size(random: Random): Record<string, unknown> {
  const padded = (expression: string, filler: string, bytes: number): string =>
    expression + filler.repeat(Math.ceil(Math.max(0, bytes - Buffer.byteLength(expression)) / Buffer.byteLength(filler)));
  const bytes = LONGEST + random.between(-2, 3);
  const depth = random.pick([5, 20, 45, 50, 100, 249, 250, 251, 300]);
  const expression = random.pick([
    padded('true', ' ', bytes), padded('device.driver == "x" // ', 'é', bytes), padded('true //', 'a', bytes), `${padded('"', 'a', bytes - 6)}" != ""`, padded('true', ' && true', bytes),
    `${'('.repeat(depth)}true${')'.repeat(depth)}`, `${'!'.repeat(depth)}true`, `${'-'.repeat(depth)}1 == 1`, `${'['.repeat(depth)}${']'.repeat(depth)} == []`,
    `${'true ? true : '.repeat(depth)}false`, `true${' && true'.repeat(depth)}`, `1${' + 1'.repeat(depth)} > 0`, `device${'.a'.repeat(depth)} == 1`, `${'{"a": '.repeat(depth)}1${'}'.repeat(depth)} == {}`,
    `${'true == ('.repeat(depth)}true${')'.repeat(depth)}`, `[${'1, '.repeat(depth)}1].size() > 0`, `"${'x'.repeat(depth)}".size() == ${depth}`, `dyn(1)${'.a'.repeat(depth)} == 1`,
  ]);
  return { expression, device: selectorDevice(random, false) };
}

/** List-typed attributes, with the gate and without. */
function lists(random: Random, minor: Minor): Record<string, unknown> {
  const canSwitch = minor === '1.36' || minor === '1.37';
  const list = random.pick(['ports', 'modes', 'flags', 'firmwares', 'model', 'nosuch']);
  const value = random.pick(['1', '"shared"', 'true', 'semver("1.0.0")', '"A100"', '1.0', '1u', 'null']);
  const expression = random.pick([
    `${A}.${list}.includes(${value})`, `${value} in ${A}.${list}`, `${A}.${list}.exists(x, x == ${value})`, `${A}.${list}.size() == 2`, `size(${A}.${list}) > 1`, `${A}.${list}[0] == ${value}`,
    `${A}.${list} == [${value}]`, `${A}.?${list}.orValue([]).includes(${value})`, `${A}.${list}.all(x, x != ${value})`, `${A}.${list}.map(x, x).size() > 0`, `[1, 2].includes(${value})`,
    `${value}.includes(${value})`, `lists.range(60).includes(${random.pick(['3', '47', '48', '59', '"x"'])})`, `${A}.${list}.sum() == 6`, `${A}.${list}.isSorted()`, `${A}.${list}`, `type(${A}.${list}) == list`,
    `${A}.${list}.min() == 1`, `${A}.${list}.indexOf(${value}) == 0`, `${A}.${list}.join(",") == "shared,exclusive"`, `dyn(${A}.${list}).includes(${value})`, `${A}.${list}.contains(${value})`,
  ]);
  const gate = canSwitch && !random.once(6);
  return {
    expression,
    device: selectorDevice(random, gate || random.once(4)),
    ...(gate ? { features: { DRAListTypeAttributes: true, ...(random.once(3) ? { DRAConsumableCapacity: false } : {}) } } : {}),
    ...(random.once(3) ? { envType: 'new' } : {}),
  };
}

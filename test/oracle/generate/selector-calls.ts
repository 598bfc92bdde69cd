import type { Random } from './random';

/** Arguments of every type, right for some functions and wrong for most. */
const ARGUMENTS = [
  '1', '2u', '1.5', '"a"', 'b"a"', 'true', 'null', '[1]', '["a"]', '{"a": 1}', 'duration("1s")', 'timestamp(0)', 'quantity("1")',
  'semver("1.2.3")', 'ip("10.0.0.1")', 'cidr("10.0.0.0/8")', 'url("/a")', 'type(1)', 'optional.of(1)', 'optional.none()',
  'format.named("uri").value()', 'device', 'int("x")', '[]', '{}', '""', '[[1]]', '[dyn(1), dyn("a")]', '-1', '"1.2.3"', 'double("NaN")',
  ...['model', 'index', 'healthy', 'driverVersion', 'nosuch'].map((name) => `device.attributes["gpu.example.com"].${name}`),
];

/** Every function, operator and macro, with `#` for its arguments and arguments that are right. */
const CALLS: readonly (readonly [template: string, ...args: readonly string[]])[] = [
  ['#.path(#)', 'dyn(1)', '"/a"'], ['#.group(#)', 'dyn(1)', '"a"'], ['#.serviceAccount(#, #)', 'dyn(1)', '"a"', '"b"'], ['#.resource(#)', 'dyn(1)', '"a"'],
  ['#.subresource(#)', 'dyn(1)', '"a"'], ['#.namespace(#)', 'dyn(1)', '"a"'], ['#.name(#)', 'dyn(1)', '"a"'], ['#.check(#)', 'dyn(1)', '"a"'], ['#.fieldSelector(#)', 'dyn(1)', '"a=b"'],
  ['#.labelSelector(#)', 'dyn(1)', '"a=b"'], ['#.allowed()', 'dyn(1)'], ['#.reason()', 'dyn(1)'], ['#.error()', 'dyn(1)'], ['#.errored()', 'dyn(1)'], ['size(#)', '"a"'],
  ['#.size()', '"a"'], ['int(#)', '1'], ['uint(#)', '1u'], ['double(#)', '1.0'], ['string(#)', '"a"'], ['bytes(#)', '"a"'], ['bool(#)', 'true'], ['duration(#)', '"1s"'],
  ['timestamp(#)', '"2024-01-01T00:00:00Z"'], ['type(#)', '1'], ['dyn(#)', '1'], ['#.contains(#)', '"abc"', '"b"'], ['#.startsWith(#)', '"abc"', '"b"'], ['#.endsWith(#)', '"abc"', '"b"'],
  ['#.matches(#)', '"abc"', '"b"'], ['matches(#, #)', '"abc"', '"b"'], ['#.charAt(#)', '"abc"', '1'], ['#.indexOf(#)', '"abc"', '"b"'], ['#.indexOf(#, #)', '"abc"', '"b"', '1'],
  ['#.lastIndexOf(#)', '"abc"', '"b"'], ['#.lastIndexOf(#, #)', '"abc"', '"b"', '1'], ['#.lowerAscii()', '"A"'], ['#.upperAscii()', '"A"'], ['#.trim()', '" a"'],
  ['#.replace(#, #)', '"abc"', '"b"', '"c"'], ['#.replace(#, #, #)', '"abc"', '"b"', '"c"', '1'], ['#.split(#)', '"a,b"', '","'], ['#.split(#, #)', '"a,b"', '","', '1'],
  ['#.substring(#)', '"abc"', '1'], ['#.substring(#, #)', '"abc"', '1', '2'], ['#.join()', '["a"]'], ['#.join(#)', '["a", "b"]', '","'], ['#.format(#)', '"%s"', '[1]'],
  ['strings.quote(#)', '"a"'], ['#.find(#)', '"abc"', '"b"'], ['#.findAll(#)', '"abc"', '"b"'], ['#.findAll(#, #)', '"abc"', '"b"', '1'], ['#.reverse()', '[1, 2]'], ['#.sum()', '[1]'],
  ['#.min()', '[1]'], ['#.max()', '[1]'], ['#.isSorted()', '[1]'], ['#.indexOf(#)', '[1]', '1'], ['#.lastIndexOf(#)', '[1]', '1'], ['#.slice(#, #)', '[1, 2, 3]', '0', '1'],
  ['#.flatten()', '[[1]]'], ['#.flatten(#)', '[[1]]', '1'], ['#.sort()', '[2, 1]'], ['#.distinct()', '[2, 1]'], ['lists.range(#)', '3'], ['#.first()', '[1]'], ['#.last()', '[1]'],
  ['#.sortBy(x, x)', '[2, 1]'], ['#.sortBy(x, #)', '[2, 1]', '1'], ['sets.contains(#, #)', '[1]', '[1]'], ['sets.equivalent(#, #)', '[1]', '[1]'], ['sets.intersects(#, #)', '[1]', '[1]'],
  ['url(#)', '"https://a/b"'], ['isURL(#)', '"https://a/b"'], ['#.getScheme()', 'url("https://a/b")'], ['#.getHost()', 'url("https://a/b")'], ['#.getHostname()', 'url("https://a/b")'],
  ['#.getPort()', 'url("https://a/b")'], ['#.getEscapedPath()', 'url("https://a/b")'], ['#.getQuery()', 'url("https://a/b")'], ['ip(#)', '"::1"'], ['isIP(#)', '"::1"'],
  ['ip.isCanonical(#)', '"::1"'], ['#.family()', 'ip("::1")'], ['#.isUnspecified()', 'ip("::1")'], ['#.isLoopback()', 'ip("::1")'], ['#.isLinkLocalMulticast()', 'ip("::1")'],
  ['#.isLinkLocalUnicast()', 'ip("::1")'], ['#.isGlobalUnicast()', 'ip("::1")'], ['cidr(#)', '"10.0.0.0/8"'], ['isCIDR(#)', '"10.0.0.0/8"'],
  ['#.containsIP(#)', 'cidr("10.0.0.0/8")', 'ip("10.0.0.1")'], ['#.containsIP(#)', 'cidr("10.0.0.0/8")', '"10.0.0.1"'], ['#.containsCIDR(#)', 'cidr("10.0.0.0/8")', 'cidr("10.0.0.0/9")'],
  ['#.containsCIDR(#)', 'cidr("10.0.0.0/8")', '"10.0.0.0/9"'], ['#.ip()', 'cidr("10.0.0.0/8")'], ['#.masked()', 'cidr("10.0.0.0/8")'], ['#.prefixLength()', 'cidr("10.0.0.0/8")'],
  ['quantity(#)', '"1"'], ['isQuantity(#)', '"1"'], ['sign(#)', 'quantity("1")'], ['#.isInteger()', 'quantity("1")'], ['#.asInteger()', 'quantity("1")'],
  ['#.asApproximateFloat()', 'quantity("1")'], ['#.add(#)', 'quantity("1")', 'quantity("2")'], ['#.add(#)', 'quantity("1")', '2'], ['#.sub(#)', 'quantity("1")', 'quantity("2")'],
  ['#.sub(#)', 'quantity("1")', '2'], ['#.compareTo(#)', 'quantity("1")', 'quantity("2")'], ['#.isGreaterThan(#)', 'quantity("1")', 'quantity("2")'],
  ['#.isLessThan(#)', 'quantity("1")', 'quantity("2")'], ['semver(#)', '"1.2.3"'], ['semver(#, #)', '"v1.2"', 'true'], ['isSemver(#)', '"1.2.3"'], ['isSemver(#, #)', '"v1"', 'true'],
  ['#.major()', 'semver("1.2.3")'], ['#.minor()', 'semver("1.2.3")'], ['#.patch()', 'semver("1.2.3")'], ['#.compareTo(#)', 'semver("1.2.3")', 'semver("1.2.4")'],
  ['#.isGreaterThan(#)', 'semver("1.2.3")', 'semver("1.2.4")'], ['#.isLessThan(#)', 'semver("1.2.3")', 'semver("1.2.4")'], ['format.named(#)', '"uri"'],
  ['#.validate(#)', 'format.uri()', '"a"'], ['format.dns1123Label().validate(#)', '"a"'], ['#.getFullYear()', 'timestamp(0)'], ['#.getMonth()', 'timestamp(0)'],
  ['#.getDayOfYear()', 'timestamp(0)'], ['#.getDate()', 'timestamp(0)'], ['#.getDayOfMonth()', 'timestamp(0)'], ['#.getDayOfWeek()', 'timestamp(0)'], ['#.getHours()', 'timestamp(0)'],
  ['#.getMinutes()', 'timestamp(0)'], ['#.getSeconds()', 'timestamp(0)'], ['#.getMilliseconds()', 'timestamp(0)'], ['#.getHours(#)', 'timestamp(0)', '"UTC"'],
  ['#.getDate(#)', 'timestamp(0)', '"+02:00"'], ['#.getMilliseconds(#)', 'timestamp(0)', '"+02:00"'], ['optional.of(#)', '1'], ['optional.ofNonZeroValue(#)', '1'],
  ['#.hasValue()', 'optional.of(1)'], ['#.value()', 'optional.of(1)'], ['#.or(#)', 'optional.of(1)', 'optional.none()'], ['#.orValue(#)', 'optional.none()', '1'],
  ['#.optMap(x, x)', 'optional.of(1)'], ['#.optFlatMap(x, optional.of(x))', 'optional.of(1)'], ['optional.unwrap(#)', '[optional.of(1)]'], ['#.unwrapOpt()', '[optional.of(1)]'],
  ['#.?a', '{"a": 1}'], ['#[?#]', '{"a": 1}', '"a"'], ['#[?#]', '[1]', '0'], ['# + #', '1', '1'], ['# - #', '1', '1'], ['# * #', '2', '2'], ['# / #', '2', '2'], ['# % #', '3', '2'],
  ['-#', '1'], ['!#', 'true'], ['# && #', 'true', 'true'], ['# || #', 'false', 'false'], ['# ? 1 : 2', 'true'], ['# == #', '1', '1'], ['# != #', '1', '1'], ['# < #', '1', '2'],
  ['# <= #', '1', '2'], ['# > #', '1', '2'], ['# >= #', '1', '2'], ['# in #', '1', '[1]'], ['# in #', '"a"', '{"a": 1}'], ['#[#]', '[1]', '0'], ['#[#]', '{"a": 1}', '"a"'],
  ['#.a', '{"a": 1}'], ['has(#.a)', '{"a": 1}'], ['#.a.b', '{"a": {"b": 1}}'], ['#.all(x, true)', '[1]'], ['#.all(x, #)', '[1]', 'true'], ['#.exists(x, #)', '[1]', 'true'],
  ['#.exists_one(x, #)', '[1]', 'true'], ['#.map(x, x)', '[1]'], ['#.filter(x, #)', '[1]', 'true'], ['#.map(x, #, x)', '[1]', 'true'], ['#.all(i, v, #)', '[1]', 'true'],
  ['#.exists(i, v, #)', '[1]', 'true'], ['#.existsOne(i, v, #)', '[1]', 'true'], ['#.transformList(i, v, v)', '[1]'], ['#.transformList(i, v, #, v)', '[1]', 'true'],
  ['#.transformMap(i, v, v)', '{"a": 1}'], ['#.transformMapEntry(i, v, #)', '{"a": 1}', '{"b": 2}'], ['#.includes(#)', '[1]', '1'], ['[#, #]', '1', '2'], ['{#: #}', '"a"', '1'],
  ['[?#]', 'optional.of(1)'], ['{"a": 1, ?"b": #}', 'optional.of(1)'], ['cel.bind(x, #, x)', '1'], ['"%s".format([#])', '1'], ['"%d".format([#])', '1'], ['"%f".format([#])', '1.0'],
  ['"%e".format([#])', '1.0'], ['"%x".format([#])', '1'], ['"%X".format([#])', '1'], ['"%b".format([#])', '1'], ['"%o".format([#])', '1'], ['"%v".format([#])', '1'],
];

/** A call with one argument that may be of another type, known to the compiler or not. */
export function callExpression(random: Random): string {
  const [template, ...args] = random.pick(CALLS);
  const replaced = random.below(args.length);
  const argument = random.pick(ARGUMENTS);
  let index = 0;
  const call = template.replace(/#/g, () => {
    const at = index++;
    return at !== replaced ? args[at] : random.once(3) ? argument : `dyn(${argument})`;
  });
  return `dyn(${call}) == 12345`;
}

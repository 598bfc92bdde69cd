import type { Random } from './random';
import { VALUES } from './selector-values';

/** `<kind>` is one of the values of that kind, `<a|b>` one of these words. */
const EXPRESSIONS = [
  '<string>.charAt(<int>)', '<string>.<indexOf|lastIndexOf>(<string>)', '<string>.<indexOf|lastIndexOf>(<string>, <int>)', '<string>.<lowerAscii|upperAscii|trim>()', '<string>.replace(<string>, <string>)',
  '<string>.replace(<string>, <string>, <int>)', '<string>.split(<string>)', '<string>.split(<string>, <int>)', '<string>.substring(<int>)', '<string>.substring(<int>, <int>)', '<strings>.join(<string>)',
  'strings.quote(<string>)', 'size(<string>)', '<string>.<contains|startsWith|endsWith>(<string>)', '<string> <\\<|\\>|\\<=|+> <string>',
  '<string>.<matches|find|findAll>(<pattern>)', '<string>.<matches|find|findAll>(dyn(<pattern>))', '<string>.findAll(<pattern>, <int>)', '<any>', '[<any>]', '{"k": <any>}',
  'int(<string>)', 'int(<double>)', 'int(<timestamp>)', 'uint(<string>)', 'uint(<number>)', 'double(<string>)', 'double(<number>)', 'bool(<string>)', 'bytes(<string>)', 'string(<bytes>)', 'duration(<string>)', 'timestamp(<string>)', 'timestamp(<int>)',
  '<int> <+|-|*|/|%> <int>', '<uint> <+|-|*|/|%> <uint>', '<double> <+|-|*|/> <double>', '<number> <\\<|\\<=|\\>|\\>=|==|!=> <number>', '-<int>', '<timestamp> <+|-> <duration>', '<duration> <+|-> <duration>',
  '<timestamp> - <timestamp>', 'dyn(<any>) <==|\\<|+> dyn(<any>)', 'dyn(<any>) in [dyn(<any>), dyn(<any>)]',
  '<timestamp>.<getFullYear|getMonth|getDayOfYear|getDate|getDayOfMonth|getDayOfWeek|getHours|getMinutes|getSeconds|getMilliseconds>(<zone>)', '<timestamp>.<getDayOfYear|getMilliseconds>()',
  '<duration>.<getHours|getMinutes|getSeconds|getMilliseconds>()', '<ints>.<sum|min|max|isSorted|sort|distinct|reverse>()', '<doubles>.<sum|min|max|isSorted|sort|distinct>()', '<strings>.<min|max|isSorted|sort|distinct|reverse>()',
  '<bools>.<min|max|isSorted|sort>()', '<ints>.<indexOf|lastIndexOf>(<int>)', '<ints>.slice(<int>, <int>)', '<ints>.sortBy(x, <x|string(x)|-1|dyn(x)>)', '<strings>.sortBy(x, <x|size(x)|-1>)', '[<ints>, <ints>].flatten(<int>)',
  '<ints>.<first|last>().orValue(42)', 'sets.<contains|equivalent|intersects>(<ints>, <ints>)', '<ints> + <ints>', '<ints>[<int>]', '<ints>[?<int>].orValue(-7)',
  '<quantity>.<isInteger|asInteger|asApproximateFloat>()', 'sign(<quantity>)', '<quantity>.<add|sub>(<quantity>).<asInteger|asApproximateFloat|isInteger>()', '<quantity>.<add|sub>(<int>).<asInteger|isInteger>()',
  '<quantity>.<compareTo|isGreaterThan|isLessThan>(<quantity>)', 'isQuantity(<quantityText>)', 'quantity(<quantityText>).asApproximateFloat()', '<quantity> == <quantity>', '<version>.<major|minor|patch>()',
  '<version>.<compareTo|isGreaterThan|isLessThan>(<version>)', 'isSemver(<versionText>)', 'isSemver(<versionText>, <true|false>)', 'semver(<versionText>, <true|false>).compareTo(<version>)', '<version> == <version>',
  'isIP(<addressText>)', 'ip(<addressText>).<family|isUnspecified|isLoopback|isLinkLocalMulticast|isLinkLocalUnicast|isGlobalUnicast>()', 'ip.isCanonical(<addressText>)', 'ip(<addressText>) == ip(<addressText>)',
  'isCIDR(<networkText>)', 'cidr(<networkText>).prefixLength()', 'cidr(<networkText>).containsIP(<addressText>)', 'cidr(<networkText>).containsIP(ip(<addressText>))', 'cidr(<networkText>).containsCIDR(<networkText>)',
  'isURL(<urlText>)', 'url(<urlText>).<getScheme|getHost|getHostname|getPort|getEscapedPath|getQuery>()', 'url(<urlText>) == url(<urlText>)', 'format.named(<formatName>).value().validate(<formatText>).orValue(["ok"])',
  '<ints>.map(x, x <+|*|/|%> <int>)', '<strings>.filter(x, x <\\<|\\>|!=> <string>)', '<ints>.transformList(i, v, <i + v|v \\> 1|[i, v]|1 / v>)', '{"a": 1, "b": 0}.transformMap(k, v, <k|v + 1|1 / v|[k]>)',
  '<ints>.transformMapEntry(i, v, <{v: i}|{string(v): i}|{i: v, v: i}|{}>)', '<ints>.<all|exists|exists_one|existsOne>(x, <x \\> 1|1 / x \\> 0|dyn("a") == x|x in [1, 2]>)', '<ints>.<all|exists|existsOne>(i, x, <x \\> i|1 / (x - i) \\> 0>)',
  'optional.<of|ofNonZeroValue>(<any>).hasValue()', '[?optional.ofNonZeroValue(<int>), 5]', '{?"a": optional.ofNonZeroValue(<string>)}', 'type(<any>)', 'dyn(<any>).a', 'dyn(<any>)[<int>]', 'dyn(<any>)[<string>]', 'size(dyn(<any>))', '-dyn(<any>)',
];

/** Texts already, which are shown as they are. */
const TEXTS = [
  '<clause>.format([<any>])', '<clause>.format([<number>])', 'dyn(<clause>).format([dyn(<any>)])', '<clause>.format(<ints>)', 'string(<any>)', 'string(<double>)', '<any>', 'string(ip(<addressText>))', 'string(cidr(<networkText>))',
  'string(cidr(<networkText>).masked())', 'string(cidr(<networkText>).ip())', 'string(google.protobuf.<Duration|Timestamp>{seconds: <int>, nanos: <int>})', 'string(google.protobuf.<Int32Value|Int64Value>{value: <int>})',
  'string(google.protobuf.<FloatValue|DoubleValue>{value: <double>})', 'string(google.protobuf.UInt32Value{value: <uint>})',
];

/** An expression whose error shows the value of a function on values that are easily got wrong: a key that is not there. */
export function valueExpression(random: Random): string {
  return random.once(4) ? `{"z": 1}[${filled(random, random.pick(TEXTS))}] == 1` : `{"z": 1}["%s".format([${filled(random, random.pick(EXPRESSIONS))}])] == 1`;
}

function filled(random: Random, template: string): string {
  return template.replace(/<((?:[^<>\\]|\\.)+)>/g, (_, kind: string) => random.pick(VALUES[kind] ?? kind.split('|').map((word) => word.replaceAll('\\', ''))));
}

import { answer } from '../answer';

describe('true in every release', () => {
  test.each([
    // Standard functions and operators.
    '1 + 2 * 3 - 4 / 2 % 3 == 5', '-7 / 2 == -3 && -7 % 2 == -1', '7u / 2u == 3u', '1.5 * 2.0 == 3.0', 'dyn(1) == 1.0 && dyn(1u) == 1 && 2 > 1.5',
    '"a" + "b" == "ab"', 'b"\\xff" + b"a" == b"\\xffa"', '[1] + [2] == [1, 2]', '"é".size() == 1 && size(b"é") == 2 && size({"a": 1}) == 1',
    'int("42") == 42 && int(4.9) == 4 && uint("7") == 7u && double("1e3") == 1000.0 && string(1.5) == "1.5" && string(true) == "true"',
    'bool("true") && !bool("False") && bytes("a") == b"a" && string(b"a") == "a"', 'type(1) == int && type("") == string && type(type(1)) == type',
    '"abc".contains("b") && "abc".startsWith("ab") && "abc".endsWith("bc") && "abc".matches("^a.c$")', '2 in [1, 2] && "a" in {"a": 1} && !(3 in [])',
    'timestamp("2024-02-29T12:30:45Z").getFullYear() == 2024 && timestamp("2024-02-29T12:30:45Z").getMonth() == 1',
    'timestamp("2024-02-29T23:30:00Z").getHours("+02:00") == 1 && timestamp("2024-02-29T23:30:00Z").getDayOfWeek("Europe/Berlin") == 5',
    'timestamp("2024-02-29T12:00:00Z") + duration("36h") == timestamp("2024-03-02T00:00:00Z")', 'duration("1h30m").getMinutes() == 90',
    'duration("90s") < duration("2m") && string(duration("1.5s")) == "1.5s"',
    // Strings.
    '"  a ".trim() == "a" && "Ab".lowerAscii() == "ab" && "Ab".upperAscii() == "AB" && "abc".charAt(1) == "b" && "abc".substring(1) == "bc"',
    '"a,b,c".split(",", 2) == ["a", "b,c"] && ["a", "b"].join("-") == "a-b" && "aXbX".replace("X", "", 1) == "abX"',
    '"abcabc".indexOf("c") == 2 && "abcabc".lastIndexOf("a") == 3 && "x".indexOf("y") == -1', 'strings.quote("a\\"b") == "\\"a\\\\\\"b\\""',
    '"%s has %d and %.2f, %x, %b".format(["a", 3, 1.005, 255, 5]) == "a has 3 and 1.00, ff, 101"', '"%e".format([1200.0]) == "1.200000×10⁰³"',
    '"%s".format([{"b": [1, 2.5], "a": true}]) == "{\\"a\\":true, \\"b\\":[1, 2.500000]}"', '"%X".format(["hé"]) == "68C3A9"',
    // Regular expressions.
    '"abc 123 x 4".find("[0-9]+") == "123" && "abc".find("z") == ""', '"1 22 333".findAll("[0-9]+") == ["1", "22", "333"]',
    '"1 22 333".findAll("[0-9]+", 2) == ["1", "22"]', '"A100".matches("(?i)^a\\\\d+$")', '!"a\\nb".matches("^a.b$") && "a\\nb".matches("(?s)^a.b$")',
    // Lists, sets and loops.
    '[1, 2, 3].sum() == 6 && [3, 1].min() == 1 && ["a", "c"].max() == "c" && [1, 1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2',
    'sets.contains([1, 2, 3], [2, 1]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 1], [1])',
    '[1, 2, 3].exists_one(x, x > 2) && [1, 2].map(x, x > 1, x * 2) == [4] && [1, 2].filter(x, x > 1) == [2] && {"a": 1}.all(k, k == "a")',
    '[5, 6].all(i, v, v == i + 5) && {"a": 1}.exists(k, v, k == "a" && v == 1) && [1, 2].existsOne(i, v, i == v - 1 && i == 1)',
    '[1, 2].transformList(i, v, i * v) == [0, 2] && {"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
    '{"a": "x"}.transformMapEntry(k, v, {v: k}) == {"x": "a"}', 'cel.bind(x, 21, x + x) == 42',
    '[3, 1, 2].sort() == [1, 2, 3] && ["bb", "a"].sortBy(x, x.size()) == ["a", "bb"] && [1, 2].reverse() == [2, 1] && [1, 1].distinct() == [1]',
    '[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 2, 3].slice(1, 3) == [2, 3] && lists.range(3) == [0, 1, 2]',
    // Optionals.
    'optional.of(1).hasValue() && !optional.none().hasValue() && optional.ofNonZeroValue(0) == optional.none() && optional.of(1).value() == 1',
    '{"a": 1}.?a.orValue(0) == 1 && {"a": 1}.?b.or(optional.of(3)).value() == 3 && [1][?2].orValue(9) == 9',
    '[?{"a": 1}.?b, 2] == [2] && {?"k": {"a": 1}[?"a"]} == {"k": 1}', 'optional.of(2).optMap(x, x * 2).value() == 4',
    'optional.of({"a": 1}).optFlatMap(x, x.?a).orValue(0) == 1', '{"a": {"b": 1}}.?a.b.hasValue()',
    // Quantities, versions, addresses, URLs and formats.
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("50k").add(20).compareTo(quantity("50020")) == 0 && sign(quantity("-1")) == -1',
    'isQuantity("1.5Gi") && !isQuantity("1.5Gb") && quantity("500m").asApproximateFloat() == 0.5 && quantity("5k").asInteger() == 5000',
    'quantity("1000m") == quantity("1") && quantity("1.3Gi").sub(quantity("0.3Gi")) == quantity("1Gi") && quantity("9").isInteger()',
    'semver("1.2.3-rc.1").isLessThan(semver("1.2.3")) && semver("v1.2", true) == semver("1.2.0") && isSemver("1.0.0+x") && !isSemver("1.0")',
    'semver("1.22.333").major() == 1 && semver("1.22.333").minor() == 22 && semver("1.22.333").patch() == 333',
    'ip("192.168.0.1").family() == 4 && ip("::1").isLoopback() && isIP("fe80::1") && !isIP("1.2.3") && ip.isCanonical("2001:db8::1")',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("::/0").prefixLength() == 0',
    'url("https://a.example:80/p?q=1&q=2").getHostname() == "a.example" && url("https://a/p?q=1&q=2").getQuery()["q"] == ["1", "2"] && !isURL("a b")',
    '!format.dns1123Label().validate("a-b").hasValue() && format.dns1123Label().validate("a_b").hasValue() && format.named("uuid").hasValue()',
  ])('%s', (expression) => {
    expect(answer(expression)).toBe('true');
    expect(answer(expression, { minor: '1.34' })).toBe('true');
    expect(answer(expression, { minor: '1.37', envType: 'new' })).toBe('true');
  });
});

describe('errors of evaluation', () => {
  test.each([
    ['1 / int("0") == 1', 'division by zero'],
    ['1 % int("0") == 1', 'modulus by zero'],
    ['9223372036854775807 + device.attributes["gpu.example.com"].count > 0', 'integer overflow'],
    ['0u - 1u == 0u', 'unsigned integer overflow'],
    ['[1][5] == 1', 'index out of bounds: 5'],
    ['{"a": 1}["b"] == 1', 'no such key: b'],
    ['device.attributes["gpu.example.com"].none == 1', 'no such key: none'],
    ['[1, 2].slice(1, 5) == []', 'cannot slice(1, 5), list is length 2'],
    ['optional.none().value() == 1', 'optional.none() dereference'],
    ['device.attributes["gpu.example.com"].count.size() == 1', 'no such overload'],
    ['"%d".format(["a"]) == ""', 'error during formatting: decimal clause can only be used on integers, was given string'],
    ['"a".matches(device.attributes["gpu.example.com"].model + "[")', 'error parsing regexp: missing closing ]: `[`'],
    ['quantity(device.driver).isInteger()', 'quantities must match the regular expression'],
    ['semver(device.driver).major() == 1', 'Invalid character(s) found in major number "gpu"'],
    ['ip(device.driver).family() == 4', 'IP Address "gpu.example.com" parse error during conversion from string: ParseAddr("gpu.example.com"): unexpected character (at "gpu.example.com")'],
    ['[1, 2].exists_one(x, x / 0 == 1)', 'division by zero'],
    ['[1].all(x, x == 2 || 1 / (x - 1) == 0)', 'division by zero'],
  ])('%s: %s', (expression, error) => {
    expect(answer(expression)).toContain(error);
  });
});

describe('an error beside the deciding value does not count', () => {
  test.each([
    ['device.attributes["x"].none == 1 || true', 'true'],
    ['device.attributes["x"].none == 1 && false', 'false'],
    ['[0, 1].exists(x, 1 / x == 1)', 'true'],
    ['[0, 2].all(x, 4 / x == 1)', 'false'],
    ['true ? true : 1 / 0 == 1', 'true'],
    ['device.driver in ["a", "gpu.example.com"] || 1 / 0 == 1', 'true'],
  ])('%s is %s', (expression, expected) => {
    expect(answer(expression)).toBe(expected);
  });
});

describe('where JavaScript differs from Go', () => {
  // strconv.ParseFloat, of src/strconv/atof.go: readFloat and underscoreOK.
  test.each([
    ['1_0.5_0e1_0', '1.05e11'], ['0x1p4', '16.0'], ['0X_1.8P-1', '0.75'], ['-0x.8p1', '-1.0'], ['0x1p-1074', '5e-324'], ['0x1p-1075', '0.0'], ['0x1.8p-1074', '1e-323'],
    ['0x1.fffffffffffff7fp1023', '1.7976931348623157e308'], ['0x1.00000000000008p0', '1.0'], ['0x1.000000000000080001p0', '1.0000000000000002'], ['0x0p99999999999', '0.0'],
  ])('double("%s") is %s', (text, double) => {
    expect(answer(`double("${text}") == ${double}`)).toBe('true');
  });

  test.each(['1_', '_1', '1__0', '1_.5', '1._5', '1e_5', '0x1', '0x1.8', '0x1_p4', '0xp1', '0x1p1024', '0x1.fffffffffffff8p1023', '0b1', '1_0e400'])('double("%s") is refused', (text) => {
    expect(answer(`double(dyn("${text}")) == 1.0`)).toBe("program instantiation failed: type conversion error from 'string' to 'double'");
  });

  // regexp/syntax lets groups share a name.
  test.each([
    ['(?P<n>a)(?P<n>b)', 'ab'], ['(?<n>a)(?P<n>b)', 'ab'], ['(?P<n>a)(?P<n_>b)(?P<n>c)', 'abc'], ['(?P<n>a)[]](?P<n>b)', 'a]b'], ['(?P<n>a)[(?P<n>]+(?P<n>b)', 'a(?<b'],
    ['(?P<n>a)\\\\Q(?P<n>\\\\E(?P<n>b)', 'a(?P<n>b'],
  ])('%s finds %s', (pattern, text) => {
    expect(answer(`"${text}".find("${pattern}") == "${text}"`)).toBe('true');
  });

  test('the pattern in a message is the one that was written', () => {
    expect(answer('"ab".find("(?P<n>a)(?P<n>b") == ""')).toContain('missing closing ): `(?P<n>a)(?P<n>b`');
  });

  // time.LoadLocation, of src/time/zoneinfo.go.
  test.each([
    ['../etc', 'time: invalid location name'], ['/UTC', 'time: invalid location name'], ['a..b', 'time: invalid location name'], ['PST', 'unknown time zone PST'],
    ['SystemV/EST5', 'unknown time zone SystemV/EST5'], ['US/Pacific-New', 'unknown time zone US/Pacific-New'],
  ])('zone %s is refused', (zone, message) => {
    expect(answer(`timestamp(0).getHours("${zone}") == 1`)).toBe(message);
  });

  test.each([['US/Pacific', 16], ['EST', 19], ['Etc/GMT-14', 14], ['PST8PDT', 16], ['ROC', 8]])('zone %s is known', (zone, hours) => {
    expect(answer(`timestamp(0).getHours("${zone}") == ${hours}`)).toBe('true');
  });
});

// concatList.Equal and baseList.Equal, of cel-go's common/types/list.go.
describe('elements that cannot be compared', () => {
  test.each([
    ['[dyn(semver("1.0.0")), dyn(2)] == [dyn(1), dyn(2)]', 'true'],
    ['[dyn(semver("1.0.0"))] + [dyn(2)] == [dyn(1), dyn(2)]', 'no such overload'],
    ['[dyn(semver("1.0.0"))] + [dyn(1)] == [dyn(1), dyn(2)]', 'false'],
    ['[dyn(semver("1.0.0"))] + [] == [dyn(1)]', 'true'],
    ['([dyn(semver("1.0.0"))] + [dyn(2)]).reverse() == [dyn(2), dyn(1)]', 'true'],
  ])('%s: %s', (expression, result) => {
    expect(answer(expression)).toBe(result);
  });
});

import { DRIVER, OTHER } from './selector-device';
import type { CelType } from './selector-expression';

const A = `device.attributes["${DRIVER}"]`;
const O = `device.attributes["${OTHER}"]`;
const C = `device.capacity["${DRIVER}"]`;

/** Expressions without parts; what a device may lack is often, but not always, guarded. */
export const TERMINALS: Readonly<Record<CelType, readonly string[]>> = {
  bool: [
    'true', 'false', `"model" in ${A}`, `has(${A}.model)`, `has(${A}.nosuch)`, `device.driver == "${DRIVER}"`, `"${OTHER}" in device.attributes`,
    '"nosuch.example.com" in device.attributes', 'has(device.attributes.nosuch)', `${A}.?healthy.orValue(false)`, `${A}.healthy`,
    'device.allowMultipleAllocations', `${O}.rdma`, '"x" in device.attributes["nosuch.example.com"]', 'has(device.capacity)', `has(${C}.memory)`,
    'device.attributes[?"nosuch.example.com"].hasValue()', 'device.attributes.?nosuch.hasValue()',
  ],
  int: ['0', '1', '-1', '3', '7', '42', '9223372036854775807', '-9223372036854775808', '0x1F', `${A}.index`, `${A}.?index.orValue(5)`, `int(${A}.index)`],
  uint: ['0u', '1u', '18446744073709551615u', '0xFFu'],
  double: ['0.0', '1.5', '-2.25', '1e10', '.5', '1e-3', '1.7976931348623157e308', 'double("NaN")', 'double("Infinity")', '-0.0'],
  string: [
    '""', '"a"', '"A100"', "'H100'", '"10.0.0.1"', '"größer-日本"', '"😀x"', 'r"\\d+"', '"""multi\nline"""', '"a,b,c"', '"\\u00e9\\t\\x41\\101"',
    'device.driver', `${A}.model`, `${A}.?model.orValue("none")`, `string(${A}.index)`, `${A}.uuid`, `${A}.address`, '"  pad "', '"1.2.3"', '"40Gi"',
  ],
  bytes: ['b""', 'b"abc"', "b'\\xff\\x00'", 'bytes("ü")', 'b"ü"'],
  any: [
    `${A}.model`, `${A}.index`, `${A}.healthy`, `${A}.driverVersion`, `${O}.speed`, 'device.attributes["resource.kubernetes.io"].pcieRoot', `${A}["model"]`,
    `${A}.nosuch`, 'device.attributes["nosuch.example.com"].x', `${A}.ports`, `${A}.modes`, 'dyn(1)', 'dyn("a")', 'dyn(1.0)', 'dyn(1u)', 'dyn([1])', 'dyn(null)', `${C}.memory`, 'null',
  ],
  ints: ['[]', '[1]', '[1, 2, 3]', '[3, 1, 2, 3]', '[-1, 0, 1]', `[${A}.?index.orValue(1)]`, 'lists.range(5)', '[?optional.of(1), 2]'],
  strings: ['["a"]', '["a", "b"]', '["b", "a", "b"]', '["A100", "H100"]', '"a,b,c".split(",")', '[device.driver]', '["x", ?optional.none()]'],
  map: ['{}', '{"a": 1}', '{"b": 2}', '{"a": -5}', '{?"a": optional.of(1)}'],
  anys: [`[${A}.model]`, '[dyn(1), dyn("a")]', '[dyn(2), dyn(1u)]', `[${A}.index, ${A}.index]`, `${A}.ports`, `${A}.modes`, `${A}.firmwares`],
  duration: ['duration("1h")', 'duration("-1.5s")', 'duration("1m30s")', 'duration("0s")', 'duration("x")', 'duration("9223372036s")', 'duration("100us")'],
  timestamp: [
    'timestamp("2024-02-29T12:34:56.789Z")', 'timestamp("1970-01-01T00:00:00Z")', 'timestamp("0001-01-01T00:00:00Z")', 'timestamp(0)', 'timestamp("9999-12-31T23:59:59Z")',
    'timestamp("2021-01-01T00:00:00+05:30")', 'timestamp("bad")', 'timestamp(1700000000)',
  ],
  quantity: [
    'quantity("40Gi")', 'quantity("1")', 'quantity("0")', 'quantity("-1.5Ki")', 'quantity("100m")', 'quantity("1e3")', 'quantity("9223372036854775807")',
    'quantity("bad")', 'quantity("0.0000000001")', 'quantity("1E")', `${C}.memory`, `${C}.cores`, `device.capacity["${OTHER}"].bandwidth`, `${C}.nosuch`,
    `${C}.?memory.orValue(quantity("1Gi"))`, 'quantity("12345678901234567890")',
  ],
  semver: [
    'semver("1.2.3")', 'semver("1.0.0-alpha.1")', 'semver("1.0.0+build")', 'semver("v1.2", true)', 'semver("01.02.03", true)', 'semver("1.2")', 'semver("v1.2.3", false)',
    'semver("999999999999999999999.0.0")', `${A}.driverVersion`, 'semver("1.0.0-rc.10")', 'semver("1", true)', 'semver("0.0.0")', 'semver("18446744073709551615.0.0")',
  ],
  ip: ['ip("10.0.0.1")', 'ip("::1")', 'ip("2001:db8::abcd")', 'ip("0.0.0.0")', 'ip("169.254.1.1")', 'ip("ff02::1")', 'ip("::ffff:1.2.3.4")', 'ip("1.2.3")', 'ip("fe80::1%eth0")', 'ip("224.0.0.1")', 'ip("127.0.0.1")'],
  cidr: ['cidr("10.0.0.0/8")', 'cidr("192.168.1.5/24")', 'cidr("::1/128")', 'cidr("2001:db8::/32")', 'cidr("10.0.0.0")', 'cidr("10.0.0.0/33")', 'cidr("0.0.0.0/0")', 'cidr("::ffff:1.2.3.4/96")'],
  url: ['url("https://example.com:80/a%20b?x=1&y=2&x=3")', 'url("http://[::1]:8080/")', 'url("/path/only")', 'url("relative")', 'url("https://user@h/")', `url(${A}.address)`, 'url("mailto:a@b.c")'],
  optionalInt: ['optional.none()', 'optional.of(1)', 'optional.ofNonZeroValue(0)', 'optional.ofNonZeroValue(4)', '[1, 2][?0]', '[1][?5]', '{"a": 1}.?a', '{"a": 1}[?"b"]'],
  optionalString: ['optional.of("a")', 'optional.none()', 'optional.ofNonZeroValue("")', '["a"][?0]', '{"a": "b"}.?a'],
};

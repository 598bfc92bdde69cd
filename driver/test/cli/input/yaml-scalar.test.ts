import { UnsupportedNumber, resolvePlain } from '../../../src/cli/input/yaml-scalar.js';

/** Expected values are those that sigs.k8s.io/yaml 1.6.0 gave for the same text. */
describe('a plain scalar reads as in kubectl', () => {
  test.each([
    ['yes', true], ['y', true], ['Y', true], ['on', true], ['TRUE', true], ['no', false], ['n', false], ['Off', false],
    ['tRue', 'tRue'], ['oN', 'oN'], ['~', null], ['Null', null], ['', null], ['nuLL', 'nuLL'],
    ['0644', 420], ['-0644', -420], ['0o644', 420], ['0o9', '0o9'], ['0x1F', 31], ['-0x10', -16], ['0b11', 3], ['089', 89], ['0_8', 8],
    ['1_000', 1000], ['1__0', 10], ['+5', 5], ['1:30', '1:30'], ['2001-12-14', '2001-12-14'],
    ['1e3', 1000], ['1E5', 100000], ['.5', 0.5], ['+.5', 0.5], ['1.', 1], ['1.e3', 1000], ['1_0.5', 10.5], ['1e400', '1e400'],
    ['1.2.3', '1.2.3'], ['.e3', '.e3'], ['e3', 'e3'], ['-', '-'], ['.', '.'], ['<<', '<<'], ['=', '='],
    ['9007199254740993', 9007199254740993n], ['9223372036854775807', 9223372036854775807n], ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 18446744073709551615n], ['18446744073709551616', 18446744073709552000], ['+9223372036854775808', 9223372036854776000],
    ['-9223372036854775809', -9223372036854776000],
  ])('%s is %p', (text, value) => {
    expect(resolvePlain(text)).toStrictEqual(value);
  });

  test.each(['.inf', '-.Inf', '+.INF', '.nan', '.NaN'])('%s has no JSON form', (text) => {
    expect(() => resolvePlain(text)).toThrow(UnsupportedNumber);
  });

  test('a number of a million digits is no whole number, and costs no time', () => {
    expect(resolvePlain('1'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

import fc from 'fast-check';
import { compareVersions, isVersion, parseVersion, versionProblem } from '../../src/model/semver';
import type { Version } from '../../src/model/semver';

function version(text: string): Version {
  const parsed = parseVersion(text);
  if ('rule' in parsed) throw new Error(`${text} ${parsed.rule}`);
  return parsed;
}

const number = fc.oneof(fc.nat({ max: 3 }).map(String), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String));
const word = fc.oneof(fc.stringMatching(/^[0-9A-Za-z-]{0,3}[A-Za-z-][0-9A-Za-z-]{0,3}$/), fc.constantFrom('alpha', 'rc', 'rc-1', '-'));
const texts = fc.tuple(
  number, number, number,
  fc.array(fc.oneof(number, word), { maxLength: 3 }),
  fc.array(fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/), { maxLength: 2 }),
).map(([major, minor, patch, prerelease, build]) =>
  `${major}.${minor}.${patch}${prerelease.length ? `-${prerelease.join('.')}` : ''}${build.length ? `+${build.join('.')}` : ''}`);
const versions = texts.map(version);

test.each([
  '0.0.0', '1.2.3', '550.54.15', '1.2.3-rc.1', '1.2.3-0', '1.2.3--', '1.2.3-a-b.0x', '1.2.3+001', '1.2.3-rc+b-1.2',
  '18446744073709551615.0.0', '1.0.0-01a',
])('%s is a version', text => {
  expect(versionProblem(text)).toBeUndefined();
});

test.each([
  '', '1', '1.2', '1.2.3.4', 'v1.2.3', '01.2.3', '1.02.3', '1.2.03', '1.2.3-', '1.2.3+', '1.2.3-01', '1.2.3-a..b', '1.2.3+a..b', '1.2.3-ä',
  ' 1.2.3', '1.2.3 ', '1.2.3\n',
  '-1.2.3', '1.2.3-rc_1', '18446744073709551616.0.0', '1.0.0-18446744073709551616',
])('%p is no version', text => {
  expect(isVersion(text)).toBe(false);
});

test.each([
  ['v1.2.3', 'Write 1.2.3, without the leading v.'],
  ['535', 'Write all three numbers: major.minor.patch, for example 1.20.0.'],
  ['535.04.1', 'Write the numbers without leading zeros, for example 1.2.3.'],
])('%p names the way out', (text, help) => {
  expect(versionProblem(text)?.help).toBe(help);
});

test('prerelease identifiers order as semver.org says', () => {
  const ascending = [
    '1.0.0-1', '1.0.0-2', '1.0.0-10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta',
    '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0',
    '1.0.1', '1.2.0', '1.10.0', '2.0.0-0', '18446744073709551615.0.0',
  ].map(version);
  for (const [i, lower] of ascending.entries()) {
    for (const [j, upper] of ascending.entries()) expect(compareVersions(lower, upper)).toBe(Math.sign(i - j));
  }
});

test('build metadata plays no part in the order', () => {
  expect(compareVersions(version('1.0.0+a'), version('1.0.0+b'))).toBe(0);
});

test('comparison is antisymmetric', () => {
  fc.assert(fc.property(versions, versions, (a, b) => {
    expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0);
    expect(compareVersions(a, a)).toBe(0);
  }));
});

test('comparison is transitive', () => {
  fc.assert(fc.property(versions, versions, versions, (a, b, c) => {
    const [x, y, z] = [a, b, c].sort(compareVersions);
    expect(compareVersions(x, y)).toBeLessThanOrEqual(0);
    expect(compareVersions(y, z)).toBeLessThanOrEqual(0);
    expect(compareVersions(x, z)).toBeLessThanOrEqual(0);
  }));
});

test('only versions equal but for build metadata compare equal', () => {
  fc.assert(fc.property(texts, texts, (a, b) => {
    expect(compareVersions(version(a), version(b)) === 0).toBe(a.split('+')[0] === b.split('+')[0]);
  }));
});

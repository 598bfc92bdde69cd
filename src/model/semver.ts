import type { Problem } from './problem';

/**
 * A version as SemVer 2.0.0 defines it and github.com/blang/semver v4 holds it, which decides in the API server and in CEL:
 * numbers are uint64, there is no leading `v` and no leading zero.
 */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numeric identifiers as numbers, which order before words. */
  readonly prerelease: readonly (bigint | string)[];
  /** Plays no part in the order. */
  readonly build: readonly string[];
}

/** The version a text stands for, or why it is none. */
export function parseVersion(text: string): Version | Problem {
  const match = SHAPE.exec(text);
  if (!match) return { rule: 'must be a semantic version (semver.org, 2.0.0)', help: helpFor(text) };
  const [, major, minor, patch, prerelease, build] = match;
  const version = {
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    prerelease: identifiers(prerelease).map(identifier => (/^\d+$/.test(identifier) ? BigInt(identifier) : identifier)),
    build: identifiers(build),
  };
  const numbers = [version.major, version.minor, version.patch, ...version.prerelease];
  if (numbers.some(number => typeof number === 'bigint' && number > MAX_UINT64)) {
    return { rule: `must not have a number above ${MAX_UINT64}`, help: 'The API server takes such a version, but CEL fails on it: shorten it.' };
  }
  return version;
}

/** Why a text is no version. */
export function versionProblem(text: string): Problem | undefined {
  const parsed = parseVersion(text);
  return 'rule' in parsed ? parsed : undefined;
}

/** Whether a text is a version. */
export function isVersion(text: string): boolean {
  return versionProblem(text) === undefined;
}

/** Precedence by SemVer 2.0.0, section 11; versions that differ only in build metadata are equal. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  const numbers = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return order(b.prerelease.length, a.prerelease.length);
  }
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const identifier = compareIdentifiers(a.prerelease[i], b.prerelease[i]);
    if (identifier !== 0) return identifier;
  }
  return order(a.prerelease.length, b.prerelease.length);
}

const NUMBER = '(?:0|[1-9]\\d*)';
const PRERELEASE = `(?:${NUMBER}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const SHAPE = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PRERELEASE}(?:\\.${PRERELEASE})*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$`,
);
const MAX_UINT64 = 2n ** 64n - 1n;

function helpFor(text: string): string {
  if (/^[vV]\d/.test(text) && SHAPE.test(text.slice(1))) return `Write ${text.slice(1)}, without the leading v.`;
  if (/^\d+(\.\d+)?$/.test(text)) return 'Write all three numbers: major.minor.patch, for example 1.20.0.';
  if (/^0\d|\.0\d/.test(text)) return 'Write the numbers without leading zeros, for example 1.2.3.';
  return 'Write major.minor.patch, with an optional -prerelease and +build, for example 550.54.15 or 1.2.3-rc.1.';
}

function identifiers(text: string | undefined): string[] {
  return text === undefined ? [] : text.split('.');
}

function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === 'bigint' && typeof b === 'bigint') return order(a, b);
  if (typeof a === 'string' && typeof b === 'string') return order(a, b);
  return typeof a === 'bigint' ? -1 : 1;
}

function order<T extends bigint | string | number>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

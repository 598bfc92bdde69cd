import { global, member } from './overload';
import type { Library } from './overload';
import { compareVersions, parseVersion } from '../../semver';
import { CelError, CelSemver } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { BOOL, INT, SEMVER, STRING } from '../types/type';

/** Semantic versions (`k8s.io/apiserver/pkg/cel/library/semverlib.go`, version 1). */
export const SEMVERS: Library = {
  overloads: [
    global('semver', 'string_to_semver', [STRING], SEMVER, (text: string) => semver(text)),
    global('semver', 'string_bool_to_semver', [STRING, BOOL], SEMVER, semver),
    global('isSemver', 'is_semver_string', [STRING], BOOL, (text: string) => semver(text) instanceof CelSemver),
    global('isSemver', 'is_semver_string_bool', [STRING, BOOL], BOOL, (text: string, lenient: boolean) => semver(text, lenient) instanceof CelSemver),
    member('isGreaterThan', 'semver_is_greater_than', [SEMVER, SEMVER], BOOL, (a: CelSemver, b: CelSemver) => a.compareTo(b) > 0),
    member('isLessThan', 'semver_is_less_than', [SEMVER, SEMVER], BOOL, (a: CelSemver, b: CelSemver) => a.compareTo(b) < 0),
    member('compareTo', 'semver_compare_to', [SEMVER, SEMVER], INT, (a: CelSemver, b: CelSemver) => BigInt(a.compareTo(b))),
    member('major', 'semver_major', [SEMVER], INT, (v: CelSemver) => BigInt.asIntN(64, v.version.major)),
    member('minor', 'semver_minor', [SEMVER], INT, (v: CelSemver) => BigInt.asIntN(64, v.version.minor)),
    member('patch', 'semver_patch', [SEMVER], INT, (v: CelSemver) => BigInt.asIntN(64, v.version.patch)),
  ],
};

/** The last texts that were parsed: devices repeat few versions. */
const parsed = new Map<string, CelSemver | CelError>();
const MAX_PARSED = 500;

/** The version a text stands for; `lenient` takes `v1`, `1.2` and leading zeros too. */
export function semver(text: string, lenient = false): CelSemver | CelError {
  const strict = lenient ? normalized(text) : text;
  if (typeof strict !== 'string') return strict;
  let value = parsed.get(strict);
  if (value === undefined) {
    const version = parseVersion(strict);
    value = 'rule' in version ? new CelError(refusal(strict)) : new CelSemver(version, compareVersions);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(strict, value);
  }
  return value;
}

function normalized(text: string): string | Value & CelError {
  const parts = splitInThree(text.replace(/^v/, '')).map((part) => {
    if (part.length <= 1) return part;
    const rest = part.replace(/^0+/, '');
    return rest === '' || !/^\d/.test(rest) ? `0${rest}` : rest;
  });
  if (parts.length < 3 && /[+-]/.test(parts[parts.length - 1])) return new CelError('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function splitInThree(text: string): string[] {
  const [major, minor, ...rest] = text.split('.');
  return [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
}

/** The words of blang/semver v4. */
function refusal(text: string): string {
  if (text === '') return 'Version string empty';
  const parts = splitInThree(text);
  if (parts.length !== 3) return 'No Major.Minor.Patch elements found';
  const [major, minor, patchText] = parts;
  const patch = patchText.split(/[-+]/, 1)[0];
  for (const [name, part] of [['Major', major], ['Minor', minor], ['Patch', patch]]) {
    if (!/^\d*$/.test(part)) return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(part)}`;
    if (part.length > 1 && part.startsWith('0')) return `${name} number must not contain leading zeroes ${JSON.stringify(part)}`;
    if (part === '' || BigInt(part) >= 2n ** 64n) {
      return `strconv.ParseUint: parsing ${JSON.stringify(part)}: ${part === '' ? 'invalid syntax' : 'value out of range'}`;
    }
  }
  return suffixRefusal(patchText.slice(patch.length));
}

function suffixRefusal(suffix: string): string {
  const plus = suffix.indexOf('+');
  const prerelease = suffix.startsWith('-') ? suffix.slice(1, plus < 0 ? undefined : plus).split('.') : [];
  for (const part of prerelease) {
    if (part === '') return 'Prerelease is empty';
    if (/^\d+$/.test(part) && part.length > 1 && part.startsWith('0')) {
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    }
    if (/^\d+$/.test(part)) {
      if (BigInt(part) >= 2n ** 64n) return `strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range`;
    } else if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
    }
  }
  for (const part of plus < 0 ? [] : suffix.slice(plus + 1).split('.')) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
  }
  return 'No Major.Minor.Patch elements found';
}

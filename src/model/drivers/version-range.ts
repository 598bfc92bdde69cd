/** Versions of a driver: at least `from`, less than `before`. An absent end is open. */
export interface VersionRange {
  readonly from?: string;
  readonly before?: string;
}

/**
 * Whether a version lies in a range.
 *
 * Pre-release suffixes and a leading `v` are ignored: `0.5.0-dev` counts as 0.5.0, because facts of a coming release are read
 * from its development tree. `aliases` maps release names such as `v25.12` to version numbers. An unreadable version is in every range.
 */
export function inRange(
  range: VersionRange | undefined,
  version: string | undefined,
  aliases: Readonly<Record<string, string>> = {},
): boolean {
  const numbers = version === undefined ? undefined : parts(version, aliases);
  if (range === undefined || numbers === undefined) return true;
  const from = range.from === undefined ? undefined : parts(range.from, {});
  const before = range.before === undefined ? undefined : parts(range.before, {});
  return (from === undefined || compare(numbers, from) >= 0) && (before === undefined || compare(numbers, before) < 0);
}

function parts(version: string, aliases: Readonly<Record<string, string>>): readonly number[] | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version.trim());
  if (match === null) return undefined;
  const alias = aliases[`v${match[1]}.${match[2]}`];
  const text = alias === undefined ? `${match[1]}.${match[2]}.${match[3] ?? '0'}` : `${alias}.${match[3] ?? '0'}`;
  return text.split('.').map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

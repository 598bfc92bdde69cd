import type { Minor } from '../target/versions';

/** A mistake of upstream that shows in what its scheduler decides; the allocator here repeats it. */
export interface UpstreamBug {
  /** Stable. */
  readonly id: string;
  /** What happens, as the table of docs/oracle.md has it. */
  readonly what: string;
  readonly minors: readonly Minor[];
  /** The patch release of a minor that mended it. */
  readonly mended?: { readonly [minor in Minor]?: number };
  /** Where upstream speaks of it, e.g. `kubernetes/kubernetes#138882`. */
  readonly thread?: string;
  /** What to do while the version has it, an imperative; absent for what neither holds a pod nor misleads about one. */
  readonly wayOut?: string;
}

/** Whether a version has a mistake; `maybe` when that depends on a patch release that is not known. */
export function hasBug({ minors, mended }: UpstreamBug, minor: Minor, patch: number | undefined): boolean | 'maybe' {
  if (!minors.includes(minor)) return false;
  const first = mended?.[minor];
  if (first === undefined) return true;
  return patch === undefined ? 'maybe' : patch < first;
}

/** The versions that have a mistake, for people: `1.34, 1.35.0 to 1.35.5`. */
export function affectedVersions({ minors, mended }: UpstreamBug, all: readonly Minor[]): string {
  if (minors.length === all.length && mended === undefined) return 'all';
  const parts: string[] = [];
  for (let i = 0; i < minors.length; i++) {
    const last = lastInRow(minors, all, mended, i);
    if (last > i) parts.push(`${minors[i]} to ${minors[last]}`);
    else parts.push(patches(minors[i], mended?.[minors[i]]));
    i = Math.max(i, last);
  }
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}` : parts.join('');
}

/** The end of a row of neighbours that no patch release mended. */
function lastInRow(minors: readonly Minor[], all: readonly Minor[], mended: UpstreamBug['mended'], first: number): number {
  let last = first;
  while (last + 1 < minors.length && mended?.[minors[last]] === undefined && mended?.[minors[last + 1]] === undefined
    && all.indexOf(minors[last + 1]) === all.indexOf(minors[last]) + 1) last++;
  return last;
}

function patches(minor: Minor, mended: number | undefined): string {
  if (mended === undefined) return minor;
  return mended === 1 ? `${minor}.0` : `${minor}.0 to ${minor}.${mended - 1}`;
}

import type { KnownBug } from './explanation';
import type { Quirks } from '../allocator';
import { MINORS } from '../target';
import type { Target } from '../target/target';
import { parseMinor } from '../target/versions';
import { affectedVersions, hasBug, upstreamBug } from '../upstream-bugs';
import type { UpstreamBugId } from '../upstream-bugs';
import type { ClusterView } from '../view/cluster-view';

/** The patch release of a cluster's scheduler, as far as its server says; undefined for files and other versions than the cluster's own. */
export function patchOf(view: ClusterView, target: Target): number | undefined {
  const version = view.collection?.serverVersion ?? '';
  const patch = /^v?\d+\.\d+\.(\d+)/.exec(version)?.[1];
  return patch !== undefined && parseMinor(version) === target.minor ? Number(patch) : undefined;
}

/** What an older patch release of a minor does otherwise than the newest. */
export function quirksOf({ minor }: Target, patch: number | undefined): Quirks {
  const isOlder = (id: UpstreamBugId): boolean => upstreamBug(id).mended?.[minor] !== undefined && hasBug(upstreamBug(id), minor, patch) === true;
  return {
    ...(isOlder('counters-by-pool-name') ? { countersByPoolName: true } : {}),
    ...(isOlder('shares-free-of-counters') ? { sharesUseCounters: false } : {}),
  };
}

/** Whether the version of a cluster has a mistake. */
export function hasKnownBug(id: UpstreamBugId, { minor }: Target, patch: number | undefined): boolean | 'maybe' {
  return hasBug(upstreamBug(id), minor, patch);
}

/** A mistake that holds a pod by itself. */
export interface Defect {
  readonly bug: KnownBug;
  /** What brings it about, a clause. */
  readonly what: string;
  readonly wayOut: string;
}

export function defectBy(id: UpstreamBugId, what: string, target: Target, patch: number | undefined): Defect {
  return { bug: knownBug(id, what, target, patch), what, wayOut: upstreamBug(id).wayOut ?? 'upgrade' };
}

/** One of upstream's mistakes, and what it does to a pod: a sentence without its full stop. */
export function knownBug(id: UpstreamBugId, what: string, { minor }: Target, patch: number | undefined): KnownBug {
  const bug = upstreamBug(id);
  const versions = affectedVersions(bug, MINORS);
  const parts = [
    versions === 'all' ? `${MINORS[0]} to ${MINORS[MINORS.length - 1]}` : versions,
    ...(bug.thread === undefined ? [] : [bug.thread]),
    ...(hasBug(bug, minor, patch) === 'maybe' ? ['the patch release of this scheduler is not known'] : []),
  ];
  return { id, minors: bug.minors, text: `${what} (${parts.join('; ')}). Way out: ${bug.wayOut ?? 'upgrade'}` };
}

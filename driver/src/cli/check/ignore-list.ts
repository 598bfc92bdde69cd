import { globMatcher } from './glob.js';
import type { ReportedFinding } from './reported-finding.js';

/** One exception: every condition given must hold. */
export interface IgnoreEntry {
  /** Code of the catalogue, e.g. `DRA130`. */
  readonly code: string;
  /** Glob over file names. */
  readonly path?: string;
  /** `Kind/name` or `Kind/namespace/name`; `*` stands for anything in one part. */
  readonly object?: string;
  /** Why, for whoever reads the list next. */
  readonly reason?: string;
}

/** Takes findings out, and remembers which entries did. */
export class IgnoreList {
  private readonly matchers: readonly { readonly entry: IgnoreEntry; matches(finding: ReportedFinding): boolean }[];
  private readonly used = new Set<IgnoreEntry>();

  public constructor(entries: readonly IgnoreEntry[]) {
    this.matchers = entries.map((entry) => ({ entry, matches: matcherOf(entry) }));
  }

  public takes(finding: ReportedFinding): boolean {
    const found = this.matchers.filter(({ matches }) => matches(finding));
    for (const { entry } of found) this.used.add(entry);
    return found.length > 0;
  }

  /** Entries that took nothing out so far: the mistake is gone, or the entry has a typing error. */
  public unused(): readonly IgnoreEntry[] {
    return this.matchers.map(({ entry }) => entry).filter((entry) => !this.used.has(entry));
  }
}

function matcherOf(entry: IgnoreEntry): (finding: ReportedFinding) => boolean {
  const path = entry.path === undefined ? undefined : globMatcher(entry.path);
  const object = entry.object === undefined ? undefined : globMatcher(entry.object);
  return (finding) => finding.code === entry.code
    && (path === undefined || (finding.file !== undefined && path(finding.file)))
    && (object === undefined || objectNames(finding).some((name) => object(name)));
}

function objectNames({ object }: ReportedFinding): string[] {
  if (object?.name === undefined) return [];
  const short = `${object.kind}/${object.name}`;
  return object.namespace === undefined ? [short] : [short, `${object.kind}/${object.namespace}/${object.name}`];
}

import { ALL_RULES } from './all-rules';
import type { Finding } from './finding';
import type { Rule } from './rule';
import { failureOf } from '../failures';
import type { FieldPath, Manifest } from '../manifests/manifest';
import { ManifestSet } from '../manifests/manifest-set';
import type { Target } from '../target';
import type { ClusterView } from '../view/cluster-view';

export { ALL_RULES } from './all-rules';
export * from './finding';
export { migrationsIn, ownershipPlan } from './ownership-plan';
export type { MigrationInManifests } from './ownership-plan';
export * from './rule';

export interface RunRulesOptions {
  /** Codes (`DRA150`) or names (`shared-claim`) of the catalogue whose findings are left out. */
  readonly ignore?: readonly string[];
  /** Absent: all. */
  readonly rules?: readonly Rule[];
  /** Manifests of the commit before: what changed is judged too. */
  readonly previous?: readonly Manifest[];
  /** Objects of the cluster that the manifests are for: the plan is judged against its nodes. */
  readonly snapshot?: ClusterView;
}

/** Everything wrong with these manifests for this target, sorted by source, object, path and code; never throws on bad input. */
export function runRules(manifests: readonly Manifest[], target: Target, options: RunRulesOptions = {}): Finding[] {
  const set = new ManifestSet(manifests);
  const previous = options.previous && new ManifestSet(options.previous);
  const ignored = new Set(options.ignore);
  const findings: Finding[] = [];
  const order = orderOf(set);
  const report = (finding: Finding): void => {
    if (isVouchedFor(finding)) return;
    if (ignored.has(finding.code) || ignored.has(failureOf(finding.code).name)) return;
    findings.push(finding);
  };
  for (const rule of options.rules ?? ALL_RULES) {
    try {
      rule.run({ manifests: set, target, previous, snapshot: options.snapshot, report });
    } catch (error) {
      report(ruleFailed(rule, error));
    }
  }
  // Two rules may see the same fault.
  const sorted = findings.sort((a, b) => compareFindings(a, b, order));
  return sorted.filter((finding, i) => i === 0 || compareFindings(sorted[i - 1], finding, order) !== 0);
}

function isVouchedFor({ code, manifest, path }: Finding): boolean {
  return code === 'DRA112' && (manifest?.vouchedFor ?? []).some(field => field.every((step, index) => step === path[index]));
}

function ruleFailed(rule: Rule, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'DRA108',
    severity: failureOf('DRA108').severity,
    path: [],
    message: `The check of ${rule.codes.join(', ')} stopped early: ${reason}.`,
    help: 'Report it with the manifests; leave these codes out to go on with the others.',
  };
}

/** Every manifest by its place in the input, lists before objects. */
function orderOf(set: ManifestSet): Map<Manifest, number> {
  const order = new Map<Manifest, number>();
  set.lists.forEach((list, index) => order.set(list, index - set.lists.length));
  for (const object of set.objects) order.set(object.manifest, object.index);
  return order;
}

function compareFindings(a: Finding, b: Finding, order: Map<Manifest, number>): number {
  return compareText(a.manifest?.source.name ?? '', b.manifest?.source.name ?? '')
    || placeOf(a, order) - placeOf(b, order)
    || comparePaths(a.path, b.path)
    || compareText(a.code, b.code)
    || compareText(a.message, b.message);
}

function placeOf(finding: Finding, order: Map<Manifest, number>): number {
  return finding.manifest === undefined ? -1 : order.get(finding.manifest) ?? -1;
}

function comparePaths(a: FieldPath, b: FieldPath): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (typeof left === 'number' && typeof right === 'number') {
      if (left !== right) return left - right;
    } else {
      const order = compareText(String(left), String(right));
      if (order !== 0) return order;
    }
  }
  return a.length - b.length;
}

/** By code units: the order must not depend on the locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

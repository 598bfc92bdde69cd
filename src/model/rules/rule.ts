import type { Finding } from './finding';
import type { ManifestSet } from '../manifests/manifest-set';
import type { Target } from '../target';
import type { ClusterView } from '../view/cluster-view';

/** What a rule may look at. */
export interface RuleContext {
  readonly manifests: ManifestSet;
  readonly target: Target;
  /** Manifests of the commit before, for what must not change. */
  readonly previous?: ManifestSet;
  /** Objects of the cluster that the manifests are for. */
  readonly snapshot?: ClusterView;
  report(finding: Finding): void;
}

/** A pure function over all manifests; it runs once over the whole set and reports every finding. */
export interface Rule {
  /** Codes this rule can report; each stands in the catalogue. */
  readonly codes: readonly string[];
  run(context: RuleContext): void;
}

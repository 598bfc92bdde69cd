import type { Finding } from './finding';
import type { ManifestSet } from '../manifests/manifest-set';
import type { Target } from '../target';

/** What a rule may look at. */
export interface RuleContext {
  readonly manifests: ManifestSet;
  readonly target: Target;
  report(finding: Finding): void;
}

/** A pure function over all manifests; it runs once over the whole set and reports every finding. */
export interface Rule {
  /** Codes this rule can report; each stands in the catalogue. */
  readonly codes: readonly string[];
  run(context: RuleContext): void;
}

import type { Severity } from '../rules/finding';

/** One kind of mistake: what it is, why it matters, the way out. `kubectl-dra check --explain CODE` prints it. */
export interface Failure {
  /** Stable: scripts and ignore lists name it. */
  readonly code: string;
  /** Stable too, for people: kebab case. */
  readonly name: string;
  readonly title: string;
  /** Of the usual case; a finding may carry a milder one. */
  readonly severity: Severity;
  /** What happens on a cluster. */
  readonly why: string;
  readonly fix: string;
  /** Of failures on a node: what it means for the next try; absent where nothing was tried. */
  readonly failureClass?: 'retryable' | 'terminal' | 'needs-cleanup';
  /** Of failures on a node: who can do something about it. */
  readonly told?: 'platform' | 'tenant' | 'hardware';
  /** Of failures on a node: the device gets no new work until the cause is gone. */
  readonly isolates?: true;
  /** Manifests of the commit before, where it is about what changed. */
  readonly previous?: string;
  /** Manifests that have it, as YAML. */
  readonly wrong?: string;
  /** The same, mended. */
  readonly right?: string;
  /** Kubernetes version that the examples are meant for; absent: 1.34. */
  readonly kubernetes?: string;
  /** Gates of that cluster that are not at their default. */
  readonly featureGates?: { readonly [gate: string]: boolean };
  /** Where the rule stands: code or documentation of Kubernetes, a specification, a public report. */
  readonly source: string;
}

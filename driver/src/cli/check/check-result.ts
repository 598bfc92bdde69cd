import type { Severity } from 'cdk8s-dra/model';

import type { ReportedFinding } from './reported-finding.js';

/** What a check found, in the form that every output is made from. */
export interface CheckResult {
  /** Minor version checked for, e.g. `1.34`. */
  readonly kubernetes: string;
  /** The minor after it, where this program knows one. */
  readonly nextKubernetes?: string;
  /** Gates that were given, `component:Name` or `Name`. */
  readonly featureGates: { readonly [gate: string]: boolean };
  readonly files: number;
  readonly objects: number;
  /** Documents without apiVersion and kind. */
  readonly otherDocuments: number;
  readonly findings: readonly ReportedFinding[];
  /** Findings that the ignore list took out. */
  readonly ignored: number;
}

/** From worst to mildest. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Whether a severity is at least as bad as the other. */
export function isAtLeast(severity: Severity, limit: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);
}

export function countBySeverity(findings: readonly ReportedFinding[]): { readonly [severity in Severity]: number } {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

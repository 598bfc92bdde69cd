import type { Site } from './ownership-plan';
import type { FieldPath } from '../manifests/manifest';
import type { Severity } from '../rules/finding';

/** Why a plan is not safe, as a short story that a person can follow. */
export interface OwnershipProblem {
  /** Of the catalogue in `model/failures`. */
  readonly code: string;
  readonly severity: Severity;
  /** The migration or tenant that it is told at, where it is told at one. */
  readonly at?: { readonly kind: 'DeviceMigration' | 'DeviceTenant'; readonly name: string };
  /** Inside that object. */
  readonly path: FieldPath;
  /** The place outside of migrations where it is told instead, e.g. a workload. */
  readonly site?: Site;
  /** What is wrong, one sentence. */
  readonly message: string;
  /** What happens, one event a sentence; empty where the message says it all. */
  readonly story: readonly string[];
  /** The way out, full sentences. */
  readonly help: string;
}

/** Message and story in one text, events counted. */
export function tellProblem({ message, story }: Pick<OwnershipProblem, 'message' | 'story'>): string {
  return [message, ...story.map((event, index) => `(${index + 1}) ${event}`)].join(' ');
}

import type { Minor } from 'cdk8s-dra/model';

import type { Trial } from './trial.js';
import type { Resource } from '../kube/resource.js';

/**
 * `live`: harms nobody on a cluster in use. `lab`: makes Node objects or slices that pods can get; for clusters of one's own.
 */
export type Mode = 'live' | 'lab';

/**
 * `reads`: GET only. `tries`: also writes with server-side dry run, which the server judges in full and does not store.
 * `creates`: stores objects of its own and deletes them.
 */
export type Effect = 'reads' | 'tries' | 'creates';

/** The parts of the API that contracts are grouped by, in the order of the report. */
export const AREAS = [
  'API', 'Fields', 'Limits', 'Refusals', 'Immutability', 'Defaults', 'Claim life', 'Template claims', 'Access', 'Quota', 'Allocation', 'Messages',
] as const;

export type Area = typeof AREAS[number];

/** A permission, as RBAC names it. */
export interface Need {
  readonly verb: string;
  readonly group: string;
  /** `resourceclaims`, or `resourceclaims/status`. */
  readonly resource: string;
  /** Whether it is needed in the scratch namespace only. */
  readonly namespaced: boolean;
  /** First minor that asks for it. */
  readonly since?: Minor;
}

/** Something that a cluster must do for us and our users, and how to see whether it does. */
export interface Contract {
  /** Kebab-case, never reused. */
  readonly id: string;
  readonly area: Area;
  /** The fact that is proven. */
  readonly title: string;
  /** Who relies on it. */
  readonly why: string;
  /** First minor that keeps it. */
  readonly since?: Minor;
  /** Last minor that keeps it. */
  readonly until?: Minor;
  readonly mode: Mode;
  readonly effect: Effect;
  readonly needs: readonly Need[];
  /** Milliseconds; absent, a minute. */
  readonly limit?: number;
  run(trial: Trial): Promise<void>;
}

export type Verdict = 'kept' | 'broken' | 'not-applicable' | 'not-tried';

/** Verbs on a resource, or on a subresource of it. */
export function need(resource: Resource, verbs: readonly string[], subresource?: string): readonly Need[] {
  const { group, plural, namespaced } = resource;
  return verbs.map((verb) => ({ verb, group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, namespaced }));
}

/** Acting as a service account of the scratch namespace, on a node of one's choice. */
export const IMPERSONATE: readonly Need[] = [
  { verb: 'impersonate', group: '', resource: 'serviceaccounts', namespaced: true },
  { verb: 'impersonate', group: 'authentication.k8s.io', resource: 'userextras/authentication.kubernetes.io/node-name', namespaced: false },
];

/** `create resourceclaims.resource.k8s.io/status`. */
export function needText({ verb, group, resource }: Need): string {
  const { plural, subresource } = resourceParts(resource);
  return `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
}

/** Everything behind the first slash is the subresource, also further slashes. */
export function resourceParts(resource: string): { readonly plural: string; readonly subresource: string | undefined } {
  const slash = resource.indexOf('/');
  return slash < 0 ? { plural: resource, subresource: undefined } : { plural: resource.slice(0, slash), subresource: resource.slice(slash + 1) };
}

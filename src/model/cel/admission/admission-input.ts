import type { AdmissionRequest } from './admission-request';

/** What the expressions of a policy can ask about. Objects are those of the request, in the version that the policy names. */
export interface AdmissionInput {
  readonly request: AdmissionRequest;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly params?: unknown;
  readonly namespaceObject?: unknown;
}

import { DEPLOYMENT_FAILURES } from './deployment';
import type { Failure } from './failure';
import { FIELD_FAILURES } from './fields';
import { GITOPS_FAILURES } from './gitops';
import { INPUT_FAILURES } from './input';
import { REFERENCE_FAILURES } from './references';
import { SELECTOR_FAILURES } from './selectors';
import { SHARING_FAILURES } from './sharing';
import { VALUE_FAILURES } from './values';

export type * from './failure';

/** Every failure with a code, sorted by code: 1xx manifests. */
export const FAILURES: readonly Failure[] = [
  ...INPUT_FAILURES,
  ...FIELD_FAILURES,
  ...VALUE_FAILURES,
  ...REFERENCE_FAILURES,
  ...SELECTOR_FAILURES,
  ...SHARING_FAILURES,
  ...DEPLOYMENT_FAILURES,
  ...GITOPS_FAILURES,
];

const BY_KEY = new Map<string, Failure>();
for (const failure of FAILURES) {
  BY_KEY.set(failure.code, failure);
  BY_KEY.set(failure.name, failure);
}

/** The failure of a code or name; upper and lower case are equal. */
export function findFailure(codeOrName: string): Failure | undefined {
  return BY_KEY.get(codeOrName.toUpperCase()) ?? BY_KEY.get(codeOrName.toLowerCase());
}

/** The failure of a code that stands in the catalogue. */
export function failureOf(code: string): Failure {
  const failure = BY_KEY.get(code);
  if (failure === undefined) throw new Error(`'code' must stand in the catalogue, got '${code}'. Add it to model/failures.`);
  return failure;
}

import { ALLOCATION_FAILURES } from './allocation';
import { DEPLOYMENT_FAILURES } from './deployment';
import { DEVICE_FAILURES } from './devices';
import type { Failure } from './failure';
import { FIELD_FAILURES } from './fields';
import { GITOPS_FAILURES } from './gitops';
import { INPUT_FAILURES } from './input';
import { MIGRATION_FAILURES } from './migrations';
import { NODE_AGENT_FAILURES } from './node-agent';
import { NODE_SLICE_FAILURES } from './node-slices';
import { POD_CLAIM_FAILURES } from './pod-claims';
import { POD_DEVICE_FAILURES } from './pod-devices';
import { POD_PLACEMENT_FAILURES } from './pod-placement';
import { POD_START_FAILURES } from './pod-start';
import { POD_STATE_FAILURES } from './pod-state';
import { REFERENCE_FAILURES } from './references';
import { SELECTOR_FAILURES } from './selectors';
import { SHARING_FAILURES } from './sharing';
import { VALUE_FAILURES } from './values';

export type * from './failure';
export { failureText } from './failure-text';

/** Every failure with a code, sorted by code: 1xx manifests, 2xx pods and their devices, 3xx nodes, 4xx migrations. */
export const FAILURES: readonly Failure[] = [
  ...INPUT_FAILURES,
  ...FIELD_FAILURES,
  ...VALUE_FAILURES,
  ...REFERENCE_FAILURES,
  ...SELECTOR_FAILURES,
  ...SHARING_FAILURES,
  ...DEPLOYMENT_FAILURES,
  ...GITOPS_FAILURES,
  ...ALLOCATION_FAILURES,
  ...POD_STATE_FAILURES,
  ...POD_CLAIM_FAILURES,
  ...POD_PLACEMENT_FAILURES,
  ...POD_DEVICE_FAILURES,
  ...POD_START_FAILURES,
  ...NODE_AGENT_FAILURES,
  ...DEVICE_FAILURES,
  ...NODE_SLICE_FAILURES,
  ...MIGRATION_FAILURES,
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

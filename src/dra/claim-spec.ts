import type { ClaimSpecProps } from './claim-spec-props';
import type { ResourceClaimSpec } from '../../imports/types';

/** The claim's `spec` as the API has it; the same for a claim and for the claims of a template. */
export function claimSpecJson(props: ClaimSpecProps): ResourceClaimSpec {
  const { requests, constraints = [], config = [] } = props;
  return {
    devices: {
      requests: requests.map(request => request._toJson()),
      ...(constraints.length > 0 ? { constraints: constraints.map(constraint => constraint._toJson()) } : {}),
      ...(config.length > 0 ? { config: config.map(entry => entry._toClaimJson()) } : {}),
    },
  };
}

/** Names of the classes that a claim asks for, alternatives included. */
export function classNamesOf({ devices }: ResourceClaimSpec): readonly string[] {
  const wanted = (devices?.requests ?? []).flatMap(({ exactly, firstAvailable }) => [exactly, ...firstAvailable ?? []]);
  return [...new Set(wanted.flatMap(one => one?.deviceClassName ?? []))].sort();
}

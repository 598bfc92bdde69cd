import { EVERY_HOLD, HOLD_KIND, HOLD_WORDS } from './hold';
import { bindingSpec, claimRule, matchConstraints, notSystem } from './matching';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import type { MatchCondition, ParamKind, ParamRef, Variable } from '../../../imports/types';
import { API_GROUP, API_VERSION, ROUTING_NAME } from '../api';

export const FENCE_POLICY = 'cdk8s-dra-fence';
export const HOLD_FENCE_POLICY = 'cdk8s-dra-hold-fence';

/** An allocation never changes once it is there, and taking one back must always work. */
const NEW_ALLOCATION: MatchCondition = {
  name: 'new-allocation',
  expression: 'object.?status.?allocation.hasValue() && !oldObject.?status.?allocation.hasValue()',
};

const RESULTS: Variable = { name: 'results', expression: 'object.status.allocation.?devices.?results.orValue([])' };

const RESULT = '"Device " + variables.fenced[0].driver + "/" + variables.fenced[0].pool + "/" + variables.fenced[0].device';

/** Refuses a new allocation from a pool of a node that changes owner; the pod that wants it stays Pending and is tried again. */
export function fencePolicy(scope: PolicyScope): AdmissionPolicy {
  return fence(scope, {
    name: FENCE_POLICY,
    paramKind: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceRouting' },
    paramRef: { name: ROUTING_NAME, parameterNotFoundAction: 'Allow' },
    fenced: 'params.spec.?fencedPools.orValue([]).exists(f, f.driver == r.driver && r.pool in f.pools)',
    message: `${RESULT} + " is fenced: its node changes owner, and nothing new is allocated there until that is done. `
      + 'The pod waits and takes this or another device as soon as one may be had."',
  });
}

/** Refuses a new allocation from a pool that a DeviceHold of level Allocation or Rollback fences. */
export function holdFencePolicy(scope: PolicyScope): AdmissionPolicy {
  return fence(scope, {
    name: HOLD_FENCE_POLICY,
    paramKind: HOLD_KIND,
    paramRef: EVERY_HOLD,
    fenced: 'params.spec.level != "Door" && params.spec.?fence.orValue([]).exists(f, f.driver == r.driver && (f.?pools.orValue([]).size() == 0 || r.pool in f.pools))',
    message: `${RESULT} + ${HOLD_WORDS} + ". The pod waits and is tried again then."`,
  });
}

interface FenceProps {
  readonly name: string;
  readonly paramKind: ParamKind;
  readonly paramRef: ParamRef;
  /** CEL: whether the result `r` is fenced. */
  readonly fenced: string;
  readonly message: string;
}

function fence(scope: PolicyScope, { name, paramKind, paramRef, fenced, message }: FenceProps): AdmissionPolicy {
  return {
    name,
    spec: {
      // Without the CRD no claim could be released either.
      failurePolicy: 'Ignore',
      paramKind,
      matchConstraints: matchConstraints(notSystem(scope), [claimRule(['resourceclaims/status'], ['UPDATE'])]),
      matchConditions: [NEW_ALLOCATION],
      variables: [RESULTS, { name: 'fenced', expression: `variables.results.filter(r, ${fenced})` }],
      validations: [{
        expression: 'variables.fenced.size() == 0',
        message: 'Nothing new is allocated from this pool now.',
        messageExpression: message,
      }],
    },
    binding: bindingSpec(name, notSystem(scope), paramRef),
  };
}

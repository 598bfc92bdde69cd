import { bindingSpec, claimRule, matchConstraints, tenantsOnly } from './matching';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import { ACCESS_NAME, API_GROUP, API_VERSION } from '../api';

export const CONSUMERS_POLICY = 'cdk8s-dra-consumers';

/**
 * Limits the pods that share a claim, where the scheduler adds them: the driver never sees the second one.
 *
 * Only growing is looked at; a claim over its limit can still be released.
 */
export function consumersPolicy(scope: PolicyScope): AdmissionPolicy {
  return {
    name: CONSUMERS_POLICY,
    spec: {
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceAccess' },
      matchConstraints: matchConstraints(tenantsOnly(scope), [claimRule(['resourceclaims/status'], ['UPDATE'])]),
      matchConditions: [{
        name: 'more-consumers',
        expression: 'object.?status.?reservedFor.orValue([]).size() > oldObject.?status.?reservedFor.orValue([]).size()',
      }],
      variables: [
        { name: 'consumers', expression: 'object.status.reservedFor.size()' },
        { name: 'maxConsumers', expression: 'params.spec.?limits.?consumersPerClaim.orValue(256)' },
      ],
      validations: [{
        expression: 'variables.consumers <= variables.maxConsumers',
        message: 'This claim has as many pods as it may have.',
        messageExpression: '"Claim " + object.metadata.name + " may be shared by " + string(variables.maxConsumers) + " pods in namespace " + request.namespace'
          + ` + ", and would have " + string(variables.consumers) + ". Give each pod a claim of its own with a claim template, or wait until a pod ends. The limit: DeviceAccess ${ACCESS_NAME}."`,
        reason: 'Forbidden',
      }],
    },
    binding: bindingSpec(CONSUMERS_POLICY, tenantsOnly(scope), { name: ACCESS_NAME, parameterNotFoundAction: 'Allow' }),
  };
}

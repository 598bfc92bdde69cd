import { bindingSpec, claimRule, matchConstraints, notSystem, resourceRule } from './matching';
import { ownedByControlPlane } from './new-work';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import { WHO } from './refusal-text';
import { celString } from '../cel/literal';

export const ADMIN_ACCESS_POLICY = 'cdk8s-dra-admin-access';

/** Kubernetes asks for this label of a namespace, and for nothing more. */
const LABEL = 'resource.kubernetes.io/admin-access';

/**
 * Keeps admin access to devices for the groups of the platform: the label of the namespace, and the request in claims and templates.
 *
 * Without it whoever may label a namespace grants it to himself and to everybody there.
 */
export function adminAccessPolicy(scope: PolicyScope): AdmissionPolicy {
  const groups = [...new Set(scope.platformGroups ?? ['system:masters'])].sort();
  const members = celString(`members of ${groups.join(', ')}`);
  const label = (root: string) => `${root}.metadata.?labels[?"${LABEL}"].orValue("")`;
  return {
    name: ADMIN_ACCESS_POLICY,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: matchConstraints(notSystem(scope), [
        // Labels can also be written by way of the subresources.
        resourceRule('', ['namespaces', 'namespaces/finalize', 'namespaces/status'], ['CREATE', 'UPDATE'], ['v1']),
        claimRule(['resourceclaims', 'resourceclaimtemplates'], ['CREATE']),
      ]),
      matchConditions: [
        { name: 'not-the-platform', expression: `![${groups.map(celString).join(', ')}].exists(g, g in request.userInfo.?groups.orValue([]))` },
        ownedByControlPlane(scope),
      ],
      variables: [
        { name: 'isNamespace', expression: 'request.resource.resource == "namespaces"' },
        { name: 'claim', expression: 'request.resource.resource == "resourceclaimtemplates" ? dyn(object).spec.spec : dyn(object).spec' },
      ],
      validations: [
        {
          expression: `!variables.isNamespace || ${label('dyn(object)')} == "" || (request.operation == "UPDATE" && ${label('dyn(oldObject)')} == ${label('dyn(object)')})`,
          message: 'The label for admin access may be set by the platform only.',
          messageExpression: `${WHO} + " may get the label ${LABEL} from " + ${members} + " only: it gives everybody in the namespace access to all devices. Ask them."`,
          reason: 'Forbidden',
        },
        {
          expression: 'variables.isNamespace || !variables.claim.?devices.?requests.orValue([]).exists(r, r.?exactly.?adminAccess.orValue(false))',
          message: 'Admin access may be asked for by the platform only.',
          messageExpression: `${WHO} + " asks for admin access, which " + ${members} + " only may have. Leave adminAccess out, or ask them."`,
          reason: 'Forbidden',
        },
      ],
    },
    binding: bindingSpec(ADMIN_ACCESS_POLICY, notSystem(scope)),
  };
}

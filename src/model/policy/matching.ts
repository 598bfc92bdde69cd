import type { PolicyScope } from './policy-scope';
import type { LabelSelector, MatchResources, NamedRuleWithOperations, ParamRef, ValidatingAdmissionPolicyBindingSpec } from '../../../imports/types';

/** The namespace whose requests no policy ever sees. */
export const SYSTEM_NAMESPACE = 'kube-system';

/** A rule for resources of a group in all of its versions. */
export function resourceRule(apiGroup: string, resources: readonly string[], operations: readonly string[], apiVersions: readonly string[] = ['*']): NamedRuleWithOperations {
  return { apiGroups: [apiGroup], apiVersions: [...apiVersions], operations: [...operations], resources: [...resources], scope: '*' };
}

/**
 * Claims and templates, always as v1: with matchPolicy Equivalent the API server brings what came in v1beta1 or v1beta2 to it.
 */
export function claimRule(resources: readonly string[], operations: readonly string[]): NamedRuleWithOperations {
  return resourceRule('resource.k8s.io', resources, operations, ['v1']);
}

/**
 * What a policy sees, defaults written out.
 *
 * System namespaces are left out here and in the binding: an API server that cannot find the kind of the parameter asks no binding.
 */
export function matchConstraints(namespaceSelector: LabelSelector, resourceRules: readonly NamedRuleWithOperations[]): MatchResources {
  return { matchPolicy: 'Equivalent', namespaceSelector, objectSelector: {}, resourceRules };
}

/** All namespaces but those of the system. */
export function notSystem({ systemNamespaces = [] }: PolicyScope): LabelSelector {
  return {
    matchExpressions: [{
      key: 'kubernetes.io/metadata.name',
      operator: 'NotIn',
      values: [...new Set([SYSTEM_NAMESPACE, ...systemNamespaces])].sort(),
    }],
  };
}

/** Namespaces of tenants. */
export function tenantsOnly(scope: PolicyScope): LabelSelector {
  return { matchLabels: { ...scope.tenantNamespaceLabels }, ...notSystem(scope) };
}

/** The spec of the binding of a policy, defaults written out. */
export function bindingSpec(policyName: string, namespaceSelector: LabelSelector, paramRef?: ParamRef): ValidatingAdmissionPolicyBindingSpec {
  return {
    policyName,
    ...(paramRef === undefined ? {} : { paramRef }),
    matchResources: { matchPolicy: 'Equivalent', namespaceSelector, objectSelector: {} },
    validationActions: ['Deny'],
  };
}

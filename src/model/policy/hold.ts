import { askedDevices, claimClasses, classesByTemplate, CLASSES_WITHOUT_TEMPLATE, COUNTABLE } from './asked-devices';
import { bindingSpec, claimRule, matchConstraints, notSystem } from './matching';
import { ASKS_FOR_DEVICES, newOwnersOnly } from './new-work';
import { workloadRules } from './pod-templates';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import { andOthers, classInWords, oneLine, WHO } from './refusal-text';
import { API_GROUP, API_VERSION } from '../api';

export const HOLD_POLICY = 'cdk8s-dra-hold';

/** Names the hold, its reason, who made it, and how it ends. */
export const HOLD_WORDS = '" is held by DeviceHold " + string(params.metadata.name) + " on pool " + string(params.spec.migration) + ": "'
  + ` + ${oneLine('params.spec.?message.orValue(params.spec.reason)')}`
  + ' + (has(params.spec.by) ? " (by " + string(params.spec.by) + (has(params.spec.ticket) ? ", " + string(params.spec.ticket) : "") + ")" : "")'
  + ' + ". It ends with: kubectl delete devicehold " + string(params.metadata.name)';

/** Every hold there is; none is the usual state. */
export const EVERY_HOLD = { selector: {}, parameterNotFoundAction: 'Allow' };

export const HOLD_KIND = { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceHold' };

/**
 * Refuses new work that a DeviceHold of any level stops; errors are ignored as in the door.
 *
 * A new claim template is refused too: the hold cannot name it, so that work by it would slip past.
 */
export function holdPolicy(scope: PolicyScope): AdmissionPolicy {
  return {
    name: HOLD_POLICY,
    spec: {
      failurePolicy: 'Ignore',
      paramKind: HOLD_KIND,
      matchConstraints: matchConstraints(notSystem(scope), [...workloadRules(scope), claimRule(['resourceclaims', 'resourceclaimtemplates'], ['CREATE'])]),
      matchConditions: [ASKS_FOR_DEVICES, newOwnersOnly(scope)],
      variables: [
        ...askedDevices(scope),
        CLASSES_WITHOUT_TEMPLATE,
        ...classesByTemplate(),
        {
          name: 'classesOfNewTemplate',
          expression: `variables.kind != "resource.k8s.io/resourceclaimtemplates" ? [] : (${claimClasses('dyn(object).spec.spec')}).map(c, c + "|its claims")`,
        },
        {
          name: 'held',
          expression: '(variables.classesWithoutTemplate + variables.classesOfNewTemplate).filter(a, a.split("|")[0] in params.spec.?classes.orValue([]))'
            + ' + variables.classesByTemplate',
        },
        { name: 'heldResources', expression: 'variables.resourceNames.filter(n, n in params.spec.?resources.orValue([]))' },
      ],
      validations: [
        COUNTABLE,
        {
          expression: 'variables.held.size() == 0',
          message: 'This asks for a device class that is held: kubectl get deviceholds.',
          messageExpression: `${WHO} + " asks for " + ${classInWords('variables.held[0]')} + ${andOthers('variables.held', classInWords)} + ", which" + ${HOLD_WORDS}`
            + ' + ". What runs goes on, and its pods are replaced."',
        },
        {
          expression: 'variables.heldResources.size() == 0',
          message: 'This asks for an extended resource that is held: kubectl get deviceholds.',
          messageExpression: `${WHO} + " asks for " + variables.heldResources[0] + ${andOthers('variables.heldResources', entry => entry)} + ", which" + ${HOLD_WORDS}`
            + ' + ". What runs goes on, and its pods are replaced."',
        },
      ],
    },
    binding: bindingSpec(HOLD_POLICY, notSystem(scope), EVERY_HOLD),
  };
}

import { askedDevices, classesByTemplate, CLASSES_WITHOUT_TEMPLATE, COUNTABLE, INTERRUPTION, TEMPLATE_INTERRUPTIONS } from './asked-devices';
import { bindingSpec, claimRule, matchConstraints, notSystem } from './matching';
import { ASKS_FOR_DEVICES, newOwnersOnly } from './new-work';
import { workloadRules } from './pod-templates';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import { andOthers, classInWords, oneLine, WHO } from './refusal-text';
import { API_GROUP, API_VERSION, INTERRUPTION_LABEL, ROUTING_NAME } from '../api';

export const DOOR_POLICY = 'cdk8s-dra-door';

/**
 * Refuses new work on a class or legacy resource whose door does not let it in.
 *
 * Errors are ignored on purpose: without the CRD, or DeviceRouting, no pod may be stopped. The expressions meet none.
 */
export function doorPolicy(scope: PolicyScope): AdmissionPolicy {
  const wayOut = '" What runs goes on, and its pods are replaced. Doors: kubectl get deviceroutings default -o yaml."';
  const marked = `" is ${INTERRUPTION_LABEL}=" + variables.interruption`;
  return {
    name: DOOR_POLICY,
    spec: {
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceRouting' },
      matchConstraints: matchConstraints(notSystem(scope), [...workloadRules(scope), claimRule(['resourceclaims'], ['CREATE'])]),
      matchConditions: [ASKS_FOR_DEVICES, newOwnersOnly(scope)],
      variables: [
        ...askedDevices(scope),
        TEMPLATE_INTERRUPTIONS,
        INTERRUPTION,
        CLASSES_WITHOUT_TEMPLATE,
        ...classesByTemplate(refuses('params.spec.?classes[?c]')),
        {
          name: 'refusedClasses',
          expression: `variables.classesWithoutTemplate.filter(a, ${refuses('params.spec.?classes[?(a.split("|")[0])]')}) + variables.classesByTemplate`,
        },
        { name: 'refusedResources', expression: `variables.resourceNames.filter(n, ${refuses('params.spec.?resources[?n]')})` },
      ],
      validations: [
        COUNTABLE,
        {
          expression: 'variables.refusedClasses.size() == 0',
          message: 'This asks for a device class whose door does not let it in.',
          messageExpression: `${WHO} + " asks for " + ${classInWords('variables.refusedClasses[0]')} + ${andOthers('variables.refusedClasses', classInWords)} + "; it"`
            + ` + ${marked} + ". " + ${oneLine('params.spec.classes[variables.refusedClasses[0].split("|")[0]].message')} + ${wayOut}`,
        },
        {
          expression: 'variables.refusedResources.size() == 0',
          message: 'This asks for an extended resource whose door does not let it in.',
          messageExpression: `${WHO} + " asks for " + variables.refusedResources[0] + ${andOthers('variables.refusedResources', entry => entry)} + "; it"`
            + ` + ${marked} + ". " + ${oneLine('params.spec.resources[variables.refusedResources[0]].message')} + ${wayOut}`,
        },
      ],
    },
    binding: bindingSpec(DOOR_POLICY, notSystem(scope), { name: ROUTING_NAME, parameterNotFoundAction: 'Allow' }),
  };
}

/** CEL: whether the door, an optional one, does not let the work in. */
export function refuses(door: string): string {
  return `${door}.optMap(d, d.door == "Closed" || (d.door == "Canary" && !(request.namespace in d.?namespaces.orValue([])))`
    + ' || (has(d.interruptions) && !(variables.interruption in d.interruptions))).orValue(false)';
}

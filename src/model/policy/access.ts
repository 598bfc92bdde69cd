import { askedDevices, claimClasses, COUNTABLE, IMPLICIT_PREFIX } from './asked-devices';
import { bindingSpec, claimRule, matchConstraints, tenantsOnly } from './matching';
import { ASKS_FOR_DEVICES, newOwnersOnly } from './new-work';
import { workloadRules } from './pod-templates';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';
import { oneLine, WHO } from './refusal-text';
import { ACCESS_NAME, API_GROUP, API_VERSION } from '../api';

export const ACCESS_POLICY = 'cdk8s-dra-access';
export const ACCESS_WORKLOADS_POLICY = 'cdk8s-dra-access-workloads';

const ACCESS_KIND = { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceAccess' };

/** What the namespace's own words add: whom to ask. */
const ADVICE = `(has(params.spec.message) ? " " + ${oneLine('params.spec.message')} : " Ask whoever keeps DeviceAccess " + request.namespace + "/${ACCESS_NAME} to add it.")`;

const ALLOWED_CLASSES = { name: 'allowedClasses', expression: 'params.spec.?classes.orValue([]).map(c, string(c.name))' };

/** CEL: what may be had, in words. */
function choice(names: string): string {
  return `(${names}.size() == 0 ? "It may use none." : "It may use " + (${names}.size() > 20 ? "those of its DeviceAccess" : ${names}.join(", ")) + ".")`;
}

/**
 * Lets claims and templates of a tenant's namespace name only what its DeviceAccess allows.
 *
 * No pod without devices makes a claim, so that here the lack of a DeviceAccess, or of its CRD, may refuse.
 */
export function accessPolicy(scope: PolicyScope): AdmissionPolicy {
  return {
    name: ACCESS_POLICY,
    spec: {
      failurePolicy: 'Fail',
      paramKind: ACCESS_KIND,
      matchConstraints: matchConstraints(tenantsOnly(scope), [claimRule(['resourceclaims', 'resourceclaimtemplates'], ['CREATE'])]),
      matchConditions: [newOwnersOnly(scope)],
      variables: [
        { name: 'isTemplate', expression: 'request.resource.resource == "resourceclaimtemplates"' },
        { name: 'claim', expression: 'variables.isTemplate ? dyn(object).spec.spec : dyn(object).spec' },
        ALLOWED_CLASSES,
        { name: 'refusedClasses', expression: `(${claimClasses('variables.claim')}).filter(c, !(c in variables.allowedClasses))` },
        { name: 'devices', expression: DEVICES },
        { name: 'maxDevices', expression: 'params.spec.?limits.?devicesPerClaim.orValue(32)' },
      ],
      validations: [
        {
          expression: 'variables.refusedClasses.size() == 0',
          message: 'This namespace may not use a class that this names.',
          messageExpression: `${WHO} + " names class " + variables.refusedClasses[0] + ", which namespace " + request.namespace + " may not use. "`
            + ` + ${choice('variables.allowedClasses')} + ${ADVICE}`,
          reason: 'Forbidden',
        },
        {
          expression: '!variables.isTemplate || !has(params.spec.templates) || dyn(object).metadata.?name.orValue("") in params.spec.templates',
          message: 'This namespace may have the claim templates of its DeviceAccess only.',
          messageExpression: `${WHO} + " is not among the claim templates of namespace " + request.namespace + ". "`
            + ` + ${choice('params.spec.templates.map(t, string(t))')} + ${ADVICE}`,
          reason: 'Forbidden',
        },
        {
          expression: 'variables.devices <= variables.maxDevices',
          message: 'This asks for more devices than one claim of this namespace may have.',
          messageExpression: `${WHO} + " can take " + string(variables.devices) + " devices; one claim of namespace " + request.namespace + " may have "`
            + ` + string(variables.maxDevices) + ". Allocation mode All counts as 32, of alternatives the largest counts." + ${ADVICE}`,
          reason: 'Forbidden',
        },
      ],
    },
    binding: bindingSpec(ACCESS_POLICY, tenantsOnly(scope), { name: ACCESS_NAME, parameterNotFoundAction: 'Deny' }),
  };
}

/** Devices that a claim can take; requests with admin access take none. All devices of a node are 32, the most that a claim may get. */
const DEVICES = countOf('variables.claim.?devices.?requests.orValue([]).filter(r, has(r.exactly) && !r.exactly.?adminAccess.orValue(false)).map(r, '
  + `${amountOf('r.exactly')})`)
  + ` + ${countOf(`variables.claim.?devices.?requests.orValue([]).filter(r, has(r.firstAvailable)).map(r, r.firstAvailable.map(s, ${amountOf('s')}).max())`)}`;

function amountOf(request: string): string {
  return `(${request}.?allocationMode.orValue("ExactCount") == "All" ? 32 : int(${request}.?count.orValue(1)))`;
}

function countOf(list: string): string {
  return `${list}.sum()`;
}

/**
 * Tells a person at the workload what would else be told at its pods' claims only: the template or implicit resource is not the namespace's.
 *
 * It must not stop a pod without devices, so that without a DeviceAccess it says nothing: then the claims are refused.
 */
export function accessWorkloadsPolicy(scope: PolicyScope): AdmissionPolicy {
  return {
    name: ACCESS_WORKLOADS_POLICY,
    spec: {
      failurePolicy: 'Ignore',
      paramKind: ACCESS_KIND,
      matchConstraints: matchConstraints(tenantsOnly(scope), workloadRules(scope)),
      matchConditions: [ASKS_FOR_DEVICES, newOwnersOnly(scope)],
      variables: [
        ...askedDevices(scope),
        { name: 'refusedTemplates', expression: 'has(params.spec.templates) ? variables.templateNames.filter(n, !(n in params.spec.templates)) : []' },
        {
          name: 'implicitNames',
          expression: `params.spec.?classes.orValue([]).filter(c, c.?implicitResource.orValue(false)).map(c, "${IMPLICIT_PREFIX}" + string(c.name))`,
        },
        { name: 'refusedResources', expression: `variables.resourceNames.filter(n, n.startsWith("${IMPLICIT_PREFIX}") && !(n in variables.implicitNames))` },
      ],
      validations: [
        COUNTABLE,
        {
          expression: 'variables.refusedTemplates.size() == 0',
          message: 'This namespace may use the claim templates of its DeviceAccess only.',
          messageExpression: `${WHO} + " names claim template " + variables.refusedTemplates[0] + ", which is not among those of namespace " + request.namespace + ". "`
            + ` + ${choice('params.spec.templates.map(t, string(t))')} + ${ADVICE}`,
          reason: 'Forbidden',
        },
        {
          expression: 'variables.refusedResources.size() == 0',
          message: 'This namespace may not ask for this class as a resource.',
          messageExpression: `${WHO} + " asks for " + variables.refusedResources[0] + ", and namespace " + request.namespace + " may not ask for that class as a resource. "`
            + ` + ${choice('variables.implicitNames')} + ${ADVICE}`,
          reason: 'Forbidden',
        },
      ],
    },
    binding: bindingSpec(ACCESS_WORKLOADS_POLICY, tenantsOnly(scope), { name: ACCESS_NAME, parameterNotFoundAction: 'Allow' }),
  };
}

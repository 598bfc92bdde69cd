import { INTERRUPTION, TEMPLATE_INTERRUPTIONS } from './asked-devices';
import { refuses } from './door';
import { notSystem, resourceRule } from './matching';
import type { PolicyScope } from './policy-scope';
import type {
  LabelSelector, MatchResources, MutatingAdmissionPolicyBindingSpec, MutatingAdmissionPolicySpec, Variable,
} from '../../../imports/types';
import { API_GROUP, API_VERSION, ROUTING_NAME } from '../api';
import { celString } from '../cel/literal';

/** Label of a workload, or of a namespace for all workloads in it, that lets claims take the place of an old resource; `"false"` on a workload wins. */
export const REWRITE_LABEL = 'cdk8s-dra.dev/rewrite-to-claims';

/** Annotation of a workload that was rewritten: the resources that it asked for, with commas. */
export const REWRITTEN_ANNOTATION = 'cdk8s-dra.dev/rewritten-from';

/** A claim in a pod has this and up to three characters more, and is a DNS label. */
export const MAX_REWRITING_NAME = 60;

/** Containers of a pod that are looked at; CEL of policies has no counter but a list. */
export const MAX_REWRITTEN_CONTAINERS = 32;

/** What is rewritten to what. */
export interface ClaimRewriting {
  /** Extended resource of the device plugin. */
  readonly resource: string;
  /** Class behind the templates, whose door decides. */
  readonly deviceClassName: string;
  /** Claim templates in the workload's namespace, by the units of the resource that a container asks for. */
  readonly templates: ReadonlyArray<{ readonly units: number; readonly template: string }>;
}

/** A mutating policy with the bindings that put it into force. */
export interface MutatingPolicy {
  readonly name: string;
  readonly spec: MutatingAdmissionPolicySpec;
  /** Each matches other objects, so that none is rewritten twice. */
  readonly bindings: ReadonlyArray<{ readonly name: string; readonly spec: MutatingAdmissionPolicyBindingSpec }>;
}

/**
 * Rewrites new workloads that ask for an old resource to claims, where they or their namespace want it and the door of the class lets them in.
 *
 * All or nothing: a pod of which one container asks for a number without a template, or an init container for the resource, stays as it is.
 * Errors are ignored on purpose: what is not rewritten asks in the old way, as it would without the policy.
 */
export function claimRewritingPolicy(name: string, rewriting: ClaimRewriting, scope: PolicyScope = {}): MutatingPolicy {
  const constraints: MatchResources = {
    matchPolicy: 'Equivalent',
    namespaceSelector: notSystem(scope),
    objectSelector: {},
    resourceRules: [
      resourceRule('', ['pods'], ['CREATE'], ['v1']),
      resourceRule('apps', ['deployments', 'statefulsets'], ['CREATE'], ['v1']),
      resourceRule('batch', ['jobs', 'cronjobs'], ['CREATE'], ['v1']),
    ],
  };
  const binding = (namespaceSelector: LabelSelector, objectSelector: LabelSelector): MutatingAdmissionPolicyBindingSpec => ({
    policyName: name,
    paramRef: { name: ROUTING_NAME, parameterNotFoundAction: 'Allow' },
    matchResources: { matchPolicy: 'Equivalent', namespaceSelector, objectSelector },
  });
  const unsaid = { matchExpressions: [{ key: REWRITE_LABEL, operator: 'NotIn', values: ['false', 'true'] }] };
  return {
    name,
    spec: {
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
      paramKind: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceRouting' },
      matchConstraints: constraints,
      matchConditions: [
        { name: 'new-owner', expression: '!dyn(object).metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false))' },
        { name: 'asks-for-resource', expression: asksAtAll(rewriting.resource) },
      ],
      variables: rewritingVariables(name, rewriting),
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches(name, rewriting.resource) } }],
    },
    bindings: [
      { name: `${name}-namespaces`, spec: binding({ ...notSystem(scope), matchLabels: { [REWRITE_LABEL]: 'true' } }, unsaid) },
      { name: `${name}-workloads`, spec: binding(notSystem(scope), { matchLabels: { [REWRITE_LABEL]: 'true' } }) },
    ],
  };
}

/** CEL for one of three, by the kind of the object. */
function ofKind(pod: string, cronJob: string, other: string): string {
  return `request.kind.kind == "Pod" ? ${pod} : request.kind.kind == "CronJob" ? ${cronJob} : ${other}`;
}

const POD_TEMPLATE = ofKind('dyn(object)', 'dyn(object).spec.jobTemplate.spec.template', 'dyn(object).spec.template');

/** At the least possible cost, as it is asked for every pod of the cluster. */
function asksAtAll(resource: string): string {
  return `[${POD_TEMPLATE}].exists(t, t.spec.containers.exists(c, `
    + `${celString(resource)} in c.?resources.?limits.orValue({})))`;
}

/** Variable `isRewritten`, and what it and the patches need. */
function rewritingVariables(policy: string, { resource, deviceClassName, templates }: ClaimRewriting): readonly Variable[] {
  const name = celString(resource);
  const limits = (container: string) => `${container}.?resources.?limits.orValue({})`;
  const byUnits = [...templates].sort((a, b) => a.units - b.units).map(({ units, template }) => `${celString(String(units))}: ${celString(template)}`);
  return [
    { name: 'podTemplates', expression: `[${POD_TEMPLATE}]` },
    { name: 'spec', expression: 'variables.podTemplates[0].spec' },
    { name: 'at', expression: ofKind('"/spec"', '"/spec/jobTemplate/spec/template/spec"', '"/spec/template/spec"') },
    { name: 'templateByUnits', expression: `{${byUnits.join(', ')}}` },
    TEMPLATE_INTERRUPTIONS,
    INTERRUPTION,
    {
      name: 'asking',
      expression: `${JSON.stringify(Array.from({ length: MAX_REWRITTEN_CONTAINERS }, (_, index) => index))}`
        + `.filter(i, i < variables.spec.containers.size() && ${name} in ${limits('variables.spec.containers[i]')})`,
    },
    {
      name: 'isWhole',
      expression: `variables.spec.containers.size() <= ${MAX_REWRITTEN_CONTAINERS}`
        + ` && variables.asking.all(i, string(variables.spec.containers[i].resources.limits[${name}]) in variables.templateByUnits)`
        + ` && !variables.spec.?initContainers.orValue([]).exists(c, ${name} in ${limits('c')})`
        + ` && !variables.spec.?resourceClaims.orValue([]).exists(c, c.name.startsWith(${celString(`${policy}-`)}))`,
    },
    { name: 'isLetIn', expression: `!(${refuses(`params.spec.?classes[?${celString(deviceClassName)}]`)})` },
    { name: 'isRewritten', expression: 'variables.isWhole && variables.isLetIn' },
  ];
}

/** CEL for the list of patches; empty where nothing is rewritten. Claims are named by the policy and the place of the container. */
function patches(policy: string, resource: string): string {
  const key = pointerKey(resource);
  const claimName = `${celString(`${policy}-`)} + string(i)`;
  const entry = `{"name": ${claimName}, "resourceClaimTemplateName": variables.templateByUnits[string(variables.spec.containers[i].resources.limits[${celString(resource)}])]}`;
  const container = 'variables.at + "/containers/" + string(i) + "/resources';
  const patch = (op: string, path: string, value?: string) => `JSONPatch{op: "${op}", path: ${path}${value === undefined ? '' : `, value: ${value}`}}`;
  const annotation = `dyn(object).metadata.annotations[?${celString(REWRITTEN_ANNOTATION)}].optMap(v, v + ${celString(`,${resource}`)}).orValue(${celString(resource)})`;
  return [
    '!variables.isRewritten ? [] :',
    `variables.asking.map(i, has(variables.spec.containers[i].resources.claims) ? ${patch('add', `${container}/claims/-"`, `{"name": ${claimName}}`)}`,
    `  : ${patch('add', `${container}/claims"`, `[{"name": ${claimName}}]`)})`,
    `+ variables.asking.map(i, ${patch('remove', `${container}/limits/${key}"`)})`,
    `+ variables.asking.filter(i, ${celString(resource)} in variables.spec.containers[i].resources.?requests.orValue({}))`,
    `  .map(i, ${patch('remove', `${container}/requests/${key}"`)})`,
    '+ (has(variables.spec.resourceClaims)',
    `  ? variables.asking.map(i, ${patch('add', 'variables.at + "/resourceClaims/-"', entry)})`,
    `  : [${patch('add', 'variables.at + "/resourceClaims"', `variables.asking.map(i, ${entry})`)}])`,
    '+ [has(dyn(object).metadata.annotations)',
    `  ? ${patch('add', `"/metadata/annotations/${pointerKey(REWRITTEN_ANNOTATION)}"`, annotation)}`,
    `  : ${patch('add', '"/metadata/annotations"', `{${celString(REWRITTEN_ANNOTATION)}: ${celString(resource)}}`)}]`,
  ].join('\n');
}

/** As a JSON pointer has it. */
function pointerKey(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1');
}

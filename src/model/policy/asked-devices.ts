import { KIND_VARIABLE, podTemplates } from './pod-templates';
import type { PolicyScope } from './policy-scope';
import type { Validation, Variable } from '../../../imports/types';
import { INTERRUPTION_LABEL } from '../api';

/** Pods and workloads may ask for a class by this and its name. */
export const IMPLICIT_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Names beyond this are refused without being looked at: the cost of looking is bounded, and passing it would let everything in. */
export const MAX_ASKED = 512;

/**
 * Variables that say what a pod or workload asks for that it did not ask for before.
 *
 * `templateNames`: claim templates; `resourceNames`: extended resources, implicit ones included. Both can repeat a name.
 * `hasTooMany`: more than can be looked at; then both are empty.
 */
export function askedDevices(scope: PolicyScope): readonly Variable[] {
  return [
    KIND_VARIABLE,
    { name: 'isUpdate', expression: 'request.operation == "UPDATE"' },
    { name: 'podTemplates', expression: podTemplates(scope, 'object') },
    { name: 'oldPodTemplates', expression: `!variables.isUpdate ? [] : ${podTemplates(scope, 'oldObject')}` },
    { name: 'allTemplateNames', expression: templateNames('podTemplates') },
    { name: 'oldTemplateNames', expression: templateNames('oldPodTemplates') },
    { name: 'allResourceNames', expression: resourceNames('podTemplates') },
    { name: 'oldResourceNames', expression: resourceNames('oldPodTemplates') },
    { name: 'hasTooMany', expression: tooMany('all') },
    { name: 'templateNames', expression: `variables.hasTooMany ? [] : ${notBefore('TemplateNames')}` },
    { name: 'resourceNames', expression: `variables.hasTooMany ? [] : ${notBefore('ResourceNames')}` },
  ];
}

/** Refuses what is too large to be looked at, unless it asked for as much before. */
export const COUNTABLE: Validation = {
  expression: `!variables.hasTooMany || ${tooMany('old')}`,
  message: `This workload names more than ${MAX_ASKED} claim templates or resources in all of its containers; so many are not looked at. `
    + 'Split it into several workloads.',
};

/** The classes that are asked for without naming a template, as `class|how`: by implicit name, or by a claim. */
export const CLASSES_WITHOUT_TEMPLATE: Variable = {
  name: 'classesWithoutTemplate',
  expression: 'variables.kind == "resource.k8s.io/resourceclaims"\n'
    + `? (${claimClasses('dyn(object).spec')}).map(c, c + "|a claim")\n`
    + `: variables.resourceNames.filter(n, n.startsWith("${IMPLICIT_PREFIX}")).map(n, n.substring(${IMPLICIT_PREFIX.length}) + "|resource " + n)`,
};

/** The names of `templateNames` as keys: looking one up costs the same with one as with hundreds. */
const TEMPLATES_BY_NAME: Variable = {
  name: 'templatesByName',
  expression: 'variables.templateNames.transformMapEntry(i, n, variables.templateNames.indexOf(n) == i, {n: true})',
};

/**
 * Variables that say which classes of the parameter's field `templates` are asked for by template, as `class|how`, each with one template.
 *
 * `isMeant`: CEL for whether a class counts, given `c`; it is asked once a line.
 */
export function classesByTemplate(isMeant?: string): readonly Variable[] {
  return [
    TEMPLATES_BY_NAME,
    {
      name: 'classesByTemplate',
      expression: 'variables.templateNames.size() == 0 ? [] : string(params.spec.?templates[?request.namespace].orValue("")).split("\\n").map(l, l.split(": "))'
        + `.filter(l, l.size() == 2${isMeant === undefined ? '' : ` && [l[0]].exists(c, ${isMeant})`})`
        + '.map(l, l[0] + "|template " + l[1].split(" ").filter(n, n in variables.templatesByName)[?0].orValue("")).filter(a, !a.endsWith(" "))',
    },
  ];
}

/** CEL for the classes in the spec of a claim as v1 has it, alternatives included; a name can repeat. */
export function claimClasses(spec: string): string {
  const requests = `${spec}.?devices.?requests.orValue([])`;
  return `${requests}.filter(r, has(r.exactly)).map(r, string(r.exactly.deviceClassName)) + `
    + `${requests}.filter(r, has(r.firstAvailable)).map(r, r.firstAvailable.map(s, string(s.deviceClassName)).join(" ")).join(" ").split(" ").filter(c, c != "")`;
}

/**
 * Variable `interruption`: what an interruption means to the work.
 *
 * The label of the object goes first, then that of its pod templates: what all of them say, or else the most careful of them.
 */
export const INTERRUPTION: Variable = {
  name: 'interruption',
  expression: `dyn(object).metadata.?labels[?"${INTERRUPTION_LABEL}"].orValue(`
    + 'variables.templateInterruptions.size() == 0 ? "costly"\n'
    + ': variables.templateInterruptions.all(i, i == variables.templateInterruptions[0]) ? variables.templateInterruptions[0]\n'
    + ': "forbidden" in variables.templateInterruptions ? "forbidden" : "costly")',
};

/** What `INTERRUPTION` needs. */
export const TEMPLATE_INTERRUPTIONS: Variable = {
  name: 'templateInterruptions',
  expression: `variables.podTemplates.map(t, t.?metadata.?labels[?"${INTERRUPTION_LABEL}"].orValue("costly"))`,
};

/** Names are joined and split, as CEL of 1.34 cannot flatten lists; none of them can hold a space. */
function templateNames(templates: string): string {
  return `variables.${templates}.map(t, t.?spec.?resourceClaims.orValue([])`
    + '.filter(c, has(c.resourceClaimTemplateName)).map(c, c.resourceClaimTemplateName).join(" ")).join(" ").split(" ").filter(n, n != "")';
}

function resourceNames(templates: string): string {
  const keys = (field: string) => `c.?resources.?${field}.orValue({}).filter(k, k.contains("/"))`;
  const containers = '(t.?spec.?containers.orValue([]) + t.?spec.?initContainers.orValue([]))';
  // Limits and requests mostly name the same.
  return `variables.${templates}.map(t, ${containers}.map(c, (${keys('limits')} + ${keys('requests')}.filter(k, !(k in c.?resources.?limits.orValue({})))).join(" "))`
    + '.join(" ")).join(" ").split(" ").filter(n, n != "")';
}

function notBefore(names: string): string {
  return `variables.all${names}.filter(n, !(n in variables.old${names}))`;
}

function tooMany(when: 'all' | 'old'): string {
  return `(variables.${when}TemplateNames.size() > ${MAX_ASKED} || variables.${when}ResourceNames.size() > ${MAX_ASKED})`;
}

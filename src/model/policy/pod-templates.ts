import { resourceRule } from './matching';
import type { PolicyScope } from './policy-scope';
import { USUAL_TEMPLATE, WORKLOAD_KINDS, type WorkloadKind } from './workload-kinds';
import type { NamedRuleWithOperations } from '../../../imports/types';

/** Rules for pods and for every kind of workload; a pod's devices never change, so only new ones are looked at. */
export function workloadRules(scope: PolicyScope): NamedRuleWithOperations[] {
  const kinds = workloadKinds(scope);
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return [
    resourceRule('', ['pods'], ['CREATE']),
    ...groups.map(group => resourceRule(group, kinds.filter(kind => kind.group === group).map(({ resource }) => resource), ['CREATE', 'UPDATE'])),
  ];
}

function workloadKinds({ workloads = [] }: PolicyScope): readonly WorkloadKind[] {
  const key = ({ group, resource }: WorkloadKind) => `${group}/${resource}`;
  return [...WORKLOAD_KINDS, ...workloads].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * CEL for the list of pod templates in `object` or `oldObject`; a pod is its own template, a claim has none.
 *
 * Objects are dyn here, so that the API server does not warn that a kind lacks the fields of another.
 */
export function podTemplates(scope: PolicyScope, root: 'object' | 'oldObject'): string {
  const special = workloadKinds(scope).filter(({ templates, podSpecs = [], resources = [] }) => {
    return podSpecs.length > 0 || [...templates, ...resources].join() !== USUAL_TEMPLATE;
  });
  // Kinds with the same templates share a case; usual ones fall through.
  const cases = new Map<string, string[]>();
  for (const { group, resource, templates, podSpecs = [], resources = [] } of special) {
    const list = [
      ...templates.map(path => templatesAt(root, path)),
      ...(podSpecs.length === 0 ? [] : [templatesAround(root, podSpecs)]),
      ...(resources.length === 0 ? [] : [templateOf(root, resources)]),
    ].join(' + ');
    cases.set(list, [...cases.get(list) ?? [], `"${group}/${resource}"`]);
  }
  const ternary = [...cases].map(([list, kinds]) => `variables.kind in [${kinds.join(', ')}] ? ${list}`).join('\n: ');
  return `variables.kind == "/pods" ? [dyn(${root})]\n: ${ternary}\n: ${templatesAt(root, USUAL_TEMPLATE)}`;
}

/** The kind that `podTemplates` asks for, as `group/resource`. */
export const KIND_VARIABLE = { name: 'kind', expression: 'request.resource.group + "/" + request.resource.resource' };

function templatesAt(root: string, path: string): string {
  const many = /^(.+?)(\[\]|\{\})(?:\.(.+))?$/.exec(path);
  if (many === null) return `[?${optional(`dyn(${root})`, path)}]`;
  const [, before = '', kind, after] = many;
  const values = optional(`dyn(${root})`, before);
  if (after === undefined) return `${values}.orValue([])`;
  if (kind === '[]') return `${values}.orValue([]).map(e, ${optional('e', after)}.orValue({}))`;
  return `${values}.orValue({}).transformList(k, v, ${optional('v', after)}.orValue({}))`;
}

/** Pod templates around the specs that are there. */
function templatesAround(root: string, paths: readonly string[]): string {
  const isOne = (path: string) => !/[[{]/.test(path);
  const ones = paths.filter(isOne).map(path => `?${optional(`dyn(${root})`, path)}`);
  return [...(ones.length === 0 ? [] : [`[${ones.join(', ')}]`]), ...paths.filter(path => !isOne(path)).map(path => templatesAt(root, path))]
    .map(specs => `${specs}.map(s, {"spec": s})`).join(' + ');
}

/** A pod template with nothing but these resources, each of a container. */
function templateOf(root: string, paths: readonly string[]): string {
  return `[{"spec": {"containers": [${paths.map(path => `{"resources": ${optional(`dyn(${root})`, path)}.orValue({})}`).join(', ')}]}}]`;
}

function optional(start: string, path: string): string {
  return `${start}${path.split('.').map(field => `.?${field}`).join('')}`;
}

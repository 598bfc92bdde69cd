import type { Place } from './place';
import type { LabelCondition } from '../label-selector';
import type { NodeReach } from '../ownership';

/** Stands for the name of a node, which affinities can test; no label can have this key. */
const NODE_NAME = '/metadata.name';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

/** Which nodes a pod may run on by its node name, node selector and required node affinity; a term that cannot be read holds nowhere. */
export function podReach(pod: Place): NodeReach {
  const selector = pod.at('nodeSelector').entries().map(([key, { value }]): LabelCondition => ({ key, operator: 'In', values: [String(value)] }));
  const name = pod.at('nodeName').text;
  const always = [...selector, ...(name === undefined || name === '' ? [] : [{ key: NODE_NAME, operator: 'In' as const, values: [name] }])];
  const required = pod.at('affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (!required.isSet) return [always];
  return required.at('nodeSelectorTerms').items().flatMap(term => {
    const conditions = [...term.at('matchExpressions').items().map(one => condition(one)), ...term.at('matchFields').items().map(one => condition(one, NODE_NAME))];
    // An empty term takes no node.
    return conditions.length === 0 || conditions.includes(undefined) ? [] : [[...always, ...conditions.flatMap(one => one ?? [])]];
  });
}

function condition(place: Place, field?: string): LabelCondition | undefined {
  const key = field ?? place.at('key').text;
  const operator = OPERATORS.find(one => one === place.at('operator').text);
  if (key === undefined || operator === undefined) return undefined;
  return { key, operator, values: place.at('values').items().map(({ value }) => String(value)) };
}

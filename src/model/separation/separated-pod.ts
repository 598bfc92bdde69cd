import { type DaemonSide, handoverToleration, ownerRequirement } from './daemon-side';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Toleration } from '../../../imports/types';

/** The spec of a daemon's pods with the owner of the node as a further condition; what is there stays, and doing it twice changes nothing. */
export function separatedPod(spec: PodSpec, side: DaemonSide, family: string): PodSpec {
  const required = ownerRequirement(side, family);
  const selection = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = selection?.nodeSelectorTerms ?? [];
  return {
    ...spec,
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        // Terms are alternatives, so that each of them needs the condition.
        requiredDuringSchedulingIgnoredDuringExecution: {
          ...selection,
          nodeSelectorTerms: terms.length === 0 ? [{ matchExpressions: [required] }] : terms.map(term => withRequirement(term, required)),
        },
      },
    },
    tolerations: withHandover(spec.tolerations ?? [], family),
  };
}

/** Tolerations with that of a node in hand-over. */
export function withHandover(tolerations: readonly Toleration[], family: string): Toleration[] {
  const own = handoverToleration(family);
  const has = tolerations.some(({ key, operator, effect }) => operator === 'Exists' && effect === undefined && (key === undefined || key === own.key));
  return has ? [...tolerations] : [...tolerations, own];
}

function withRequirement(term: NodeSelectorTerm, required: NodeSelectorRequirement): NodeSelectorTerm {
  const expressions = term.matchExpressions ?? [];
  const isThere = expressions.some(({ key, operator, values }) => (
    key === required.key && operator === required.operator && String([...values ?? []].sort()) === String([...required.values ?? []].sort())));
  // An empty term selects no node, and must go on selecting none.
  const isEmpty = expressions.length === 0 && (term.matchFields ?? []).length === 0;
  return isThere || isEmpty ? term : { ...term, matchExpressions: [...expressions, required] };
}

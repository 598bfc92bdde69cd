import type { NamedObject } from './explanation';
import { listed } from './wording';
import type { ClusterView } from '../view/cluster-view';
import { field, textsAt } from '../view/json-field';
import { consumersOf, ownerPodOf } from '../view/pod-claims';
import { referenceOf } from '../view/view-object';
import type { ViewObject } from '../view/view-object';

/** A claim in use, with its consumers and whether they are about to go: `claim ml/c (pod q)`. */
export function holderText(claim: ViewObject, view: ClusterView): string {
  const consumers = consumersOf(claim).map(({ resource, name, uid }) => {
    if (resource !== 'pods') return `${resource} ${name}`;
    const state = stateOf(view, claim.namespace, name, uid);
    return `pod ${name}${state === 'gone' ? ', which is gone' : state === 'deleting' ? ', which is being deleted' : ''}`;
  });
  const going = isDeleting(claim) ? 'being deleted, ' : '';
  return `claim ${referenceOf(claim)} (${going}${consumers.length === 0 ? 'used by nobody' : listed(consumers, 'and', 3)})`;
}

/** What has to happen so that the devices of a claim come back, as an imperative. */
export function endingText(claim: ViewObject, view: ClusterView): string {
  const consumers = consumersOf(claim);
  if (consumers.length > 0 && consumers.every(({ resource, name, uid }) => resource === 'pods' && stateOf(view, claim.namespace, name, uid) === 'gone')) {
    return `see that the claim controller releases claim ${referenceOf(claim)}, whose pods are gone`;
  }
  // Nobody releases an allocation without a consumer; only deleting the claim does.
  if (consumers.length === 0) return `delete claim ${referenceOf(claim)}`;
  const names = consumers.map(({ resource, name }) => `${resource === 'pods' ? 'pod' : resource} ${claim.namespace}/${name}`);
  return `end ${listed(names, 'and', 3)}${isReleased(claim) ? '' : ` and delete claim ${referenceOf(claim)}`}`;
}

/** Whether the devices come back when nobody uses the claim: the claim controller takes back only what has the mark of the scheduler. */
export function isReleased(claim: ViewObject): boolean {
  return ownerPodOf(claim) !== undefined || textsAt(claim.value, 'metadata', 'finalizers').includes('resource.kubernetes.io/delete-protection');
}

/** Whether a consumer is there; a pod of the same name that came later is another. */
function stateOf(view: ClusterView, namespace: string, name: string, uid: string): 'there' | 'deleting' | 'gone' {
  const pod = view.find('Pod', namespace, name);
  // Of a namespace that was not looked at nothing is known.
  const isLookedAt = view.collection?.kinds.includes('Pod') === true || view.inNamespace('Pod', namespace).length > 0;
  if (pod === undefined ? isLookedAt : uid !== '' && pod.uid !== '' && pod.uid !== uid) return 'gone';
  return pod !== undefined && isDeleting(pod) ? 'deleting' : 'there';
}

function isDeleting({ value }: ViewObject): boolean {
  return field(value, 'metadata', 'deletionTimestamp') !== undefined;
}

/** As {@link endingText}, for a claim that must be gone and not only free. */
export function removalText(claim: ViewObject, view: ClusterView): string {
  const owner = ownerPodOf(claim);
  if (owner !== undefined) return `end pod ${claim.namespace}/${owner}`;
  const consumers = consumersOf(claim);
  return consumers.length === 0 ? `delete claim ${referenceOf(claim)}` : `${endingText(claim, view)} and delete claim ${referenceOf(claim)}`;
}

export function holderObject(claim: ViewObject): NamedObject {
  return named(claim, 'holder');
}

export function named({ kind, namespace, name }: ViewObject, role: NamedObject['role']): NamedObject {
  return { kind, ...(namespace === '' ? {} : { namespace }), name, role };
}

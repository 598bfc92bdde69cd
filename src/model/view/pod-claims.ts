import type { ClusterView } from './cluster-view';
import { field, objectsAt, textAt } from './json-field';
import type { ViewObject } from './view-object';

/**
 * How far a claim of a pod is: `ready` to be allocated or allocated, `template-missing`, `not-created` from its template,
 * `missing`, `deleting`, `not-owned` (it belongs to another pod), `not-needed` as its controller has found.
 */
export type PodClaimState = 'ready' | 'template-missing' | 'not-created' | 'missing' | 'deleting' | 'not-owned' | 'not-needed';

/** One entry of `spec.resourceClaims`, followed to its claim. */
export interface PodClaim {
  /** As containers name it. */
  readonly name: string;
  readonly state: PodClaimState;
  /** '' when the pod names the claim itself. */
  readonly templateName: string;
  readonly template?: ViewObject;
  /** '' until it is known. */
  readonly claimName: string;
  readonly claim?: ViewObject;
}

/** The claims of a pod, in the pod's order. */
export function podClaims(view: ClusterView, pod: ViewObject): readonly PodClaim[] {
  return objectsAt(pod.value, 'spec', 'resourceClaims').map(entry => podClaim(view, pod, textAt(entry, 'name'), entry));
}

function podClaim(view: ClusterView, pod: ViewObject, name: string, entry: unknown): PodClaim {
  const named = textAt(entry, 'resourceClaimName');
  if (named !== '') return followed(view, pod, { name, templateName: '', claimName: named });
  const templateName = textAt(entry, 'resourceClaimTemplateName');
  const template = view.find('ResourceClaimTemplate', pod.namespace, templateName);
  const status = objectsAt(pod.value, 'status', 'resourceClaimStatuses').find(one => textAt(one, 'name') === name);
  const claimName = textAt(status, 'resourceClaimName');
  const known = { name, templateName, claimName, ...(template ? { template } : {}) };
  if (claimName !== '') return followed(view, pod, known);
  if (status !== undefined) return { ...known, state: 'not-needed' };
  return { ...known, state: template === undefined && view.isKnown('ResourceClaimTemplate') ? 'template-missing' : 'not-created' };
}

function followed(view: ClusterView, pod: ViewObject, entry: Omit<PodClaim, 'state'>): PodClaim {
  const claim = view.find('ResourceClaim', pod.namespace, entry.claimName);
  if (claim === undefined) return { ...entry, state: 'missing' };
  const known = { ...entry, claim };
  if (entry.templateName !== '' && !isOwner(pod, claim)) return { ...known, state: 'not-owned' };
  return { ...known, state: field(claim.value, 'metadata', 'deletionTimestamp') === undefined ? 'ready' : 'deleting' };
}

/** Whether a claim was made for this very pod, or for the group that it belongs to. */
function isOwner(pod: ViewObject, claim: ViewObject): boolean {
  const group = textAt(pod.value, 'spec', 'schedulingGroup', 'podGroupName');
  return objectsAt(claim.value, 'metadata', 'ownerReferences').some(owner => {
    if (group !== '' && textAt(owner, 'kind') === 'PodGroup') return textAt(owner, 'name') === group;
    return owner.controller === true && textAt(owner, 'kind') === 'Pod' && (pod.uid === '' ? textAt(owner, 'name') === pod.name : textAt(owner, 'uid') === pod.uid);
  });
}

/** Whether devices are allocated to a claim. */
export function isAllocated(claim: ViewObject): boolean {
  return field(claim.value, 'status', 'allocation') !== undefined;
}

/** Who uses a claim: `status.reservedFor`, as names in the claim's namespace, sorted. */
export function consumersOf(claim: ViewObject): readonly { readonly resource: string; readonly name: string; readonly uid: string }[] {
  return objectsAt(claim.value, 'status', 'reservedFor')
    .map(one => ({ resource: textAt(one, 'resource'), name: textAt(one, 'name'), uid: textAt(one, 'uid') }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether a claim is reserved for a pod. */
export function isConsumer(pod: ViewObject, claim: ViewObject): boolean {
  return consumersOf(claim).some(({ resource, name, uid }) => resource === 'pods' && (pod.uid === '' || uid === '' ? name === pod.name : uid === pod.uid));
}

/** The pod that a claim was made for; undefined for a claim that somebody wrote. */
export function ownerPodOf(claim: ViewObject): string | undefined {
  const owner = objectsAt(claim.value, 'metadata', 'ownerReferences').find(one => textAt(one, 'kind') === 'Pod');
  return owner && textAt(owner, 'name');
}

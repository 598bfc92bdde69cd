import type { NamedObject } from './explanation';
import { listed } from './wording';
import { textsAt } from '../view/json-field';
import { consumersOf, ownerPodOf } from '../view/pod-claims';
import { referenceOf } from '../view/view-object';
import type { ViewObject } from '../view/view-object';

/** A claim in use, with its consumers: `claim ml/c (pod q)`. */
export function holderText(claim: ViewObject): string {
  const consumers = consumersOf(claim).map(({ resource, name }) => (resource === 'pods' ? `pod ${name}` : `${resource} ${name}`));
  return `claim ${referenceOf(claim)} (${consumers.length === 0 ? 'used by nobody' : listed(consumers, 'and', 3)})`;
}

/** What has to happen so that the devices of a claim come back, as an imperative. */
export function endingText(claim: ViewObject): string {
  const consumers = consumersOf(claim);
  // Nobody releases an allocation without a consumer; only deleting the claim does.
  if (consumers.length === 0) return `delete claim ${referenceOf(claim)}`;
  const names = consumers.map(({ resource, name }) => `${resource === 'pods' ? 'pod' : resource} ${claim.namespace}/${name}`);
  return `end ${listed(names, 'and', 3)}${isReleased(claim) ? '' : ` and delete claim ${referenceOf(claim)}`}`;
}

/** Whether the devices come back when nobody uses the claim: the claim controller takes back only what has the mark of the scheduler. */
function isReleased(claim: ViewObject): boolean {
  return ownerPodOf(claim) !== undefined || textsAt(claim.value, 'metadata', 'finalizers').includes('resource.kubernetes.io/delete-protection');
}

/** As {@link endingText}, for a claim that must be gone and not only free. */
export function removalText(claim: ViewObject): string {
  const owner = ownerPodOf(claim);
  if (owner !== undefined) return `end pod ${claim.namespace}/${owner}`;
  const consumers = consumersOf(claim);
  return consumers.length === 0 ? `delete claim ${referenceOf(claim)}` : `${endingText(claim)} and delete claim ${referenceOf(claim)}`;
}

export function holderObject(claim: ViewObject): NamedObject {
  return named(claim, 'holder');
}

export function named({ kind, namespace, name }: ViewObject, role: NamedObject['role']): NamedObject {
  return { kind, ...(namespace === '' ? {} : { namespace }), name, role };
}

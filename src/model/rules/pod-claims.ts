import { claimSpecOf } from './claim-spec';
import type { ClaimSpec } from './claim-spec';
import { Place } from './place';
import type { ManifestObject, ManifestSet, PodSite } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';

/** An entry of `spec.resourceClaims` of a pod or pod template. */
export interface PodClaim {
  readonly site: PodSite;
  readonly place: Place;
  readonly name: string | undefined;
  readonly claimName: string | undefined;
  readonly templateName: string | undefined;
}

/** A container, with its list of claims. */
export interface PodContainer {
  readonly place: Place;
  /** What to call it: its name, else its place in the list. */
  readonly label: string;
}

export function podPlace(site: PodSite): Place {
  return Place.root(site.object).at(...site.path);
}

export function podClaimsOf(site: PodSite): PodClaim[] {
  return podPlace(site).at('resourceClaims').items().map((place) => ({
    site,
    place,
    name: place.at('name').text,
    claimName: place.at('resourceClaimName').text,
    templateName: place.at('resourceClaimTemplateName').text,
  }));
}

export function containersOf(site: PodSite): PodContainer[] {
  return ['initContainers', 'containers'].flatMap((list) => podPlace(site).at(list).items()).map((place) => {
    return { place, label: place.at('name').text ?? `number ${place.field}` };
  });
}

/** An object that a pod names in its own namespace, or the one of that name elsewhere. */
export interface Lookup {
  readonly found?: ManifestObject;
  readonly elsewhere?: ManifestObject;
}

/** Finds a namespaced object; an object without a namespace may be applied to any, so it matches each. */
export function lookUp(manifests: ManifestSet, group: string, kind: string, namespace: string, name: string): Lookup {
  const found = manifests.find(group, kind, namespace, name) ?? manifests.find(group, kind, '', name);
  if (found !== undefined) return { found };
  const others = manifests.named(group, kind, name);
  if (others.length === 0) return {};
  return namespace === '' ? { found: others[0] } : { elsewhere: others[0] };
}

/** The spec behind a pod's claim entry, when the input holds the claim or the template. */
export function specBehind(manifests: ManifestSet, claim: PodClaim): ClaimSpec | undefined {
  const { namespace } = claim.site.object;
  const kind = claim.claimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
  const name = claim.claimName ?? claim.templateName;
  if (name === undefined) return undefined;
  const { found } = lookUp(manifests, RESOURCE_GROUP, kind, namespace, name);
  return found === undefined ? undefined : claimSpecOf(manifests, found);
}

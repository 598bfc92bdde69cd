import { Place } from './place';
import type { ManifestObject, ManifestSet } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';


/** One way to satisfy a request: `exactly`, an entry of `firstAvailable`, or in v1beta1 and v1alpha3 the request itself. */
export interface DeviceNeed {
  /** Holds `deviceClassName`, `selectors`, `count` and the like. */
  readonly place: Place;
  /** As constraints and config may name it: `request` or `request/subrequest`. */
  readonly reference: string;
  readonly isSubRequest: boolean;
}

/** A request of a claim, read the same way in every API version. */
export interface ClaimRequest {
  readonly place: Place;
  /** '' when missing or no string. */
  readonly name: string;
  readonly needs: readonly DeviceNeed[];
  readonly prioritized: boolean;
}

/** The spec of a ResourceClaim, or the one inside a ResourceClaimTemplate. */
export interface ClaimSpec {
  readonly object: ManifestObject;
  readonly place: Place;
  readonly requests: readonly ClaimRequest[];
}

const cache = new WeakMap<ManifestSet, Map<ManifestObject, ClaimSpec>>();

/** Every claim spec of the input. */
export function claimSpecsOf(manifests: ManifestSet): Iterable<ClaimSpec> {
  return specsByObject(manifests).values();
}

/** The claim spec of a ResourceClaim or ResourceClaimTemplate that the input holds. */
export function claimSpecOf(manifests: ManifestSet, object: ManifestObject): ClaimSpec | undefined {
  return specsByObject(manifests).get(object);
}

function specsByObject(manifests: ManifestSet): Map<ManifestObject, ClaimSpec> {
  let specs = cache.get(manifests);
  if (specs === undefined) {
    specs = new Map();
    for (const object of manifests.ofKind(RESOURCE_GROUP, 'ResourceClaim')) specs.set(object, claimSpec(object, ['spec']));
    for (const object of manifests.ofKind(RESOURCE_GROUP, 'ResourceClaimTemplate')) specs.set(object, claimSpec(object, ['spec', 'spec']));
    cache.set(manifests, specs);
  }
  return specs;
}

function claimSpec(object: ManifestObject, path: readonly string[]): ClaimSpec {
  const place = Place.root(object).at(...path);
  const requests = place.at('devices', 'requests').items().map((request): ClaimRequest => {
    const name = request.at('name').text ?? '';
    const alternatives = request.at('firstAvailable').items();
    if (alternatives.length > 0) {
      const needs = alternatives.map((alternative): DeviceNeed => {
        return { place: alternative, reference: `${name}/${alternative.at('name').text ?? ''}`, isSubRequest: true };
      });
      return { place: request, name, needs, prioritized: true };
    }
    const exactly = object.version === 'v1beta1' || object.version === 'v1alpha3' ? request : request.at('exactly');
    const needs = exactly.fields === undefined ? [] : [{ place: exactly, reference: name, isSubRequest: false }];
    return { place: request, name, needs, prioritized: false };
  });
  return { object, place, requests };
}

/** Whether constraints, config and containers can mean this request, alone or with a subrequest. */
export function hasRequest(spec: ClaimSpec, reference: string): boolean {
  return referencesOf(spec).includes(reference);
}

/** All references that constraints and config may use. */
export function referencesOf(spec: ClaimSpec): string[] {
  return spec.requests.flatMap((request) => {
    return request.prioritized ? [request.name, ...request.needs.map((need) => need.reference)] : [request.name];
  });
}

import type { Minor } from './versions';

/*
 * Sources, read at v1.34.4, v1.35.4, v1.36.3 and v1.37.2:
 *   served   pkg/registry/resource/rest/storage_resource.go
 *   default  pkg/controlplane/instance.go (stable group versions on, beta and alpha ones off)
 */

/** The API group of Dynamic Resource Allocation. */
export const RESOURCE_GROUP = 'resource.k8s.io';

/** A kind of the group `resource.k8s.io`. */
export type ResourceKind =
  | 'DeviceClass'
  | 'DeviceTaintRule'
  | 'ResourceClaim'
  | 'ResourceClaimTemplate'
  | 'ResourcePoolStatusRequest'
  | 'ResourceSlice';

export type ResourceVersion = 'v1' | 'v1beta2' | 'v1beta1' | 'v1alpha3';

/** The versions of a kind in one minor. */
export interface ServedVersions {
  /** Versions that an API server can serve, most stable first. */
  readonly served: readonly ResourceVersion[];
  /** Versions that it serves without `--runtime-config`. */
  readonly onByDefault: readonly ResourceVersion[];
  /** The version to write, undefined when the minor does not have the kind. */
  readonly preferred: ResourceVersion | undefined;
}

const ALL_MINORS: Readonly<Record<Minor, readonly ResourceVersion[]>> = {
  1.34: ['v1', 'v1beta2', 'v1beta1'],
  1.35: ['v1', 'v1beta2', 'v1beta1'],
  1.36: ['v1', 'v1beta2', 'v1beta1'],
  1.37: ['v1', 'v1beta2', 'v1beta1'],
};

const SERVED: Readonly<Record<ResourceKind, Readonly<Record<Minor, readonly ResourceVersion[]>>>> = {
  DeviceClass: ALL_MINORS,
  DeviceTaintRule: {
    1.34: ['v1alpha3'],
    1.35: ['v1alpha3'],
    1.36: ['v1beta2', 'v1alpha3'],
    1.37: ['v1', 'v1beta2', 'v1alpha3'],
  },
  ResourceClaim: ALL_MINORS,
  ResourceClaimTemplate: ALL_MINORS,
  ResourcePoolStatusRequest: {
    1.34: [],
    1.35: [],
    1.36: ['v1alpha3'],
    1.37: ['v1alpha3'],
  },
  ResourceSlice: ALL_MINORS,
};

/** Every kind of the group, sorted. */
export const RESOURCE_KINDS: readonly ResourceKind[] = (Object.keys(SERVED) as ResourceKind[]).sort();

/** Whether a text is a kind of the group. */
export function isResourceKind(text: string): text is ResourceKind {
  return Object.hasOwn(SERVED, text);
}

/** Which versions of a kind a minor serves. */
export function servedVersions(kind: ResourceKind, minor: Minor): ServedVersions {
  const served = SERVED[kind][minor];
  return { served, onByDefault: served.filter(version => version === 'v1'), preferred: served[0] };
}

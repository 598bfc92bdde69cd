import type { ObjectName } from './object.js';

/** A kind of object, as paths and RBAC rules name it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** `v1` or `group/version`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `resourceclaims.resource.k8s.io`, as kubectl names it. */
export function resourceName({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Path of a collection; without a namespace, all namespaces. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${resource.plural}`;
}

/** Path of one object or of one of its subresources. */
export function objectPath(resource: Resource, { name, namespace }: ObjectName, subresource?: string): string {
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function known(group: string, version: string, kind: string, plural: string, namespaced: boolean): Resource {
  return { group, version, plural, kind, namespaced };
}

const DRA = 'resource.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';

export const CLUSTER_ROLES = known(RBAC, 'v1', 'ClusterRole', 'clusterroles', false);
export const CLUSTER_ROLE_BINDINGS = known(RBAC, 'v1', 'ClusterRoleBinding', 'clusterrolebindings', false);
export const DEVICE_CLASSES = known(DRA, 'v1', 'DeviceClass', 'deviceclasses', false);
/** Events with a series instead of a count; the same objects. */
export const EVENT_SERIES = known('events.k8s.io', 'v1', 'Event', 'events', true);
export const EVENTS = known('', 'v1', 'Event', 'events', true);
export const NAMESPACES = known('', 'v1', 'Namespace', 'namespaces', false);
export const NODES = known('', 'v1', 'Node', 'nodes', false);
export const PODS = known('', 'v1', 'Pod', 'pods', true);
export const POOL_STATUS_REQUESTS = known(DRA, 'v1alpha3', 'ResourcePoolStatusRequest', 'resourcepoolstatusrequests', false);
export const RESOURCE_CLAIMS = known(DRA, 'v1', 'ResourceClaim', 'resourceclaims', true);
export const RESOURCE_CLAIM_TEMPLATES = known(DRA, 'v1', 'ResourceClaimTemplate', 'resourceclaimtemplates', true);
export const RESOURCE_QUOTAS = known('', 'v1', 'ResourceQuota', 'resourcequotas', true);
export const RESOURCE_SLICES = known(DRA, 'v1', 'ResourceSlice', 'resourceslices', false);
export const ROLES = known(RBAC, 'v1', 'Role', 'roles', true);
export const ROLE_BINDINGS = known(RBAC, 'v1', 'RoleBinding', 'rolebindings', true);
export const SELF_SUBJECT_ACCESS_REVIEWS = known('authorization.k8s.io', 'v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', false);
export const SERVICE_ACCOUNTS = known('', 'v1', 'ServiceAccount', 'serviceaccounts', true);
/** By minor in another version, newest first. */
export const TAINT_RULES: readonly Resource[] = ['v1', 'v1beta2', 'v1alpha3'].map((version) =>
  known(DRA, version, 'DeviceTaintRule', 'devicetaintrules', false));
export const VALIDATING_ADMISSION_POLICIES = known(ADMISSION, 'v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', false);
export const VALIDATING_ADMISSION_POLICY_BINDINGS =
  known(ADMISSION, 'v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', false);

import { field, objectAt, textAt } from './json-field';
import type { JsonObject } from '../manifests/manifest-set';

/** The kinds that a view holds, with their groups; everything else is ignored. */
export const VIEW_KINDS = {
  DeviceAccess: 'cdk8s-dra.dev',
  DeviceClass: 'resource.k8s.io',
  DeviceHold: 'cdk8s-dra.dev',
  DeviceMigration: 'cdk8s-dra.dev',
  DeviceNodeReport: 'cdk8s-dra.dev',
  DeviceRouting: 'cdk8s-dra.dev',
  DeviceTaintRule: 'resource.k8s.io',
  DeviceTenant: 'cdk8s-dra.dev',
  Event: '',
  Namespace: '',
  Node: '',
  Pod: '',
  ResourceClaim: 'resource.k8s.io',
  ResourceClaimTemplate: 'resource.k8s.io',
  ResourceQuota: '',
  ResourceSlice: 'resource.k8s.io',
  ValidatingAdmissionPolicy: 'admissionregistration.k8s.io',
  ValidatingAdmissionPolicyBinding: 'admissionregistration.k8s.io',
} as const;

export type ViewKind = keyof typeof VIEW_KINDS;

/** An object with its identity read out. */
export interface ViewObject {
  readonly kind: ViewKind;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** '' when unknown. */
  readonly uid: string;
  readonly value: JsonObject;
}

/** `namespace/name`, or the name alone. */
export function referenceOf({ namespace, name }: Pick<ViewObject, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The object as a view keeps it; undefined for other kinds and for what has no name. */
export function viewObject(value: JsonObject): ViewObject | undefined {
  const kind = textAt(value, 'kind');
  const apiVersion = textAt(value, 'apiVersion');
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  if (!isViewKind(kind)) return undefined;
  // Events have a second, newer group.
  if (group !== VIEW_KINDS[kind] && !(kind === 'Event' && group === 'events.k8s.io')) return undefined;
  const metadata = objectAt(value, 'metadata');
  const name = textAt(metadata, 'name');
  if (name === '') return undefined;
  const namespace = NAMESPACED.has(kind) ? textAt(metadata, 'namespace') || 'default' : '';
  return { kind, namespace, name, uid: textAt(metadata, 'uid'), value };
}

/** Whether an object has a version whose shape is not that of v1. */
export function hasOldShape(value: JsonObject): boolean {
  if (field(value, 'apiVersion') === 'resource.k8s.io/v1') return false;
  return /^resource\.k8s\.io\/v1(alpha\d+|beta1)$/.test(textAt(value, 'apiVersion')) && textAt(value, 'kind') !== 'DeviceTaintRule';
}

function isViewKind(kind: string): kind is ViewKind {
  return Object.hasOwn(VIEW_KINDS, kind);
}

const NAMESPACED: ReadonlySet<ViewKind> = new Set<ViewKind>(['DeviceAccess', 'Event', 'Pod', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceQuota']);

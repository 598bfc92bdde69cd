import type { KubeObject } from '../../../src/kube/object.js';
import type { FakeApiServer } from '../../kube/fake-api-server.js';

/** A small platform for tests of the migration's commands: pools of GPUs, their classes, nodes and slices. */
export const DRIVER = 'gpu.nvidia.com';

const OURS = 'cdk8s-dra.dev/v1alpha1';

export function migration(name: string, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  return {
    apiVersion: OURS,
    kind: 'DeviceMigration',
    metadata: { name },
    spec: {
      family: 'gpu',
      driver: DRIVER,
      nodes: { matchLabels: { pool: name } },
      deviceClassNames: [`${name}-gpu`],
      legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'NVIDIA/k8s-device-plugin' },
      canary: { nodes: 1, namespaces: ['sandbox'] },
      phase: 'Canary',
      ...spec,
    },
  };
}

export function deviceClass(name: string, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name, uid: `uid-${name}` }, spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }], ...spec } };
}

export function template(namespace: string, name: string, deviceClassName: string, count = 1): KubeObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { namespace, name },
    spec: { spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName, allocationMode: 'ExactCount', count } }] } } },
  };
}

export interface NodeShape {
  /** Units of nvidia.com/gpu. */
  readonly allocatable?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function node(name: string, pool: string, owner?: string, more: NodeShape = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { pool, ...owner === undefined ? {} : { 'cdk8s-dra.dev/gpu-owner': owner } }, annotations: more.annotations ?? {} },
    status: { allocatable: { cpu: '64', ...more.allocatable === undefined ? {} : { 'nvidia.com/gpu': String(more.allocatable) } }, nodeInfo: { kubeletVersion: 'v1.36.3' } },
  };
}

export function slice(nodeName: string, devices = 8): KubeObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${nodeName}-slice` },
    spec: {
      driver: DRIVER,
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
      devices: Array.from({ length: devices }, (_, index) => ({ name: `gpu-${index}` })),
    },
  };
}

export interface PodShape {
  readonly owner?: { readonly kind: string; readonly name: string };
  readonly on?: string;
  /** Devices of a claim of its own; by template when waiting. */
  readonly devices?: number;
  readonly deviceClass?: string;
  /** Units of nvidia.com/gpu. */
  readonly units?: number;
  readonly first?: number;
}

/** A pod with its claim, if it has one. */
export function pod(
  namespace: string, name: string, { owner, on, devices, deviceClass: className = 'a100-gpu', units, first = 0 }: PodShape,
): readonly KubeObject[] {
  const claimName = `${name}-gpus`;
  const made: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace, name, uid: `uid-${name}`, ...owner === undefined ? {} : { ownerReferences: [{ apiVersion: 'batch/v1', ...owner, uid: `uid-${owner.name}`, controller: true }] },
    },
    spec: {
      ...on === undefined ? {} : { nodeName: on },
      ...devices === undefined ? {} : { resourceClaims: [{ name: 'gpus', resourceClaimTemplateName: 'trainer' }] },
      containers: [{ name: 'main', resources: units === undefined ? {} : { requests: { 'nvidia.com/gpu': String(units) }, limits: { 'nvidia.com/gpu': String(units) } } }],
    },
    status: { phase: on === undefined ? 'Pending' : 'Running', ...devices === undefined ? {} : { resourceClaimStatuses: [{ name: 'gpus', resourceClaimName: claimName }] } },
  };
  if (devices === undefined) return [made];
  const results = Array.from({ length: devices }, (_, index) => ({ request: 'gpus', driver: DRIVER, pool: on, device: `gpu-${first + index}` }));
  return [made, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { namespace, name: claimName, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid: `uid-${name}`, controller: true }] },
    spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: className, allocationMode: 'ExactCount', count: devices } }] } },
    status: on === undefined ? {} : { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name, uid: `uid-${name}` }] },
  }];
}

type Fields = Readonly<Record<string, unknown>>;

export function hold(name: string, pool: string, spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return {
    apiVersion: OURS, kind: 'DeviceHold', metadata: { name, ...metadata }, spec: { migration: pool, level: 'Door', classes: [`${pool}-gpu`], reason: 'xid 79 on gpu-2', by: 'bob', ...spec },
  };
}

export function putAll(server: FakeApiServer, objects: readonly KubeObject[]): void {
  for (const object of objects) server.put(pathOf(object), object);
}

export function listOf(objects: readonly KubeObject[], collected?: string): string {
  const annotations = collected === undefined ? {} : { 'cdk8s-dra.dev/server-version': collected, 'cdk8s-dra.dev/feature-gates': '', 'cdk8s-dra.dev/collected-kinds': ALL_KINDS };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { annotations }, items: objects });
}

const ALL_KINDS = 'DeviceClass,DeviceHold,DeviceMigration,DeviceNodeReport,DeviceRouting,DeviceTenant,Event,Namespace,Node,Pod,ResourceClaim,ResourceClaimTemplate,ResourceQuota,ResourceSlice';

export function pathOf({ apiVersion = 'v1', kind = '', metadata }: KubeObject): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const lower = kind.toLowerCase();
  const plural = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : lower.endsWith('ss') ? `${lower}es` : `${lower}s`;
  return `${root}${metadata?.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`}/${plural}/${metadata?.name ?? ''}`;
}

import type { KubeObject } from '../kube/object.js';

/** No node can have a name under this domain, RFC 2606 keeps it from all: what is bound to it is offered to nobody. */
export const ABSENT_NODE = 'conformance.invalid';
/** Names a driver that does not exist. */
export const DRIVER = 'conformance.cdk8s-dra.dev';
export const POOL = 'conformance';

export interface Fields {
  readonly [field: string]: unknown;
}

export function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** `{ name0: value, name1: value … }`. */
export function keyed<T>(count: number, prefix: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(times(count, (index) => [`${prefix}${index}`, value]));
}

export function cel(expression: string): Fields {
  return { cel: { expression } };
}

export function opaque(parameters: unknown): Fields {
  return { opaque: { driver: DRIVER, parameters } };
}

export function exactly(name: string, fields: Fields = {}): Fields {
  return { name, exactly: { deviceClassName: DRIVER, ...fields } };
}

export function alternatives(name: string, ...requests: readonly Fields[]): Fields {
  return { name, firstAvailable: requests };
}

export function alternative(name: string, fields: Fields = {}): Fields {
  return { name, deviceClassName: DRIVER, ...fields };
}

/** A claim for one device of a class that no device is in. */
export function claim(devices: Fields = {}): KubeObject {
  return { spec: { devices: { requests: [exactly('device')], ...devices } } };
}

export function claimTemplate(devices: Fields = {}, metadata?: Fields): KubeObject {
  return { spec: { ...(metadata === undefined ? {} : { metadata }), spec: claim(devices).spec } };
}

export function deviceClass(spec: Fields = {}): KubeObject {
  return { spec: { selectors: [cel(`device.driver == "${DRIVER}"`)], ...spec } };
}

export function slice(fields: Fields = {}): KubeObject {
  return { spec: { driver: DRIVER, pool: { name: POOL, generation: 1, resourceSliceCount: 1 }, nodeName: ABSENT_NODE, ...fields } };
}

/** A slice with one device. */
export function sliceWith(device: Fields, fields: Fields = {}): KubeObject {
  return slice({ devices: [{ name: 'device', ...device }], ...fields });
}

/** A pod that is never run: no scheduler has this name. */
export function pod(spec: Fields = {}): KubeObject {
  return {
    spec: {
      schedulerName: DRIVER,
      containers: [{ name: 'main', image: 'localhost/none', imagePullPolicy: 'Never', ...CONTAINER_POLICY }],
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      ...spec,
    },
  };
}

/** What the strictest Pod Security level asks for: many clusters enforce it in new namespaces. */
export const CONTAINER_POLICY = { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } };

/** The allocation of devices of our driver for the request `device` of {@link claim}, as the scheduler writes it. */
export function allocation(count = 1, fields: Fields = {}, result: Fields = {}): Fields {
  return {
    devices: { results: times(count, (index) => ({ request: 'device', driver: DRIVER, pool: POOL, device: `device${index}`, ...result })), ...fields },
    nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [ABSENT_NODE] }] }] },
  };
}

export function consumers(count: number): readonly Fields[] {
  return times(count, (index) => ({ resource: 'pods', name: `consumer${index}`, uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` }));
}

export function deviceStatus(fields: Fields = {}): Fields {
  return { driver: DRIVER, pool: POOL, device: 'device0', ...fields };
}

import type { KubeObject } from '../../kube/object.js';

/**
 * An object without what may hold secrets and what no offline command reads: managed fields, the copy that kubectl apply keeps,
 * and of containers environment, command, arguments, probes and lifecycle hooks.
 */
export function withoutSecrets(object: KubeObject): KubeObject {
  const { metadata = {} } = object;
  const { managedFields: _, annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => name !== 'kubectl.kubernetes.io/last-applied-configuration');
  const cleaned = { ...object, metadata: { ...rest, ...kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) } } };
  return object.kind === 'Pod' ? { ...cleaned, spec: podSpec(fields(object.spec)) } : cleaned;
}

function podSpec(spec: Fields): Fields {
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => {
    return [name, CONTAINER_LISTS.has(name) && Array.isArray(value) ? value.map((one) => container(fields(one))) : value];
  }));
}

function container(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !LEFT_OUT.has(name)));
}

type Fields = { readonly [field: string]: unknown };

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : {};
}

const CONTAINER_LISTS = new Set(['containers', 'initContainers', 'ephemeralContainers']);
const LEFT_OUT = new Set(['env', 'envFrom', 'command', 'args', 'lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']);

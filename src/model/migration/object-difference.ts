import type { ManifestObject, ManifestSet } from '../manifests/manifest-set';
import { field } from '../view/json-field';

/** Objects of two commits, `Kind namespace/name`, sorted. */
export interface ObjectDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Why going back to the commit before would not bring back what was, a sentence each. */
  readonly irreversible: readonly string[];
}

export function objectDifference(base: ManifestSet, head: ManifestSet): ObjectDifference {
  const [before, after] = [byName(base), byName(head)];
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, object]) => object);
  const kept = [...before].flatMap(([key, old]) => {
    const next = after.get(key);
    return next === undefined || words(old.value) === words(next.value) ? [] : [{ old, next }];
  });
  return {
    added: [...after].filter(([key]) => !before.has(key)).map(([, object]) => nameOf(object)).sort(),
    removed: removed.map(nameOf).sort(),
    changed: kept.map(({ next }) => nameOf(next)).sort(),
    irreversible: [...removed.flatMap(whyLost), ...kept.flatMap(({ old, next }) => whyStuck(old, next))].sort(),
  };
}

/** What deletes more than itself, or what nobody gets back by applying it again. */
function whyLost(object: ManifestObject): readonly string[] {
  const name = nameOf(object);
  switch (`${object.group}/${object.kind}`) {
    case 'apiextensions.k8s.io/CustomResourceDefinition': return [`${name} is removed, and with it every object of its kind in the cluster.`];
    case 'cdk8s-dra.dev/DeviceMigration': return [`${name} is removed: the pool is retired, and nothing can hold or roll it back any more.`];
    case 'apps/DaemonSet':
    case 'nvidia.com/ClusterPolicy': return [`${name} is removed: if it is the device plugin or its operator, this decommissions the old way.`];
    case '/Namespace': return [`${name} is removed, and with it everything in it.`];
    default: return [];
  }
}

/** Templates never change in a cluster, and neither does what runs from them. */
function whyStuck(old: ManifestObject, next: ManifestObject): readonly string[] {
  const isTemplate = next.group === 'resource.k8s.io' && (next.kind === 'ResourceClaimTemplate' || next.kind === 'ResourceClaim');
  if (!isTemplate || words(field(old.value, 'spec')) === words(field(next.value, 'spec'))) return [];
  return [`${nameOf(next)} changes its spec, which the API server refuses. Give the new one another name.`];
}

function byName(set: ManifestSet): ReadonlyMap<string, ManifestObject> {
  return new Map(set.objects.map(object => [`${object.group}/${object.kind}/${object.namespace}/${object.name}`, object]));
}

function nameOf({ kind, namespace, name }: ManifestObject): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Bigints and the order of keys do not matter. */
function words(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return String(one);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) ?? '';
}

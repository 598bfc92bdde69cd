import type { ManifestSet } from '../manifests/manifest-set';
import { nearest } from '../near-miss';

const cache = new WeakMap<ManifestSet, Map<string, string | undefined>>();

/** Among more objects a suggestion would take longer than all rules together. */
const MOST_CANDIDATES = 1000;

/** The name of an object of the input that a missing one most likely means; `namespace` absent: in any. */
export function nearestName(manifests: ManifestSet, group: string, kind: string, name: string, namespace?: string): string | undefined {
  let known = cache.get(manifests);
  if (known === undefined) {
    known = new Map();
    cache.set(manifests, known);
  }
  const key = `${group}/${kind}/${namespace ?? '*'}/${name}`;
  if (known.has(key)) return known.get(key);
  const objects = manifests.ofKind(group, kind);
  const names = objects.length > MOST_CANDIDATES ? [] : objects.filter((object) => !namespace || !object.namespace || object.namespace === namespace);
  const found = nearest(name, names.map((object) => object.name));
  known.set(key, found);
  return found;
}

import { objectsAt, quantitiesAt, textAt } from './json-field';
import type { JsonObject } from '../manifests/manifest-set';
import type { Quantity } from '../quantity';

/** What the scheduler counts for a pod, by resource: containers together or the largest init step, and the overhead. */
export function podRequests(pod: JsonObject): ReadonlyMap<string, Quantity> {
  const spec = pod.spec;
  let total = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'containers')) addAll(total, requestsOf(container));
  const sidecars = new Map<string, Quantity>();
  let initial = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'initContainers')) {
    if (textAt(container, 'restartPolicy') === 'Always') {
      addAll(total, requestsOf(container));
      addAll(sidecars, requestsOf(container));
      initial = largest(initial, sidecars);
    } else {
      const step = new Map(sidecars);
      addAll(step, requestsOf(container));
      initial = largest(initial, step);
    }
  }
  total = largest(total, initial);
  // Requests of the pod as a whole stand for those of its containers.
  for (const [name, amount] of quantitiesAt(spec, 'resources', 'requests')) total.set(name, amount);
  addAll(total, quantitiesAt(spec, 'overhead'));
  return total;
}

/** Requests of a container; a limit without a request is one. */
export function requestsOf(container: JsonObject): ReadonlyMap<string, Quantity> {
  return new Map([...quantitiesAt(container, 'resources', 'limits'), ...quantitiesAt(container, 'resources', 'requests')]);
}

/** Whether a resource is none of Kubernetes' own: `vendor.example/gpu`. */
export function isExtendedResource(name: string): boolean {
  const domain = name.slice(0, Math.max(0, name.indexOf('/')));
  if (domain === '' || name.startsWith('requests.')) return false;
  return domain === IMPLICIT_DOMAIN || !(domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io'));
}

/** Domain of the extended resource that every device class has from 1.35 on. */
export const IMPLICIT_DOMAIN = 'deviceclass.resource.kubernetes.io';

function addAll(total: Map<string, Quantity>, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of more) {
    const before = total.get(name);
    total.set(name, before ? before.add(amount) : amount);
  }
}

function largest(a: ReadonlyMap<string, Quantity>, b: ReadonlyMap<string, Quantity>): Map<string, Quantity> {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const before = result.get(name);
    if (!before || before.compareTo(amount) < 0) result.set(name, amount);
  }
  return result;
}

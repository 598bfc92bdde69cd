import { extendedResourceNameProblem, labelKeyProblem } from './names';
import type { Problem } from './problem';

/*
 * Keys of amounts, in containers and in quota.
 *
 * Sources, alike in 1.34.4, 1.35.4, 1.36.3 and 1.37.2: `pkg/apis/core/validation/validation.go` (validateContainerResourceName,
 * ValidateResourceQuotaResourceName), `pkg/apis/core/helper/helpers.go`.
 */

const IN_CONTAINERS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

const WHOLE_THINGS: ReadonlySet<string> = new Set([
  'configmaps', 'persistentvolumeclaims', 'pods', 'replicationcontrollers', 'resourcequotas', 'secrets', 'services', 'services.loadbalancers',
  'services.nodeports',
]);

const IN_QUOTA: ReadonlySet<string> = new Set([
  ...IN_CONTAINERS,
  ...[...IN_CONTAINERS, 'storage'].map(name => `requests.${name}`),
  ...[...IN_CONTAINERS].map(name => `limits.${name}`),
  ...WHOLE_THINGS,
]);

/** Why the API server refuses a key of a container's requests or limits. */
export function containerResourceProblem(name: string): Problem | undefined {
  if (name.includes('/')) return isNative(name) ? labelKeyProblem(name) : extendedResourceNameProblem(name);
  if (IN_CONTAINERS.has(name) || name.startsWith('hugepages-')) return undefined;
  return {
    rule: 'must be one that every node has, or have a domain',
    help: `Write <domain>/${name} as the device plugin or class names it; without a domain there are ${[...IN_CONTAINERS].join(', ')} and hugepages-<size>.`,
  };
}

/** Why the API server refuses a key of a quota. */
export function quotaKeyProblem(key: string): Problem | undefined {
  if (key.includes('/')) return labelKeyProblem(key);
  if (IN_QUOTA.has(key) || key.startsWith('hugepages-') || key.startsWith('requests.hugepages-')) return undefined;
  return {
    rule: 'must be a standard resource, or have a \'/\'',
    help: 'Write requests.<domain>/<resource> for extended resources, count/<resource>.<group> for objects.',
  };
}

/** Whether a quota counts whole things under a key, so that the API server takes no fraction (`IsIntegerResourceName`). */
export function isCountedInWholes(key: string): boolean {
  if (key.includes('/')) return !isNative(key) && !key.startsWith('requests.') && labelKeyProblem(`requests.${key}`) === undefined;
  return WHOLE_THINGS.has(key);
}

/** Kept for what Kubernetes itself defines; the domain may stand anywhere before the last slash. */
function isNative(name: string): boolean {
  return name.includes('kubernetes.io/');
}

import type { ContainerDevices, PodResources } from '../kubelet/pod-resources.js';

/** A device that a pod has from a device plugin. */
export interface PluginHolding {
  /** Extended resource, such as `nvidia.com/gpu`. */
  readonly resource: string;
  /** What the plugin calls it, often the identity of the hardware. */
  readonly deviceId: string;
  readonly podNamespace: string;
  readonly podName: string;
}

/** A device that a pod has by a claim, of whichever driver. */
export interface ClaimHolding {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly claimNamespace: string;
  readonly claimName: string;
}

/** How many devices of a resource kubelet may give out, and has. */
export interface PluginResource {
  readonly name: string;
  readonly allocatable: number;
  readonly held: number;
}

/** What pods have of device plugins, each device once, in order. */
export function pluginHoldings(pods: readonly PodResources[]): readonly PluginHolding[] {
  const holdings = pods.flatMap(({ namespace, name, containers }) => containers.flatMap(({ devices }) =>
    devices.flatMap(({ resourceName, deviceIds }) =>
      deviceIds.map((deviceId) => ({ resource: resourceName, deviceId, podNamespace: namespace, podName: name })))));
  return distinct(holdings, ({ resource, deviceId, podNamespace, podName }) => [resource, deviceId, podNamespace, podName]);
}

/** What pods have by claims, each device once, in order. Containers of a pod, and pods, may share a claim. */
export function claimHoldings(pods: readonly PodResources[]): readonly ClaimHolding[] {
  const holdings = pods.flatMap(({ containers }) => containers.flatMap(({ dynamicResources }) =>
    dynamicResources.flatMap(({ claimName, claimNamespace, claimResources }) =>
      claimResources.map(({ driverName, poolName, deviceName }) => ({
        driver: driverName, pool: poolName, device: deviceName, claimNamespace, claimName,
      })))));
  return distinct(holdings, ({ driver, pool, device, claimNamespace, claimName }) => [driver, pool, device, claimNamespace, claimName]);
}

/** Resources of device plugins on this node. One that is held and not allocatable any more belongs to a plugin that is gone or sick. */
export function pluginResources(allocatable: readonly ContainerDevices[], held: readonly PluginHolding[]): readonly PluginResource[] {
  const counts = new Map<string, { allocatable: number; held: number }>();
  const of = (name: string) => {
    const count = counts.get(name) ?? { allocatable: 0, held: 0 };
    counts.set(name, count);
    return count;
  };
  for (const { resourceName, deviceIds } of allocatable) of(resourceName).allocatable += deviceIds.length;
  for (const { resource } of distinct(held, (one) => [one.resource, one.deviceId])) of(resource).held++;
  return [...counts].map(([name, count]) => ({ name, ...count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => readonly string[]): readonly T[] {
  const byKey = new Map(items.map((item) => [keyOf(item).join('\n'), item]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

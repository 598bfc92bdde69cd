import { DRIVER_PROFILES } from '../drivers';
import type { PodSite } from '../manifests/manifest-set';
import { field, objectsAt, textAt, textMapAt } from '../view/json-field';

/** A daemon that serves devices or looks after them, and is no workload. */
export interface PlatformDaemon {
  /** `DaemonSet nvidia/nvidia-device-plugin`. */
  readonly daemon: string;
  /** Project of the device plugin that it belongs to, where that is known. */
  readonly project?: string;
  readonly part: 'device plugin' | 'driver' | 'helper';
}

/** Kubelet's folder in which a daemon puts its socket; one among its volumes makes it a device plugin or a driver (of storage too). */
export type SocketFolder = 'device-plugins' | 'plugins_registry';

export function socketFolder(podSpec: unknown): SocketFolder | undefined {
  const folders = objectsAt(podSpec, 'volumes').map(volume => textAt(volume, 'hostPath', 'path').replace(/\/+$/, ''));
  return (['plugins_registry', 'device-plugins'] as const).find(name => folders.some(path => path.endsWith(`/${name}`)));
}

/**
 * What a DaemonSet is to devices: a device plugin or a driver by kubelet's folder, a part of a plugin's project by the labels of its pods or by the
 * node label that its operator places it by.
 */
export function platformPart(site: PodSite): Omit<PlatformDaemon, 'daemon'> | undefined {
  if (!isOfDaemonSet(site)) return undefined;
  const folder = socketFolder(site.spec);
  const project = projectOf(site);
  if (folder === 'device-plugins') return { ...project, part: 'device plugin' };
  if (project !== undefined) return { ...project, part: 'helper' };
  return folder === undefined ? undefined : { part: 'driver' };
}

function isOfDaemonSet({ object }: PodSite): boolean {
  const owners = objectsAt(object.value, 'metadata', 'ownerReferences');
  return object.kind === 'DaemonSet' || owners.some(one => one.controller === true && textAt(one, 'kind') === 'DaemonSet');
}

function projectOf({ object, path, spec }: PodSite): { readonly project: string } | undefined {
  const labels = textMapAt(path.slice(0, -1).reduce<unknown>((value, step) => field(value, String(step)), object.value), 'metadata', 'labels');
  const selector = Object.keys(textMapAt(spec, 'nodeSelector'));
  const plugin = DRIVER_PROFILES.flatMap(({ legacy }) => legacy).find(({ daemonSets, switches }) => (
    daemonSets.some(({ podLabels }) => isPartOf(podLabels, new Map(Object.entries(labels))))
    || switches.some(({ kind, key }) => kind === 'node-label' && selector.includes(key))));
  return plugin && { project: plugin.project };
}

/** Whether a pod has all labels by which a profile tells its pods; a profile that names none tells nothing. */
export function isPartOf(wanted: Readonly<Record<string, string>>, labels: ReadonlyMap<string, unknown>): boolean {
  const entries = Object.entries(wanted);
  return entries.length > 0 && entries.every(([key, value]) => labels.get(key) === value);
}

import { load } from 'js-yaml';

import type { HostReader } from '../host/host-reader.js';

/** A device of a CDI file that a vendor's tool wrote. */
export interface VendorCdiDevice {
  /** `nvidia.com/gpu=0` */
  readonly id: string;
  readonly name: string;
  /** File it stands in. */
  readonly file: string;
  /** Its own device nodes; without any it gives a container nothing. */
  readonly nodes: readonly CdiNode[];
  /** What the file adds to each of its devices. */
  readonly commonNodes: readonly CdiNode[];
  /** Files that it mounts, for all devices or this one: the user-space half of the driver. */
  readonly mounts: number;
}

export interface CdiNode {
  /** In the container. */
  readonly path: string;
  readonly hostPath: string;
}

/** What nvidia-ctk writes for sixteen GPUs has some 100 KiB. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/**
 * Devices of a kind in the CDI files of some folders, sorted by file and name.
 *
 * As for container runtimes, a later folder has priority, and a device that stands twice in one folder is there for nobody.
 */
export async function vendorCdiDevices(host: HostReader, folders: readonly string[], kind: string): Promise<VendorCdiDevice[]> {
  const devices = new Map<string, VendorCdiDevice>();
  for (const folder of folders) {
    const here = new Map<string, VendorCdiDevice[]>();
    for (const name of await host.list(folder)) {
      if (!/^[^.].*\.(?:json|ya?ml)$/.test(name)) continue;
      const text = await host.text(`${folder}/${name}`, MAX_FILE_BYTES);
      // Files of other kinds, such as those of claims, need not be parsed.
      if (text === undefined || !text.includes(kind)) continue;
      for (const device of devicesOf(text, `${folder}/${name}`, kind)) here.set(device.id, [...here.get(device.id) ?? [], device]);
    }
    for (const [id, found] of here) {
      const [device, ...others] = found;
      if (device !== undefined && others.length === 0) devices.set(id, device);
      else devices.delete(id);
    }
  }
  return [...devices.values()];
}

function devicesOf(text: string, file: string, kind: string): VendorCdiDevice[] {
  let spec: unknown;
  try {
    spec = load(text);
  } catch {
    // Half-written; container runtimes leave it out as well.
    return [];
  }
  if (field(spec, 'kind') !== kind) return [];
  const common = field(spec, 'containerEdits');
  return list(field(spec, 'devices')).flatMap((device) => {
    const name = field(device, 'name');
    if (typeof name !== 'string' || !/^[A-Za-z0-9](?:[\w.:-]{0,253}[A-Za-z0-9])?$/.test(name)) return [];
    const edits = field(device, 'containerEdits');
    return [{
      id: `${kind}=${name}`,
      name,
      file,
      nodes: nodesOf(edits),
      commonNodes: nodesOf(common),
      mounts: list(field(common, 'mounts')).length + list(field(edits, 'mounts')).length,
    }];
  });
}

function nodesOf(edits: unknown): CdiNode[] {
  return list(field(edits, 'deviceNodes')).flatMap((node) => {
    const [path, hostPath] = [field(node, 'path'), field(node, 'hostPath')];
    return typeof path === 'string' && path.startsWith('/') ? [{ path, hostPath: typeof hostPath === 'string' && hostPath.startsWith('/') ? hostPath : path }] : [];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** At most as many as a node could have devices, nodes or mounts. */
function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 4096) : [];
}

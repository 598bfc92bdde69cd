import type { HostReader } from '../host/host-reader.js';

const CLASSES = ['/sys/class/infiniband_verbs', '/sys/class/infiniband_mad'];

/**
 * Device nodes of RDMA devices: `uverbsN` for all traffic, `umadN` for management datagrams, and the common `rdma_cm` where the host has it.
 *
 * Which belongs to which says the file `ibdev` (Documentation/ABI/stable/sysfs-class-infiniband).
 */
export async function rdmaNodes(host: HostReader, rdmaDevices: readonly string[]): Promise<string[]> {
  const nodes: string[] = [];
  for (const folder of CLASSES) {
    for (const name of await host.list(folder)) {
      if (!/^(?:uverbs|umad)\d+$/.test(name)) continue;
      const owner = await host.text(`${folder}/${name}/ibdev`);
      if (owner !== undefined && rdmaDevices.includes(owner)) nodes.push(`/dev/infiniband/${name}`);
    }
  }
  if (nodes.length > 0 && await host.deviceNode(CONNECTION_MANAGER) !== undefined) nodes.push(CONNECTION_MANAGER);
  return nodes;
}

const CONNECTION_MANAGER = '/dev/infiniband/rdma_cm';

import { Tree } from './tree.js';

export interface NicTreeFacts {
  /** Kernel driver of the virtual functions. */
  readonly virtualDriver?: string;
  /** The files of NVIDIA's drivers outside the kernel tree: `sriov/<n>/max_tx_rate`. */
  readonly rateFiles?: boolean;
}

/**
 * A machine with a two-port ConnectX-6 Dx, whose first port has four virtual functions, and a port of another card that carries the default route.
 *
 * Files: Documentation/ABI/testing/sysfs-class-net and sysfs-bus-pci, stable/sysfs-class-infiniband of Linux; ids from pci.ids.
 */
export function connectX({ virtualDriver = 'mlx5_core', rateFiles = true }: NicTreeFacts = {}): Tree {
  const tree = new Tree();
  const parents = 'pci0000:3a/0000:3a:00.0';
  const port = (address: string, name: string, rdma: string, numbers: { readonly uverbs: number; readonly umad: number }): string => {
    const folder = tree.pci(address, parents, { vendor: '15b3', device: '101d', class: '020000', driver: 'mlx5_core', numaNode: 0, files: { sriov_totalvfs: '16', reset: '' } });
    addInterface(tree, folder, name, { address: `b8:ce:f6:00:00:0${address.at(-1)}`, speed: '100000', carrier: '1', operstate: 'up' });
    addRdma(tree, folder, rdma, numbers);
    return folder;
  };
  const first = port('0000:3b:00.0', 'ens1f0np0', 'mlx5_0', { uverbs: 0, umad: 0 });
  port('0000:3b:00.1', 'ens1f1np1', 'mlx5_1', { uverbs: 1, umad: 1 });
  tree.file(`${first}/sriov_numvfs`, '4');
  for (let index = 0; index < 4; index++) {
    const group = 70 + index;
    const folder = tree.pci(`0000:3b:00.${index + 2}`, parents, {
      vendor: '15b3', device: '101e', class: '020000', driver: virtualDriver, numaNode: 0, iommuGroup: group, files: { reset: '' },
    });
    // The ids in its configuration space read as all ones.
    tree.file(`${folder}/config`, Buffer.alloc(64, 0xff));
    tree.link(`${folder}/physfn`, first).link(`${first}/virtfn${index}`, folder);
    tree.link(`/sys/kernel/iommu_groups/${group}/devices/0000:3b:00.${index + 2}`, folder);
    if (virtualDriver === 'vfio-pci') {tree.node(`/dev/vfio/${group}`, `c 240:${index}`);} else {
      addInterface(tree, folder, `ens1f0v${index}`, { address: `02:00:00:00:00:0${index}`, speed: '100000', carrier: '1', operstate: 'up' });
      addRdma(tree, folder, `mlx5_${index + 2}`, { uverbs: index + 2, umad: index + 2 });
    }
    if (rateFiles) tree.files(`${first}/sriov/${index}`, { max_tx_rate: '0', min_tx_rate: '0' });
  }
  if (virtualDriver === 'vfio-pci') tree.node('/dev/vfio/vfio', 'c 10:196');
  const other = tree.pci('0000:01:00.0', 'pci0000:00/0000:00:1c.0', { vendor: '8086', device: '1521', class: '020000', driver: 'igb', numaNode: 0 });
  addInterface(tree, other, 'eno1', { address: '3c:ec:ef:00:00:01', speed: '1000', carrier: '1', operstate: 'up' });
  tree.file('/proc/1/net/route', [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eno1\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0', 'eno1\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0',
  ].join('\n'));
  return tree.node('/dev/infiniband/rdma_cm', 'c 10:58');
}

function addInterface(tree: Tree, folder: string, name: string, files: { readonly [name: string]: string }): void {
  tree.files(`${folder}/net/${name}`, { type: '1', ...files }).link(`/sys/class/net/${name}`, `${folder}/net/${name}`);
}

function addRdma(tree: Tree, folder: string, name: string, { uverbs, umad }: { readonly uverbs: number; readonly umad: number }): void {
  tree.files(`${folder}/infiniband/${name}/ports/1`, { state: '4: ACTIVE', link_layer: 'Ethernet', rate: '100 Gb/sec (4X EDR)' });
  tree.link(`/sys/class/infiniband/${name}`, `${folder}/infiniband/${name}`);
  tree.file(`${folder}/infiniband_verbs/uverbs${uverbs}/ibdev`, name).link(`/sys/class/infiniband_verbs/uverbs${uverbs}`, `${folder}/infiniband_verbs/uverbs${uverbs}`);
  tree.file(`${folder}/infiniband_mad/umad${umad}/ibdev`, name).link(`/sys/class/infiniband_mad/umad${umad}`, `${folder}/infiniband_mad/umad${umad}`);
  tree.node(`/dev/infiniband/uverbs${uverbs}`, `c 231:${192 + uverbs}`).node(`/dev/infiniband/umad${umad}`, `c 231:${umad}`);
}

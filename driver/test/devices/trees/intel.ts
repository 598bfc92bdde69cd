import { Tree } from './tree.js';

/**
 * A machine with a GPU inside the processor, a Flex 170, and another one divided into two virtual functions.
 *
 * Layout: pkg/fakesysfs of intel/intel-resource-drivers-for-kubernetes (1da939f); ids: its pkg/gpu/device/models.go.
 */
export function intelFlex(): Tree {
  const tree = new Tree();
  const add = (address: string, parents: string, device: string, index: number, files: { readonly [name: string]: string } = {}): string => {
    const folder = tree.pci(address, parents, { vendor: '8086', device, class: device === '4626' ? '030000' : '038000', driver: 'i915', numaNode: 0, files });
    tree.folder(`${folder}/drm/card${index}`).folder(`${folder}/drm/renderD${128 + index}`);
    tree.node(`/dev/dri/card${index}`, `c 226:${index}`).node(`/dev/dri/renderD${128 + index}`, `c 226:${128 + index}`);
    return folder;
  };
  add('0000:00:02.0', 'pci0000:00', '4626', 0);
  add('0000:0f:00.0', 'pci0000:0c/0000:0c:01.0/0000:0d:00.0/0000:0e:01.0', '56c0', 1, { 'drm/card1/lmem_total_bytes': '15032385536', 'sriov_numvfs': '0', 'sriov_totalvfs': '31' });
  const divided = add('0000:12:00.0', 'pci0000:10/0000:10:01.0/0000:11:00.0', '56c0', 2, { sriov_numvfs: '2', sriov_totalvfs: '31' });
  for (const index of [1, 2]) {
    const folder = add(`0000:12:00.${index}`, 'pci0000:10/0000:10:01.0/0000:11:00.0', '56c0', 2 + index);
    tree.link(`${folder}/physfn`, divided).link(`${divided}/virtfn${index - 1}`, folder);
  }
  return tree;
}

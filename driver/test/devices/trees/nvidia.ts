import { Tree } from './tree.js';

export interface NvidiaCardFacts {
  /** MIG devices on the card: GPU instance, compute instance, and the minors of their capability nodes. */
  readonly mig?: ReadonlyArray<readonly [gi: number, ci: number, giMinor: number, ciMinor: number]>;
  /** `index`, as nvidia-ctk names devices by default, or `uuid`. */
  readonly cdiNames?: 'index' | 'uuid';
}

export const H100_ADDRESSES = ['0000:1b:00.0', '0000:43:00.0', '0000:52:00.0', '0000:61:00.0', '0000:9d:00.0', '0000:c3:00.0', '0000:d1:00.0', '0000:df:00.0'];

export function uuidOf(index: number): string {
  return `GPU-${String(index).repeat(8)}-1234-5678-9abc-00000000000${index}`;
}

/**
 * A machine with H100 GPUs, each below a switch of its own, half of them on each socket.
 *
 * Formats: kernel-open/nvidia/nv-procfs.c and nv-caps.c of NVIDIA/open-gpu-kernel-modules; ids and names from its README;
 * CDI files as pkg/nvcdi of NVIDIA/nvidia-container-toolkit (d34b304) writes them.
 */
export function nvidiaH100(count = 8, facts: NvidiaCardFacts = {}): Tree {
  const tree = new Tree();
  for (let index = 0; index < count; index++) addCard(tree, index, facts);
  tree.file('/proc/driver/nvidia/version', 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\nGCC version:  gcc version 11.4.0');
  tree.node('/dev/nvidiactl', 'c 195:255').node('/dev/nvidia-uvm', 'c 511:0');
  return tree.file('/etc/cdi/nvidia.yaml', cdiFile(count, facts));
}

function addCard(tree: Tree, index: number, { mig = [] }: NvidiaCardFacts): void {
  const address = H100_ADDRESSES[index] ?? '0000:ff:00.0';
  const bus = parseInt(address.slice(5, 7), 16);
  const hex = (value: number): string => value.toString(16).padStart(2, '0');
  tree.pci(address, `pci0000:${hex(bus - 3)}/0000:${hex(bus - 3)}:01.0/0000:${hex(bus - 2)}:00.0/0000:${hex(bus - 1)}:00.0`, {
    vendor: '10de', device: '2330', class: '030200', driver: 'nvidia', numaNode: index < 4 ? 0 : 1, iommuGroup: 40 + index,
  });
  tree.file(`/proc/driver/nvidia/gpus/${address}/information`, [
    'Model: \t\t NVIDIA H100 80GB HBM3', 'IRQ:   \t\t 18', `GPU UUID: \t ${uuidOf(index)}`, 'Video BIOS: \t 96.00.61.00.01',
    'Bus Type: \t PCIe', 'DMA Size: \t 52 bits', 'DMA Mask: \t 0xfffffffffffff', `Bus Location: \t ${address}`, `Device Minor: \t ${index}`,
    'GPU Firmware: \t 535.104.05', 'GPU Excluded:\t No',
  ].join('\n'));
  tree.node(`/dev/nvidia${index}`, `c 195:${index}`);
  for (const [gi, ci, giMinor, ciMinor] of mig) {
    const folder = `/proc/driver/nvidia/capabilities/gpu${index}/mig/gi${gi}`;
    tree.file(`${folder}/access`, `DeviceFileMinor: ${giMinor}\nDeviceFileMode: 292\nDeviceFileModify: 1`);
    tree.file(`${folder}/ci${ci}/access`, `DeviceFileMinor: ${ciMinor}\nDeviceFileMode: 292\nDeviceFileModify: 1`);
    for (const minor of [giMinor, ciMinor]) tree.node(`/dev/nvidia-caps/nvidia-cap${minor}`, `c 237:${minor}`);
  }
}

/** nvidia-ctk leaves out the whole GPU where MIG is on. */
export function cdiFile(count: number, { mig = [], cdiNames = 'index' }: NvidiaCardFacts): string {
  const device = (name: string, nodes: readonly string[]): string => `- name: "${name}"\n  containerEdits:\n    deviceNodes:\n${nodes.map((node) => `    - path: ${node}\n`).join('')}`;
  const cards = Array.from({ length: count }, (_, index) => index);
  const devices = cards.flatMap((index) => (mig.length === 0
    ? [device(cdiNames === 'uuid' ? uuidOf(index) : String(index), [`/dev/nvidia${index}`])]
    : mig.map(([,, giMinor, ciMinor], at) => device(cdiNames === 'uuid' ? `MIG-${index}${at}` : `${index}:${at}`, [
      `/dev/nvidia${index}`, `/dev/nvidia-caps/nvidia-cap${giMinor}`, `/dev/nvidia-caps/nvidia-cap${ciMinor}`,
    ]))));
  return `cdiVersion: 0.5.0
kind: nvidia.com/gpu
devices:
${devices.join('')}${device('all', cards.map((index) => `/dev/nvidia${index}`))}containerEdits:
  env:
  - NVIDIA_VISIBLE_DEVICES=void
  deviceNodes:
  - path: /dev/nvidiactl
  - path: /dev/nvidia-uvm
  hooks:
  - hookName: createContainer
    path: /usr/bin/nvidia-cdi-hook
    args: [nvidia-cdi-hook, update-ldcache, --folder, /lib/x86_64-linux-gnu]
  mounts:
  - hostPath: /lib/x86_64-linux-gnu/libcuda.so.535.104.05
    containerPath: /lib/x86_64-linux-gnu/libcuda.so.535.104.05
    options: [ro, nosuid, nodev, rbind, rprivate]`;
}

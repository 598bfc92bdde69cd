import { Tree } from './tree.js';

/** `afu_id` of the loopback function that Intel ships, and of a compression function. */
export const LOOPBACK = 'd8424dc4a4a3c413f89e433683f9040b';
export const COMPRESSION = 'f7df405cbd7acf7222f144b0b93acd18';
/** `compat_id` of the shell of a card with an Arria 10. */
export const DFL_SHELL = 'ce48969398f05f33946d560708be108a';

/**
 * A machine with two cards that follow the device feature list framework; the first has two ports.
 *
 * Layout: Documentation/fpga/dfl.rst of Linux; ids: cmd/fpga_plugin/dfl_test.go and pkg/fpga of intel/intel-device-plugins-for-kubernetes (94a91bc).
 */
export function dflCards(): Tree {
  const tree = new Tree();
  addDflCard(tree, { address: '0000:5e:00.0', bus: 'pci0000:5d', region: 0, engine: 0, ports: [0, 1] });
  addDflCard(tree, { address: '0000:af:00.0', bus: 'pci0000:ae', region: 3, engine: 1, ports: [2] });
  return tree;
}

interface DflCardFacts {
  readonly address: string;
  readonly bus: string;
  readonly region: number;
  readonly engine: number;
  readonly ports: readonly number[];
}

function addDflCard(tree: Tree, { address, bus, region, engine, ports }: DflCardFacts): void {
  const pci = tree.pci(address, `${bus}/${bus.replace('pci', '')}:00.0`, { vendor: '8086', device: '09c4', class: '120000', driver: 'dfl-pci', numaNode: engine });
  const folder = `${pci}/fpga_region/region${region}`;
  tree.link(`/sys/class/fpga_region/region${region}`, folder);
  const fme = `${folder}/dfl-fme.${engine}`;
  tree.files(fme, { bitstream_id: '0x12300200323e9a3', bitstream_metadata: '0x1903121', ports_num: String(ports.length), dev: `242:${engine}`, socket_id: '0' });
  tree.files(`${fme}/dfl-fme-mgr.${engine}/fpga_manager/fpga${engine}`, { name: 'DFL FPGA FME Manager', state: 'operating', status: '' });
  tree.link(`/sys/class/fpga_manager/fpga${engine}`, `${fme}/dfl-fme-mgr.${engine}/fpga_manager/fpga${engine}`);
  ports.forEach((port, id) => {
    const inner = `${fme}/dfl-fme-region.${port}/fpga_region/region${region + 1 + id}`;
    tree.file(`${inner}/compat_id`, DFL_SHELL).link(`/sys/class/fpga_region/region${region + 1 + id}`, inner);
    tree.files(`${folder}/dfl-port.${port}`, { id: String(id), afu_id: LOOPBACK, dev: `242:${10 + port}`, power_state: '0' });
    tree.node(`/dev/dfl-port.${port}`, `c 242:${10 + port}`);
  });
  tree.node(`/dev/dfl-fme.${engine}`, `c 242:${engine}`);
}

/**
 * A machine with an Alveo U250 (management function 0, user function 1), and a virtual machine's U200 with its user function alone.
 *
 * Files: k8s-device-plugin/fpga.go of Xilinx/FPGA_as_a_Service (cac8e91), and the page on sysfs nodes of the Xilinx runtime.
 */
export function xrtCards(): Tree {
  const tree = new Tree();
  const facts = { vendor: '10ee', class: '120000', numaNode: 0 };
  tree.pci('0000:3b:00.0', 'pci0000:3a/0000:3a:00.0', { ...facts, device: '5004', driver: 'xclmgmt', files: { mgmt_pf: '' } });
  const user = tree.pci('0000:3b:00.1', 'pci0000:3a/0000:3a:00.0', {
    ...facts,
    device: '5005',
    driver: 'xocl',
    files: {
      'user_pf': '',
      'rom.u.47185920/VBNV': 'xilinx_u250_gen3x16_xdma_shell_4_1',
      'rom.u.47185920/timestamp': '0',
      'xmc.u.47185921/serial_num': '2130048BF083',
      'interface_uuids': '0b1a2c3d4e5f60718293a4b5c6d7e8f9\n11112222333344445555666677778888',
      'logic_uuids': '00112233445566778899aabbccddeeff',
      'xclbinuuid': '4c1b9b2e-3c6f-4d0a-9f6e-1a2b3c4d5e6f',
    },
  });
  tree.folder(`${user}/drm/renderD128`).folder(`${user}/drm/card0`).node('/dev/dri/renderD128', 'c 226:128');
  const guest = tree.pci('0000:00:1e.0', 'pci0000:00', {
    ...facts, device: '5001', driver: 'xocl', files: { 'user_pf': '', 'rom.u.1/VBNV': 'xilinx_u200_xdma_201830_2', 'rom.u.1/timestamp': '5d1211e8' },
  });
  tree.folder(`${guest}/drm/renderD129`).node('/dev/dri/renderD129', 'c 226:129');
  return tree;
}

/** A system on a chip with one FPGA manager that takes firmware names, as the kernels of AMD (Xilinx) have it. */
export function zynqManager(): Tree {
  return new Tree()
    .files('/sys/devices/platform/firmware:zynqmp-firmware/firmware:zynqmp-firmware:pcap/fpga_manager/fpga0', {
      name: 'Xilinx ZynqMP FPGA Manager', state: 'operating', status: '', firmware: '', flags: '0',
    })
    .link('/sys/class/fpga_manager/fpga0', '/sys/devices/platform/firmware:zynqmp-firmware/firmware:zynqmp-firmware:pcap/fpga_manager/fpga0')
    .folder('/sys/bus/platform')
    .node('/dev/uio0', 'c 240:0');
}

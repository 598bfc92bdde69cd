import { amdMi210, amdMi300xCpx } from './amd.js';
import { dflCards, DFL_SHELL, xrtCards, zynqManager } from './fpga.js';
import { intelFlex } from './intel.js';
import { connectX } from './nic.js';
import { nvidiaH100 } from './nvidia.js';
import type { Tree } from './tree.js';

const SHARING = [{ match: {}, maxShares: 4, enforcement: 'none', capacity: { memory: { value: '40Gi', default: '4Gi', min: '1Gi', step: '1Gi' }, compute: { value: '100', default: '10', min: '5' } } }];
const PARTITIONS = [{ match: {}, discovered: true }];
const DESCRIBED = [{ match: {}, fixed: [{ gpuInstance: 7, computeInstance: 0, profile: '1g.10gb', memory: '10Gi' }] }];
const IMAGES = {
  images: { folder: '/lib/firmware/dra', allowed: [{ id: 'blank', file: 'blank.gbs', sha256: '0'.repeat(64), shells: [DFL_SHELL, 'xilinx*', 'Xilinx*'], safe: true }] },
  programming: { dfl: { by: 'command', command: ['true'] }, xrt: { by: 'command', command: ['true'] }, manager: { by: 'manager' } },
};

/** Every made machine, with settings that offer all of it. */
export const HOSTS: ReadonlyArray<readonly [string, Tree, object]> = [
  ['two H100', nvidiaH100(2), { backend: 'gpu', sharing: SHARING }],
  ['an H100 with MIG devices', nvidiaH100(1, { mig: [[7, 0, 66, 67], [9, 0, 84, 85]] }), { backend: 'gpu', partitions: PARTITIONS }],
  ['an H100 with a MIG device that the settings describe', nvidiaH100(1, { mig: [[7, 0, 66, 67]] }), { backend: 'gpu', partitions: DESCRIBED }],
  ['two MI210', amdMi210(), { backend: 'gpu' }],
  ['an MI300X in mode CPX', amdMi300xCpx(), { backend: 'gpu' }],
  ['three GPUs of Intel', intelFlex(), { backend: 'gpu', sharing: SHARING }],
  ['two DFL cards', dflCards(), { backend: 'fpga', ...IMAGES }],
  ['two DFL cards with fixed functions', dflCards(), { backend: 'fpga' }],
  ['two XRT cards', xrtCards(), { backend: 'fpga', ...IMAGES }],
  ['an FPGA manager', zynqManager(), { backend: 'fpga', ...IMAGES }],
  ['virtual functions', connectX(), { backend: 'nic', offers: [{ as: 'virtual-functions', match: { address: '*' } }] }],
  ['virtual functions for vfio', connectX({ virtualDriver: 'vfio-pci' }), { backend: 'nic', offers: [{ as: 'virtual-functions', match: { address: '*' }, scrub: 'function-reset' }] }],
  ['shared ports', connectX(), { backend: 'nic', offers: [{ as: 'shared-bandwidth', match: { address: '*' }, rate: 'sysfs', bandwidth: { default: '1G', min: '1G' } }] }],
];

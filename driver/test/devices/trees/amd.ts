import { Tree } from './tree.js';

/**
 * A machine with two MI210 linked by XGMI.
 *
 * Numbers of the compute topology: node 2 of testdata/topo-mi210-xgmi-pcie in ROCm/k8s-device-plugin (ed76468); attributes of sysfs: the
 * kernel's Documentation/gpu/amdgpu/driver-misc.rst.
 */
export function amdMi210(): Tree {
  const tree = amdDriver().file('/sys/class/kfd/kfd/topology/nodes/0/properties', 'cpu_cores_count 64\nsimd_count 0\nlocation_id 0\ndomain 0\ndrm_render_minor 0\nunique_id 0');
  ([['0000:63:00.0', 25344, '19019d7f6b7d0e66'], ['0000:43:00.0', 17152, '2f8a01c6a4d1b7c3']] as const).forEach(([address, location, uniqueId], index) => {
    const folder = tree.pci(address, `pci0000:${index === 0 ? '60' : '40'}/0000:${index === 0 ? '60' : '40'}:03.1/0000:${index === 0 ? '61' : '41'}:00.0/0000:${index === 0 ? '62' : '42'}:00.0`, {
      vendor: '1002',
      device: '740f',
      class: '038000',
      driver: 'amdgpu',
      numaNode: 0,
      files: { 'product_name': 'AMD INSTINCT MI210', 'unique_id': uniqueId, 'mem_info_vram_total': '68702699520', 'ras/umc_err_count': 'ue: 0\nce: 3' },
    });
    tree.folder(`${folder}/drm/card${index + 1}`).folder(`${folder}/drm/renderD${128 + index}`);
    tree.node(`/dev/dri/card${index + 1}`, `c 226:${index + 1}`).node(`/dev/dri/renderD${128 + index}`, `c 226:${128 + index}`);
    tree.file(`/sys/class/kfd/kfd/topology/nodes/${2 + index}/properties`, [
      'cpu_cores_count 0', 'simd_count 416', 'mem_banks_count 1', 'simd_per_cu 4', 'gfx_target_version 90010', 'vendor_id 4098', 'device_id 29711',
      `location_id ${location}`, 'domain 0', `drm_render_minor ${128 + index}`, 'hive_id 12609507387757274807', `unique_id ${BigInt(`0x${uniqueId}`)}`, 'num_xcc 1',
    ].join('\n'));
  });
  return tree;
}

/**
 * A machine with one MI300X in mode CPX: eight partitions, each with a render node of its own.
 *
 * Numbers: nodes 2 to 9 of testdata/topo-mi300-cpx in the same repository.
 */
export function amdMi300xCpx(): Tree {
  const tree = amdDriver();
  const folder = tree.pci('0000:05:00.0', 'pci0000:00/0000:00:01.1/0000:03:00.0/0000:04:00.0', {
    vendor: '1002',
    device: '74a1',
    class: '120000',
    driver: 'amdgpu',
    numaNode: 0,
    files: { unique_id: 'e3aa4ff1a3f1a311', mem_info_vram_total: '206141652992', current_compute_partition: 'CPX', current_memory_partition: 'NPS1' },
  });
  tree.folder(`${folder}/drm/card1`).folder(`${folder}/drm/renderD128`);
  for (let partition = 0; partition < 8; partition++) {
    tree.node(`/dev/dri/renderD${128 + partition}`, `c 226:${128 + partition}`);
    if (partition > 0) tree.folder(`/sys/devices/platform/amdgpu_xcp_${partition - 1}/drm/renderD${128 + partition}`);
    tree.file(`/sys/class/kfd/kfd/topology/nodes/${2 + partition}/properties`, [
      'simd_count 152', 'simd_per_cu 4', 'gfx_target_version 90402', 'vendor_id 4098', 'device_id 29857', `location_id ${1280 + partition}`, 'domain 0',
      `drm_render_minor ${128 + partition}`, 'hive_id 15188982192727901047', 'unique_id 16404946649897475633', 'num_xcc 1',
    ].join('\n'));
    tree.file(`/sys/class/kfd/kfd/topology/nodes/${2 + partition}/mem_banks/0/properties`, 'heap_type 1\nsize_in_bytes 25767706624\nflags 0\nwidth 8192');
  }
  return tree;
}

function amdDriver(): Tree {
  return new Tree().file('/sys/module/amdgpu/version', '6.10.5').node('/dev/kfd', 'c 235:0');
}

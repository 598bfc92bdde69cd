import { DeviceAttributes } from '../device-attributes.js';
import { addressName, cardPart, pciAttributes, pciFunctions } from '../host/pci-function.js';
import type { PciFunction } from '../host/pci-function.js';
import type { CounterSet, InventoryDevice } from '../inventory.js';
import { firstMissingNode } from '../required-nodes.js';
import { drmNodes } from './drm-nodes.js';
import type { FoundCard, FoundGpu, GpuScan } from './gpu-scan.js';
import { kfdNodes } from './kfd-topology.js';
import type { KfdNode } from './kfd-topology.js';

/** Every program that computes opens it, whatever GPU it has. */
export const KFD_NODE = '/dev/kfd';

/** GPUs of AMD and their partitions, from sysfs of amdgpu and the compute topology. */
export async function amdCards(scan: GpuScan): Promise<FoundCard[]> {
  const { host, signal } = scan;
  // Accelerators without display are of class 1200 since MI300.
  const functions = await pciFunctions(host, (vendor, classCode) => vendor === '1002' && /^(?:03|1200)/.test(classCode), signal);
  if (functions.length === 0) return [];
  const topology = await kfdNodes(host, signal);
  const driverVersion = await host.text('/sys/module/amdgpu/version');
  const cards: FoundCard[] = [];
  for (const pci of functions) {
    signal.throwIfAborted();
    const nodes = topology.filter(({ slot }) => pci.address.startsWith(`${slot}.`)).sort((a, b) => a.partition - b.partition);
    const card = await cardAt(scan, pci, nodes, driverVersion);
    if (card !== undefined) cards.push(card);
  }
  return cards;
}

async function cardAt(
  { host, report }: GpuScan, pci: PciFunction, nodes: readonly KfdNode[], driverVersion: string | undefined,
): Promise<FoundCard | undefined> {
  const name = `gpu-${addressName(pci.address)}`;
  const withhold = (code: string, subject: string, why: string): undefined => void report({ code, subject, message: `${subject} is not offered: ${why}` });
  if (pci.driver !== 'amdgpu') return withhold('DRA343', name, `it is bound to ${pci.driver ?? 'no kernel driver'}, not to amdgpu.`);
  const drm = await drmNodes(host, pci.folder);
  if (drm.render === undefined) return withhold('DRA344', name, 'amdgpu made no render node for it.');
  const mode = (await host.text(`${pci.folder}/current_compute_partition`))?.toLowerCase();
  const memoryMode = (await host.text(`${pci.folder}/current_memory_partition`))?.toLowerCase();
  if (nodes.length === 0) return withhold('DRA344', name, 'it is missing from the compute topology of amdgpu.');
  if (nodes.some(({ partition }, index) => partition !== index)) return withhold('DRA344', name, `the compute topology shows partitions ${nodes.map(({ partition }) => partition).join(', ')} of it, not all from 0 on.`);
  const isPartitioned = nodes.length > 1;
  if (mode !== undefined && (mode === 'spx') === isPartitioned) {
    return withhold('DRA346', name, `it is in compute partition mode ${mode} and shows ${nodes.length === 1 ? 'one partition' : `${nodes.length} partitions`}: a change of its mode is not done.`);
  }

  const product = await host.text(`${pci.folder}/product_name`);
  const uniqueId = (await host.text(`${pci.folder}/unique_id`))?.toLowerCase() ?? nodes[0]?.uniqueId;
  const identity = uniqueId ?? `${pci.vendor}:${pci.device}@${pci.address}`;
  const memory = await host.text(`${pci.folder}/mem_info_vram_total`);
  const memoryBytes = memory !== undefined && /^[1-9]\d{0,17}$/.test(memory) ? memory : undefined;

  const gpus: FoundGpu[] = [];
  for (const node of nodes) {
    const deviceName = isPartitioned ? `${name}-p${node.partition}` : name;
    const renderNode = `/dev/dri/renderD${node.renderMinor}`;
    const missing = await firstMissingNode(host, [KFD_NODE, renderNode]);
    if (missing !== undefined) {
      withhold('DRA350', deviceName, `there is no device node ${missing} on the host.`);
      continue;
    }
    const attributes = new DeviceAttributes(deviceName, report);
    attributes.string('type', isPartitioned ? 'partition' : 'gpu');
    attributes.string('vendor', 'amd');
    attributes.string('productName', product);
    attributes.string('uuid', uniqueId);
    attributes.string('gfx', node.gfx);
    attributes.int('computeUnits', node.computeUnits);
    attributes.string('xgmiHive', node.hiveId);
    attributes.string('computePartition', mode);
    attributes.string('memoryPartition', memoryMode);
    attributes.int('partition', isPartitioned ? node.partition : undefined);
    attributes.version('driverVersion', driverVersion);
    pciAttributes(attributes, pci);
    const bytes = isPartitioned ? node.memoryBytes : memoryBytes ?? node.memoryBytes;
    const device: InventoryDevice = {
      name: deviceName,
      identity: isPartitioned ? `${identity}/p${node.partition}` : identity,
      parts: [cardPart(pci.address)],
      attributes: attributes.values,
      capacity: bytes === undefined ? {} : { memory: { value: bytes } },
      ...(isPartitioned && { consumesCounters: [{ counterSet: name, counters: { partitions: { value: '1' } } }] }),
      deviceNodes: [KFD_NODE, renderNode],
    };
    const cardNode = isPartitioned ? undefined : drm.card;
    gpus.push({ device, access: { vendor: 'amd', address: pci.address, renderNode, ...(cardNode !== undefined && { cardNode }) } });
  }
  const counterSets: CounterSet[] = isPartitioned ? [{ name, counters: { partitions: { value: String(nodes.length) } } }] : [];
  return { vendor: 'amd', pci, ...(product !== undefined && { product }), gpus, counterSets, isWhole: !isPartitioned };
}

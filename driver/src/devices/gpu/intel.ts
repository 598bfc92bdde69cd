import { DeviceAttributes } from '../device-attributes.js';
import { drmNodes } from './drm-nodes.js';
import type { FoundCard, GpuScan } from './gpu-scan.js';
import { addressName, cardPart, pciAttributes, pciFunctions } from '../host/pci-function.js';
import type { PciFunction } from '../host/pci-function.js';

/** GPUs of Intel and their virtual functions, from sysfs of i915 and xe. */
export async function intelCards(scan: GpuScan): Promise<FoundCard[]> {
  const functions = await pciFunctions(scan.host, (vendor, classCode) => vendor === '8086' && classCode.startsWith('03'), scan.signal);
  const cards: FoundCard[] = [];
  for (const pci of functions) {
    scan.signal.throwIfAborted();
    const card = await cardAt(scan, pci);
    if (card !== undefined) cards.push(card);
  }
  return cards;
}

async function cardAt({ host, report }: GpuScan, pci: PciFunction): Promise<FoundCard | undefined> {
  const name = `gpu-${addressName(pci.address)}`;
  const withhold = (code: string, why: string): undefined => void report({ code, subject: name, message: `${name} is not offered: ${why}` });
  if (pci.driver !== 'i915' && pci.driver !== 'xe') return withhold('DRA343', `it is bound to ${pci.driver ?? 'no kernel driver'}, not to i915 or xe.`);
  const virtualFunctions = await host.integer(`${pci.folder}/sriov_numvfs`) ?? 0;
  if (virtualFunctions > 0) return withhold('DRA346', `it is divided into ${virtualFunctions} virtual functions, which are offered instead.`);
  const { render, card } = await drmNodes(host, pci.folder);
  if (render === undefined) return withhold('DRA344', `${pci.driver} made no render node for it.`);
  if (await host.deviceNode(render) === undefined) return withhold('DRA350', `there is no device node ${render} on the host.`);
  // Of Intel's drivers outside the kernel tree; the others tell the size by ioctl only.
  const memory = card === undefined ? undefined : await host.text(`${pci.folder}/drm/${card.slice('/dev/dri/'.length)}/lmem_total_bytes`);

  const attributes = new DeviceAttributes(name, report);
  attributes.string('type', pci.physicalFunction === undefined ? 'gpu' : 'virtualFunction');
  attributes.string('vendor', 'intel');
  attributes.string('kernelDriver', pci.driver);
  // A GPU inside the processor sits on the root bus itself.
  attributes.bool('integrated', /^\/sys\/devices\/pci[^/]+\/[^/]+$/.test(pci.folder));
  attributes.string('physicalFunction', pci.physicalFunction);
  pciAttributes(attributes, pci);
  return {
    vendor: 'intel',
    pci,
    counterSets: [],
    isWhole: true,
    gpus: [{
      access: { vendor: 'intel', address: pci.address, renderNode: render, ...(card !== undefined && { cardNode: card }) },
      device: {
        name,
        identity: `${pci.vendor}:${pci.device}@${pci.address}`,
        parts: [cardPart(pci.physicalFunction ?? pci.address)],
        attributes: attributes.values,
        capacity: memory !== undefined && /^[1-9]\d{0,17}$/.test(memory) ? { memory: { value: memory } } : {},
        deviceNodes: [render],
      },
    }],
  };
}

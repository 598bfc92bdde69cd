import type { NicOfferSettings, SharedBandwidthSettings } from 'cdk8s-dra/model';
import { DeviceAttributes } from '../device-attributes.js';
import type { HostReader } from '../host/host-reader.js';
import { addressName, cardPart, pciAttributes } from '../host/pci-function.js';
import type { PciFunction } from '../host/pci-function.js';
import type { DeviceCapacity, InventoryDevice, ReportProblem } from '../inventory.js';
import type { NicFunction, VirtualFunction } from './nic-functions.js';

/** A device as it is offered, with what the backend must know to give it out. */
export interface OfferedNic {
  readonly device: InventoryDevice;
  readonly offer: NicOfferSettings;
  readonly physical: NicFunction;
  /** Of a device that is one virtual function. */
  readonly virtual?: VirtualFunction;
  /** Of a shared device: those that shares can have. */
  readonly shares?: readonly VirtualFunction[];
}

/** The devices that an offer makes of a physical function. */
export async function offeredNics(host: HostReader, physical: NicFunction, offer: NicOfferSettings, report: ReportProblem): Promise<OfferedNic[]> {
  if (offer.as === 'port') return portOf(host, physical, offer, report);
  const usable: VirtualFunction[] = [];
  for (const virtual of physical.virtualFunctions) {
    const why = await faultOf(host, virtual, offer);
    const name = virtualName(virtual.pci);
    if (why === undefined) usable.push(virtual);
    else report({ code: why.code, subject: name, message: `${name} is not offered: ${why.message}.` });
  }
  if (offer.as === 'shared-bandwidth') return sharedOf(physical, offer, usable, report);
  return usable.map((virtual) => ({ device: virtualDevice(physical, virtual, report), offer, physical, virtual }));
}

/** Nodes of a function that is bound to vfio-pci; for others there are none. */
export function vfioNodes({ driver, iommuGroup }: PciFunction): readonly string[] {
  return driver === 'vfio-pci' && iommuGroup !== undefined ? ['/dev/vfio/vfio', `/dev/vfio/${iommuGroup}`] : [];
}

function virtualName({ address }: PciFunction): string {
  return `vf-${addressName(address)}`;
}

/** Why a virtual function cannot be given out. */
interface Fault {
  readonly code: string;
  readonly message: string;
}

async function faultOf(
  host: HostReader, { pci, rdmaDevices, isResettable }: VirtualFunction, { rdma = 'auto', scrub = 'none' }: NicOfferSettings,
): Promise<Fault | undefined> {
  if (pci.driver === undefined) return { code: 'DRA343', message: 'no kernel driver is bound to it' };
  if (rdma === 'required' && rdmaDevices.length === 0) return { code: 'DRA344', message: 'it has no RDMA device, which its offer requires' };
  if (scrub === 'function-reset' && !isResettable) return { code: 'DRA344', message: 'it cannot be reset by itself, as its offer wants' };
  if (pci.driver !== 'vfio-pci') return undefined;
  if (pci.iommuGroup === undefined) return { code: 'DRA344', message: 'it is bound to vfio-pci and in no IOMMU group' };
  // Whoever has the group has everything in it.
  const others = (await host.list(`/sys/kernel/iommu_groups/${pci.iommuGroup}/devices`)).filter((address) => address !== pci.address);
  if (others.length > 0) return { code: 'DRA344', message: `it shares the IOMMU group ${pci.iommuGroup} with ${others.slice(0, 3).join(', ')}` };
  for (const node of vfioNodes(pci)) if (await host.deviceNode(node) === undefined) return { code: 'DRA350', message: `there is no device node ${node} on the host` };
  return undefined;
}

async function portOf(host: HostReader, physical: NicFunction, offer: NicOfferSettings, report: ReportProblem): Promise<OfferedNic[]> {
  const { pci, usedByHost, virtualFunctions, rdmaDevices } = physical;
  const name = `nic-${addressName(pci.address)}`;
  const withhold = (code: string, why: string): OfferedNic[] => {
    report({ code, subject: name, message: `${name} is not offered: ${why}.` });
    return [];
  };
  if (usedByHost !== undefined) return withhold('DRA347', usedByHost);
  if (pci.driver === undefined) return withhold('DRA343', 'no kernel driver is bound to it');
  if (virtualFunctions.length > 0) return withhold('DRA346', `it has ${virtualFunctions.length} virtual functions, which live by it`);
  if (offer.rdma === 'required' && rdmaDevices.length === 0) return withhold('DRA344', 'it has no RDMA device, which its offer requires');
  if (offer.scrub === 'function-reset' && !await host.exists(`${pci.folder}/reset`)) return withhold('DRA344', 'it cannot be reset by itself, as its offer wants');
  const attributes = new DeviceAttributes(name, report);
  attributes.string('type', 'port');
  commonAttributes(attributes, physical, pci, rdmaDevices);
  const device: InventoryDevice = {
    name, identity: identityOf(pci), parts: [cardPart(pci.address)], attributes: attributes.values, capacity: {}, deviceNodes: [],
  };
  return [{ device, offer, physical }];
}

function virtualDevice(physical: NicFunction, { pci, index, rdmaDevices }: VirtualFunction, report: ReportProblem): InventoryDevice {
  const name = virtualName(pci);
  const attributes = new DeviceAttributes(name, report);
  attributes.string('type', 'vf');
  attributes.string('physicalFunction', physical.pci.address);
  attributes.int('vfIndex', index);
  commonAttributes(attributes, physical, pci, rdmaDevices);
  // Virtual functions are worked on by themselves, unlike ports of a card.
  return { name, identity: identityOf(pci), parts: [`pci-function-${pci.address}`], attributes: attributes.values, capacity: {}, deviceNodes: vfioNodes(pci) };
}

function sharedOf(physical: NicFunction, offer: SharedBandwidthSettings, usable: readonly VirtualFunction[], report: ReportProblem): OfferedNic[] {
  const { pci, speedMegabits } = physical;
  const name = `nic-${addressName(pci.address)}`;
  const { total, default: byDefault, min, max, step } = offer.bandwidth;
  const value = total ?? (speedMegabits === undefined ? undefined : `${speedMegabits}M`);
  if (value === undefined || usable.length === 0) {
    const why = value === undefined ? 'the speed of its link is not known, and its offer names no total bandwidth' : 'it has no virtual function that a share could have';
    report({ code: 'DRA343', subject: name, message: `${name} is not offered: ${why}.` });
    return [];
  }
  const maxShares = Math.min(usable.length, offer.maxShares ?? usable.length);
  const validRange = { min, ...(max !== undefined && { max }), ...(step !== undefined && { step }) };
  const capacity: { readonly [name: string]: DeviceCapacity } = {
    bandwidth: { value, requestPolicy: { default: byDefault, validRange } },
    shares: { value: String(maxShares), requestPolicy: { default: '1', validValues: ['1'] } },
  };
  const attributes = new DeviceAttributes(name, report);
  attributes.string('type', 'sharedPort');
  commonAttributes(attributes, physical, pci, usable[0]?.rdmaDevices ?? []);
  const device: InventoryDevice = {
    name,
    identity: identityOf(pci),
    parts: [cardPart(pci.address)],
    attributes: attributes.values,
    capacity,
    allowMultipleAllocations: true,
    maxShares,
    deviceNodes: [],
  };
  return [{ device, offer, physical, shares: usable }];
}

/** Nothing here may change when a pod takes the interface away, or the slice would change with every claim. */
function commonAttributes(attributes: DeviceAttributes, port: NicFunction, pci: PciFunction, rdmaDevices: readonly string[]): void {
  const { interfaceName, linkType, speedMegabits, pci: { address } } = port;
  attributes.string(pci.address === address ? 'interface' : 'physicalInterface', interfaceName);
  attributes.string('linkType', linkType);
  attributes.int('speedMbps', speedMegabits);
  attributes.bool('rdma', rdmaDevices.length > 0);
  attributes.string('kernelDriver', pci.driver);
  pciAttributes(attributes, pci);
}

function identityOf({ vendor, device, address }: PciFunction): string {
  return `${vendor}:${device}@${address}`;
}

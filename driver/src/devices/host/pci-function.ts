import type { DeviceAttributes } from '../device-attributes.js';
import type { HostReader } from './host-reader.js';

/** A function on the PCI bus, as sysfs shows it. */
export interface PciFunction {
  /** Domain, bus, device and function: `0000:3b:00.0`. */
  readonly address: string;
  /** Folder in sysfs, with all links followed. */
  readonly folder: string;
  /** Four hexadecimal digits each, in lower case. */
  readonly vendor: string;
  readonly device: string;
  /** Six hexadecimal digits: `030200` is a 3D controller. */
  readonly classCode: string;
  /** Kernel driver that is bound to it. */
  readonly driver?: string;
  readonly numaNode?: number;
  /** `pci0000:3a`, by the rule of the standard attribute. */
  readonly pcieRoot?: string;
  readonly iommuGroup?: string;
  /** Address of the physical function; only of a virtual one. */
  readonly physicalFunction?: string;
}

const PCI_DEVICES = '/sys/bus/pci/devices';

/** The functions that a test of vendor and class lets through, in the order of their addresses; one that is there only in part is reported. */
export async function pciFunctions(
  host: HostReader, wanted: (vendor: string, classCode: string) => boolean, signal: AbortSignal,
): Promise<PciFunction[]> {
  const found: PciFunction[] = [];
  for (const address of (await host.root.list(PCI_DEVICES)).filter((name) => ADDRESS.test(name))) {
    signal.throwIfAborted();
    const vendor = hex(await host.text(`${PCI_DEVICES}/${address}/vendor`), 4);
    const classCode = hex(await host.text(`${PCI_DEVICES}/${address}/class`), 6);
    if (vendor === undefined || classCode === undefined || !wanted(vendor, classCode)) continue;
    const device = await pciFunction(host, address);
    if (device !== undefined) found.push(device);
  }
  // Hexadecimal digits of equal width: the order of their characters is that of the bus.
  return found.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** One function; undefined where it is not there or says not what it is. */
export async function pciFunction(host: HostReader, address: string): Promise<PciFunction | undefined> {
  const link = `${PCI_DEVICES}/${address}`;
  const folder = await host.target(link);
  const vendor = hex(await host.text(`${link}/vendor`), 4);
  const device = hex(await host.text(`${link}/device`), 4);
  const classCode = hex(await host.text(`${link}/class`), 6);
  if (folder === undefined || vendor === undefined || device === undefined || classCode === undefined) return undefined;
  const numaNode = await host.integer(`${folder}/numa_node`);
  const driver = await lastPart(host, `${folder}/driver`);
  const iommuGroup = await lastPart(host, `${folder}/iommu_group`);
  const physicalFunction = await lastPart(host, `${folder}/physfn`);
  const pcieRoot = pcieRootOf(folder, address);
  return {
    address,
    folder,
    vendor,
    device,
    classCode,
    ...(driver !== undefined && { driver }),
    // Firmware that names no node yields -1.
    ...(numaNode !== undefined && numaNode >= 0 && { numaNode }),
    ...(pcieRoot !== undefined && { pcieRoot }),
    ...(iommuGroup !== undefined && /^\d+$/.test(iommuGroup) && { iommuGroup }),
    ...(physicalFunction !== undefined && ADDRESS.test(physicalFunction) && { physicalFunction }),
  };
}

/** The standard attributes, and what every function has. */
export function pciAttributes(attributes: DeviceAttributes, { address, vendor, device, numaNode, pcieRoot }: PciFunction): void {
  attributes.string('pciVendor', vendor);
  attributes.string('pciDevice', device);
  // The rule of the standard attribute knows domains of four digits only; those of Intel VMD have five.
  if (STANDARD_ADDRESS.test(address)) attributes.string('resource.kubernetes.io/pciBusID', address);
  attributes.string('resource.kubernetes.io/pcieRoot', pcieRoot);
  attributes.int('resource.kubernetes.io/numaNode', numaNode);
}

/** The last PCI address on a path of sysfs: what a port, a network interface or an FPGA region hangs on. */
export function addressIn(path: string): string | undefined {
  return path.split('/').reverse().find((part) => ADDRESS.test(part));
}

/** The part of a device name that an address makes: `0000-3b-00-0`. */
export function addressName(address: string): string {
  return address.replace(/[:.]/g, '-');
}

/** What all functions of a card share. */
export function cardPart(address: string): string {
  return `pci-slot-${address.replace(/\.[0-9a-f]$/, '')}`;
}

/**
 * Whether the function answers on its bus: one that fell off reads as all ones. Undefined where sysfs does not say.
 *
 * The ids of a virtual function read as all ones always (PCIe 9.3.4.1.1), so its physical one is asked.
 */
export async function isOnBus(host: HostReader, address: string): Promise<boolean | undefined> {
  const link = `${PCI_DEVICES}/${address}`;
  if (!await host.exists(link)) return false;
  const header = await host.bytes(await host.exists(`${link}/physfn`) ? `${link}/physfn/config` : `${link}/config`, 4096);
  return header === undefined || header.length < 4 ? undefined : header.readUInt32LE(0) !== 0xffffffff;
}

/** As GetPCIeRootAttributeByPCIBusID of k8s.io/dynamic-resource-allocation decides: the first part of the path below /sys/devices. */
function pcieRootOf(folder: string, address: string): string | undefined {
  const [, root] = /^\/sys\/devices\/(pci[^/]+)\//.exec(folder) ?? [];
  return folder.endsWith(`/${address}`) ? root : undefined;
}

async function lastPart(host: HostReader, link: string): Promise<string | undefined> {
  return (await host.target(link))?.split('/').at(-1);
}

function hex(text: string | undefined, digits: number): string | undefined {
  const [, value] = new RegExp(`^0x([0-9a-f]{${digits}})$`, 'i').exec(text ?? '') ?? [];
  return value?.toLowerCase();
}

const ADDRESS = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]$/;
const STANDARD_ADDRESS = /^[0-9a-f]{4}:/;

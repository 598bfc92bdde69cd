import type { HostReader } from '../host/host-reader.js';
import { pciFunctions } from '../host/pci-function.js';
import type { PciFunction } from '../host/pci-function.js';

/** A physical function of a network card. */
export interface NicFunction {
  readonly pci: PciFunction;
  /** On the host now; a pod that has the interface takes it out of sight. */
  readonly interfaceName?: string;
  readonly hardwareAddress?: string;
  readonly linkType?: 'ethernet' | 'infiniband';
  readonly speedMegabits?: number;
  readonly rdmaDevices: readonly string[];
  readonly virtualFunctions: readonly VirtualFunction[];
  /** Why the host needs the interface itself. */
  readonly usedByHost?: string;
}

export interface VirtualFunction {
  readonly pci: PciFunction;
  readonly index: number;
  readonly rdmaDevices: readonly string[];
  /** It can be reset by itself. */
  readonly isResettable: boolean;
}

/**
 * Network functions of a host with their virtual functions, which somebody made before: making them takes no more than a number in a file, but
 * unmakes those in use.
 *
 * Files: Documentation/ABI/testing/sysfs-class-net, sysfs-bus-pci (sriov_*, virtfnN, physfn, reset) and stable/sysfs-class-infiniband of Linux.
 */
export async function nicFunctions(host: HostReader, signal: AbortSignal): Promise<NicFunction[]> {
  const all = await pciFunctions(host, (_, classCode) => classCode.startsWith('02'), signal);
  const defaultRoutes = await interfacesWithDefaultRoute(host);
  const found: NicFunction[] = [];
  for (const pci of all.filter(({ physicalFunction }) => physicalFunction === undefined)) {
    signal.throwIfAborted();
    const net = await interfaceOf(host, pci.folder);
    const rdmaDevices = await host.list(`${pci.folder}/infiniband`);
    const usedByHost = await hostUseOf(host, pci.folder, defaultRoutes);
    const hardwareAddress = net === undefined ? undefined : await host.text(`${net.folder}/address`);
    const linkType = await linkTypeOf(host, pci.folder, net?.folder, rdmaDevices);
    const speedMegabits = await speedOf(host, pci.folder, net?.folder, rdmaDevices);
    found.push({
      pci,
      ...(net && { interfaceName: net.name }),
      ...(hardwareAddress !== undefined && { hardwareAddress }),
      ...(linkType && { linkType }),
      ...(speedMegabits !== undefined && { speedMegabits }),
      rdmaDevices,
      virtualFunctions: await virtualFunctionsOf(host, pci, all),
      ...(usedByHost !== undefined && { usedByHost }),
    });
  }
  return found;
}

interface NetInterface {
  readonly name: string;
  readonly folder: string;
}

/** The first network interface of a function. */
export async function interfaceOf(host: HostReader, functionFolder: string): Promise<NetInterface | undefined> {
  return (await interfacesOf(host, functionFolder))[0];
}

/** Those of a virtio function lie one folder deeper. Some cards have two ports on one function, and a port in switchdev mode has its representors beside it. */
async function interfacesOf(host: HostReader, functionFolder: string): Promise<NetInterface[]> {
  const virtio = (await host.list(functionFolder)).find((name) => /^virtio\d+$/.test(name));
  const folder = virtio === undefined ? `${functionFolder}/net` : `${functionFolder}/${virtio}/net`;
  return (await host.list(folder)).map((name) => ({ name, folder: `${folder}/${name}` }));
}

/** Why the host needs one of the interfaces of a function, which a pod would get all together. */
async function hostUseOf(host: HostReader, functionFolder: string, defaultRoutes: ReadonlySet<string> | undefined): Promise<string | undefined> {
  for (const { name, folder } of await interfacesOf(host, functionFolder)) {
    if (defaultRoutes === undefined) return `whether the default route of the host goes through ${name} cannot be read from ${ROUTES} below hostRoot`;
    if (defaultRoutes.has(name)) return `the default route of the host goes through ${name}`;
    if (await host.exists(`${folder}/master`)) return `${name} is part of a bond or bridge of the host`;
    const upper = (await host.list(folder)).find((entry) => entry.startsWith(UPPER));
    if (upper !== undefined) return `${name} carries ${upper.slice(UPPER.length)} of the host`;
  }
  return undefined;
}

/** A link to each interface that lies on another, such as a VLAN. */
const UPPER = 'upper_';

async function virtualFunctionsOf(host: HostReader, { address, folder }: PciFunction, all: readonly PciFunction[]): Promise<VirtualFunction[]> {
  const found: VirtualFunction[] = [];
  for (const name of await host.list(folder)) {
    const [, index] = /^virtfn(\d{1,4})$/.exec(name) ?? [];
    if (index === undefined) continue;
    const target = (await host.target(`${folder}/${name}`))?.split('/').at(-1);
    const pci = all.find((candidate) => candidate.address === target && candidate.physicalFunction === address);
    if (pci === undefined) continue;
    found.push({
      pci,
      index: Number(index),
      rdmaDevices: await host.list(`${pci.folder}/infiniband`),
      isResettable: await host.exists(`${pci.folder}/reset`),
    });
  }
  return found.sort((a, b) => a.index - b.index);
}

/** ARPHRD_ETHER is 1, ARPHRD_INFINIBAND 32. */
async function linkTypeOf(host: HostReader, folder: string, net: string | undefined, rdma: readonly string[]): Promise<NicFunction['linkType']> {
  const type = net === undefined ? undefined : await host.integer(`${net}/type`);
  if (type === 1) return 'ethernet';
  if (type === 32) return 'infiniband';
  const layer = rdma[0] === undefined ? undefined : await host.text(`${folder}/infiniband/${rdma[0]}/ports/1/link_layer`);
  return layer === 'Ethernet' ? 'ethernet' : layer === 'InfiniBand' ? 'infiniband' : undefined;
}

/** Of the link as it is: without one there is no speed. */
async function speedOf(host: HostReader, folder: string, net: string | undefined, rdma: readonly string[]): Promise<number | undefined> {
  const speed = net === undefined ? undefined : await host.integer(`${net}/speed`);
  // Unknown is -1, which older drivers print as if it had no sign.
  if (speed !== undefined && speed > 0 && speed < 0xffffffff) return speed;
  const rate = rdma[0] === undefined ? undefined : await host.text(`${folder}/infiniband/${rdma[0]}/ports/1/rate`);
  const [, gigabits] = /^(\d{1,5}(?:\.\d)?) Gb\/sec/.exec(rate ?? '') ?? [];
  return gigabits === undefined || Number(gigabits) === 0 ? undefined : Math.round(Number(gigabits) * 1000);
}

/**
 * The routes of the host's first process, since the agent may have a network of its own. Undefined when they cannot be read, which is not the same as none:
 * where the host's /proc is not mounted below the root, any port may be the one by which the host is reached.
 */
async function interfacesWithDefaultRoute(host: HostReader): Promise<ReadonlySet<string> | undefined> {
  // A kernel that knows networks has the one of IPv4, with routes or without.
  const routes = await routeLines(host, 'route');
  const routes6 = (await host.list(ROUTES)).includes('ipv6_route') ? await routeLines(host, 'ipv6_route') : [];
  if (routes === undefined || routes6 === undefined) return undefined;
  const found = new Set<string>();
  for (const [name, destination, , , , , , mask] of routes) {
    if (name !== undefined && destination === '00000000' && mask === '00000000') found.add(name);
  }
  for (const fields of routes6) {
    // Local and rejecting routes go through lo.
    if (/^0{32}$/.test(fields[0] ?? '') && fields[1] === '00' && fields[9] !== undefined && fields[9] !== 'lo') found.add(fields[9]);
  }
  return found;
}

async function routeLines(host: HostReader, file: string): Promise<string[][] | undefined> {
  const bytes = await host.bytes(`${ROUTES}/${file}`, MAX_ROUTES_BYTES);
  return bytes?.toString('utf8').split('\n').map((line) => line.trim().split(/\s+/));
}

const ROUTES = '/proc/1/net';

/** A node of a large cluster may have a route for each of the others, of 128 bytes and more. */
const MAX_ROUTES_BYTES = 4 * 1024 * 1024;

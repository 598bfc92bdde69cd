import type { HostReader } from '../host/host-reader.js';
import { addressIn, addressName, cardPart, pciFunction } from '../host/pci-function.js';
import type { ReportProblem } from '../inventory.js';
import type { FoundFpga } from './found-fpga.js';

const REGIONS = '/sys/class/fpga_region';

/**
 * Ports of FPGA cards that follow the device feature list framework: each port is a region that can be programmed by itself, and a device.
 *
 * Layout: Documentation/fpga/dfl.rst and Documentation/ABI/testing/sysfs-platform-dfl-{fme,port} of Linux. A region with a management engine
 * (`dfl-fme.N`) is a card; a card on a virtual function has a port and no engine.
 */
export async function dflFpgas(host: HostReader, report: ReportProblem, signal: AbortSignal): Promise<FoundFpga[]> {
  const found: FoundFpga[] = [];
  for (const region of await host.list(REGIONS)) {
    signal.throwIfAborted();
    const folder = await host.target(`${REGIONS}/${region}`);
    if (folder === undefined) continue;
    const names = await host.list(folder);
    const ports = names.filter((name) => /^dfl-port\.\d+$/.test(name));
    if (ports.length === 0) continue;
    const engine = names.find((name) => /^dfl-fme\.\d+$/.test(name));
    const card = await cardAt(host, folder, engine);
    for (const port of ports) {
      const fpga = await portAt(host, report, `${folder}/${port}`, port, card);
      if (fpga !== undefined) found.push(fpga);
    }
  }
  return found;
}

interface DflCard {
  readonly name: string;
  readonly address?: string;
  readonly pci?: FoundFpga['pci'];
  readonly manager?: string;
  readonly shellId?: string;
  readonly bitstreamId?: string;
}

async function cardAt(host: HostReader, folder: string, engine: string | undefined): Promise<DflCard> {
  const address = addressIn(folder);
  const pci = address === undefined ? undefined : await pciFunction(host, address);
  const card = { name: `fpga-${address === undefined ? folder.split('/').at(-1) ?? '' : addressName(address)}`, ...(address !== undefined && { address }), ...(pci && { pci }) };
  if (engine === undefined) return card;
  const inner = `${folder}/${engine}`;
  const bitstreamId = await host.text(`${inner}/bitstream_id`);
  const managerDevice = (await host.list(inner)).find((name) => /^dfl-fme-mgr\.\d+$/.test(name));
  const manager = managerDevice === undefined ? undefined : (await host.list(`${inner}/${managerDevice}/fpga_manager`)).at(0);
  let shellId: string | undefined;
  for (const name of await host.list(inner)) {
    if (!/^dfl-fme-region\.\d+$/.test(name)) continue;
    for (const region of await host.list(`${inner}/${name}/fpga_region`)) shellId ??= await host.text(`${inner}/${name}/fpga_region/${region}/compat_id`);
  }
  return {
    ...card,
    ...(manager !== undefined && { manager: `/sys/class/fpga_manager/${manager}` }),
    ...(shellId !== undefined && { shellId }),
    ...(bitstreamId !== undefined && { bitstreamId }),
  };
}

async function portAt(host: HostReader, report: ReportProblem, folder: string, port: string, card: DflCard): Promise<FoundFpga | undefined> {
  const id = await host.text(`${folder}/id`);
  const name = `${card.name}-port-${id ?? ''}`;
  if (id === undefined || !/^\d{1,3}$/.test(id)) return void report({ code: 'DRA344', subject: folder, message: `${port} of ${card.name} is not offered: it does not say its number in ${folder}/id.` });
  const functionId = await host.text(`${folder}/afu_id`);
  const { address, pci, manager, shellId, bitstreamId } = card;
  const version = bitstreamId === undefined ? undefined : shellVersion(bitstreamId);
  return {
    name,
    identity: `${pci === undefined ? 'dfl' : `${pci.vendor}:${pci.device}`}@${address ?? card.name}/port${id}`,
    card: address === undefined ? card.name : cardPart(address),
    access: {
      kind: 'dfl',
      ...(address !== undefined && { address }),
      port: id,
      ...(manager !== undefined && { manager }),
      functionFile: `${folder}/afu_id`,
      deviceNodes: [`/dev/${port}`],
    },
    ...(pci && { pci }),
    ...(shellId !== undefined && { shellId }),
    ...(version !== undefined && { shellVersion: version }),
    ...(functionId !== undefined && { functionId }),
    facts: { bitstreamId, port: id },
  };
}

/** Bits 56 to 59, 52 to 55 and 48 to 51 of the bitstream id, as OPAE counts (FPGA_BBS_VER_MAJOR and the two below it). */
function shellVersion(bitstreamId: string): string | undefined {
  const [, digits] = /^0x([0-9a-f]{1,16})$/i.exec(bitstreamId) ?? [];
  const version = digits?.padStart(16, '0').slice(1, 4);
  return version === undefined ? undefined : [...version].map((digit) => parseInt(digit, 16)).join('.');
}

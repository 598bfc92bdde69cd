import type { HostReader } from '../host/host-reader.js';
import { addressName, cardPart, pciFunctions } from '../host/pci-function.js';
import type { ReportProblem } from '../inventory.js';
import type { FoundFpga } from './found-fpga.js';

/** AMD (Xilinx), Amazon, Advantech and Arista sell cards with this shell. */
const VENDORS = new Set(['10ee', '1d0f', '13fe', '3475']);

/**
 * Cards that the kernel drivers xocl and xclmgmt of the Xilinx runtime show.
 *
 * A card has a user function, which containers get, and a management function, which they must not; a virtual machine has the first alone.
 * Layout: k8s-device-plugin/fpga.go of Xilinx/FPGA_as_a_Service (cac8e91) and the runtime's page on sysfs nodes.
 */
export async function xrtFpgas(host: HostReader, report: ReportProblem, signal: AbortSignal): Promise<FoundFpga[]> {
  const found: FoundFpga[] = [];
  for (const pci of await pciFunctions(host, (vendor) => VENDORS.has(vendor), signal)) {
    signal.throwIfAborted();
    if (!await host.exists(`${pci.folder}/user_pf`)) continue;
    const name = `fpga-${addressName(pci.address)}`;
    const names = await host.list(pci.folder);
    const inside = async (prefix: string, file: string): Promise<string | undefined> => {
      const folder = names.find((entry) => entry.startsWith(prefix));
      return folder === undefined ? undefined : host.text(`${pci.folder}/${folder}/${file}`);
    };
    const shell = await inside('rom.u.', 'VBNV');
    const render = (await host.list(`${pci.folder}/drm`)).find((entry) => /^renderD\d+$/.test(entry));
    if (shell === undefined || render === undefined) {
      const missing = shell === undefined ? 'the name of its shell (rom.u.*/VBNV) is not there yet' : 'xocl made no render node for it';
      report({ code: 'DRA343', subject: name, message: `${name} is not offered: ${missing}. After a reset this takes some seconds.` });
      continue;
    }
    const [interfaceId, functionId] = [await firstLine(host, `${pci.folder}/interface_uuids`), await host.text(`${pci.folder}/xclbinuuid`)];
    const serial = await inside('xmc.u.', 'serial_num') ?? await inside('hwmon_sdm.u.', 'serial_num');
    const version = /_(\d{1,6})$/.exec(shell)?.[1];
    found.push({
      name,
      // A card may have two FPGAs with one serial number.
      identity: `${serial ?? `${pci.vendor}:${pci.device}`}@${pci.address}`,
      card: cardPart(pci.address),
      access: { kind: 'xrt', address: pci.address, functionFile: `${pci.folder}/xclbinuuid`, deviceNodes: [`/dev/dri/${render}`] },
      pci,
      shellId: shell,
      ...(version !== undefined && { shellVersion: version }),
      ...(functionId !== undefined && { functionId }),
      facts: { interfaceId, serialNumber: serial, timestamp: await inside('rom.u.', 'timestamp') },
    });
  }
  return found;
}

async function firstLine(host: HostReader, path: string): Promise<string | undefined> {
  return (await host.text(path))?.split('\n')[0]?.trim();
}

import type { FoundFpga } from './found-fpga.js';
import type { HostReader } from '../host/host-reader.js';
import { addressIn, addressName, cardPart, pciFunction } from '../host/pci-function.js';

export const MANAGERS = '/sys/class/fpga_manager';

/**
 * FPGAs that only an FPGA manager speaks for, as on a system on a chip: one device each.
 *
 * Layout: Documentation/ABI/testing/sysfs-class-fpga-manager of Linux. Managers below a device feature list belong to their ports.
 */
export async function managerFpgas(host: HostReader, signal: AbortSignal): Promise<FoundFpga[]> {
  const found: FoundFpga[] = [];
  for (const manager of await host.list(MANAGERS)) {
    signal.throwIfAborted();
    const folder = await host.target(`${MANAGERS}/${manager}`);
    if (folder === undefined || folder.includes('/dfl-fme') || !/^[a-z0-9][a-z0-9-]{0,40}$/.test(manager)) continue;
    const address = addressIn(folder);
    const pci = address === undefined ? undefined : await pciFunction(host, address);
    const shellId = await host.text(`${MANAGERS}/${manager}/name`);
    const name = `fpga-${address === undefined ? manager : addressName(address)}`;
    found.push({
      name,
      identity: address === undefined ? folder.replace(/^\/sys\/devices\//, '') : `${pci === undefined ? 'fpga' : `${pci.vendor}:${pci.device}`}@${address}`,
      card: address === undefined ? name : cardPart(address),
      access: { kind: 'manager', ...(address !== undefined && { address }), manager: `${MANAGERS}/${manager}`, deviceNodes: [] },
      ...(pci && { pci }),
      ...(shellId !== undefined && { shellId }),
      facts: {},
    });
  }
  return found;
}

/** What is wrong with the FPGA that a manager speaks for; undefined when it operates, or does not say. */
export async function managerFault(host: HostReader, manager: string): Promise<string | undefined> {
  const state = await host.text(`${manager}/state`);
  const status = await host.text(`${manager}/status`);
  if (status !== undefined) return `the FPGA manager says ${status.split('\n').join(', ')}`;
  return state !== undefined && (state.endsWith('error') || state === 'power off' || state === 'reset') ? `the FPGA manager is in state ${state}` : undefined;
}

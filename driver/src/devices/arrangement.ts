import type { InventoryDevice, ReportProblem } from './inventory.js';
import { fits, fitsAny } from './name-pattern.js';

/** Which devices come first, and which are kept back. */
export interface Arrangement {
  readonly order?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly reserve?: number | undefined;
}

/** Puts devices into the order of preference and keeps back what the settings say. */
export function arrange(
  devices: readonly InventoryDevice[], { order = [], exclude = [], reserve = 0 }: Arrangement, report: ReportProblem,
): InventoryDevice[] {
  const keepBack = ({ name }: InventoryDevice, why: string): void => report({ code: 'DRA347', subject: name, message: `${name} is kept back: ${why}.` });
  const rank = ({ name, identity }: InventoryDevice): number => {
    const found = order.findIndex((wanted) => fits(name, wanted) || fits(identity, wanted));
    return found < 0 ? order.length : found;
  };
  const ordered = devices
    .filter((device) => {
      const isExcluded = fitsAny(device.name, exclude) || fitsAny(device.identity, exclude);
      if (isExcluded) keepBack(device, 'exclude names it');
      return !isExcluded;
    })
    .map((device) => ({ device, rank: rank(device) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ device }) => device);
  const offered = Math.max(0, ordered.length - reserve);
  for (const device of ordered.slice(offered)) keepBack(device, reserve === 1 ? 'the last device is the node\'s reserve' : `the last ${reserve} devices are the node's reserve`);
  return ordered.slice(0, offered);
}

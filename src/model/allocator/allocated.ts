import { readFlag, readList, readObject, readOptionalText, readQuantity, readText } from '../decoding';
import type { Quantity } from '../quantity';

/** The devices of one pool that are in use. */
export interface PoolUse {
  /** Devices that belong to one claim. */
  readonly dedicated: Set<string>;
  /** Devices with a share in use. */
  readonly shared: Set<string>;
  /** Amounts in use of shared devices, by device and capacity. */
  readonly consumed: Map<string, Map<string, Quantity>>;
}

/** Everything in use, by pool. */
export type AllocatedState = ReadonlyMap<string, PoolUse>;

/** One key for a driver and a pool; neither name can have the separator. */
export function poolKey(driver: string, pool: string): string {
  return `${driver}\n${pool}`;
}

const ENTRY_NAMES = ['driver', 'pool', 'device'] as const;

/**
 * Reads what is allocated: entries of `status.allocation.devices.results`, or whole ResourceClaims, in any mix.
 *
 * Counts as the scheduler counts: admin access is no use, an entry with a share id is a share when consumable capacity is on.
 */
export function readAllocated(value: unknown, consumableCapacity: boolean, path: string): AllocatedState {
  const state = new Map<string, PoolUse>();
  const list = readList(value, path);
  for (let i = 0; i < list.length; i++) {
    const entry = readObject(list[i], `${path}[${i}]`);
    if (ENTRY_NAMES.some(name => (entry[name] ?? undefined) !== undefined)) {
      // A name that is missing would leave the device free.
      const missing = ENTRY_NAMES.find(name => readText(entry[name], `${path}[${i}].${name}`) === '');
      if (missing !== undefined) throw new Error(`'${path}[${i}].${missing}' is missing: an entry names driver, pool and device.`);
      add(state, entry, consumableCapacity, `${path}[${i}]`);
      continue;
    }
    const status = readObject(entry.status, `${path}[${i}].status`);
    const devices = readObject(readObject(status.allocation, `${path}[${i}].status.allocation`).devices, `${path}[${i}].status.allocation.devices`);
    const at = `${path}[${i}].status.allocation.devices.results`;
    readList(devices.results, at).forEach((result, j) => add(state, readObject(result, `${at}[${j}]`), consumableCapacity, `${at}[${j}]`));
  }
  return state;
}

function add(state: Map<string, PoolUse>, entry: Readonly<Record<string, unknown>>, consumableCapacity: boolean, path: string): void {
  const key = poolKey(readText(entry.driver, `${path}.driver`), readText(entry.pool, `${path}.pool`));
  const device = readText(entry.device, `${path}.device`);
  const shareId = readOptionalText(entry.shareID, `${path}.shareID`);
  const amounts = entry.consumedCapacity ?? undefined;
  const consumed = amounts === undefined ? undefined : Object.entries(readObject(amounts, `${path}.consumedCapacity`))
    .map(([name, amount]) => [name, readQuantity(amount, `${path}.consumedCapacity.${name}`)] as const);
  if (readFlag(entry.adminAccess, `${path}.adminAccess`)) return;

  let use = state.get(key);
  if (!use) state.set(key, use = { dedicated: new Set(), shared: new Set(), consumed: new Map() });
  if (shareId === undefined || !consumableCapacity) {
    use.dedicated.add(device);
    return;
  }
  use.shared.add(device);
  if (!consumed) return;
  let total = use.consumed.get(device);
  if (!total) use.consumed.set(device, total = new Map());
  for (const [name, amount] of consumed) {
    const before = total.get(name);
    total.set(name, before ? before.add(amount) : amount);
  }
}

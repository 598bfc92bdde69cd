import type { DeviceClaim } from '../../src/devices/device-claim.js';
import type { Inventory, InventoryDevice } from '../../src/devices/inventory.js';
import { NodeFailure } from '../../src/devices/node-failure.js';

export const SIGNAL = new AbortController().signal;

/** A claim for one device, as the agent would hand it over. */
export function claimFor(device: InventoryDevice, more: Partial<DeviceClaim> = {}): DeviceClaim {
  return {
    claim: { uid: '8a1f0a2e-6f0e-4c41-9a2b-2f7d5e3c9b10', namespace: 'vision', name: 'trainer' },
    requests: ['device'],
    device,
    consumedCapacity: {},
    adminAccess: false,
    config: [],
    otherIntents: [],
    ...more,
  };
}

export function deviceNamed({ devices }: Inventory, name: string): InventoryDevice {
  const found = devices.find((device) => device.name === name);
  if (found === undefined) throw new Error(`${name} is not among ${devices.map((device) => device.name).join(', ')}`);
  return found;
}

/** The failure that an act ends with. */
export async function failureOf(act: () => unknown): Promise<NodeFailure> {
  try {
    await act();
  } catch (error) {
    if (error instanceof NodeFailure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

/** `code subject` of each problem. */
export function problemsOf({ problems }: Inventory): string[] {
  return problems.map(({ code, subject }) => `${code} ${subject}`);
}

import type { Inventory, InventoryDevice } from '../../../src/devices/inventory.js';

export function device(name: string, fields: Partial<InventoryDevice> = {}): InventoryDevice {
  return { name, identity: `id-${name}`, parts: [name], attributes: { model: { string: 'X1' } }, capacity: { memory: { value: '40Gi' } }, deviceNodes: [], ...fields };
}

export function inventory(devices: readonly InventoryDevice[], counterSets: Inventory['counterSets'] = []): Inventory {
  return { devices, counterSets, problems: [] };
}

/** `count` devices, gpu-0 and on. */
export function gpus(count: number): readonly InventoryDevice[] {
  return Array.from({ length: count }, (_, index) => device(`gpu-${index}`));
}

/** A card with its whole and `parts` partitions, over one counter set. */
export function card(name: string, parts: number): { readonly devices: readonly InventoryDevice[]; readonly counterSets: Inventory['counterSets'] } {
  const take = (slices: number) => [{ counterSet: name, counters: { slices: { value: String(slices) } } }];
  return {
    devices: [
      device(name, { consumesCounters: take(parts) }),
      ...Array.from({ length: parts }, (_, index) => device(`${name}-part-${index}`, { consumesCounters: take(1) })),
    ],
    counterSets: [{ name, counters: { slices: { value: String(parts) } } }],
  };
}

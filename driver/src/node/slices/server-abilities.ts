/** What the API server keeps of a slice; the rest it drops without a word when a feature is off. */
export interface ServerAbilities {
  /** `DRADeviceTaints`. */
  readonly taints: boolean;
  /** `DRAPartitionableDevices`, and where counter sets belong: 1.34 wants them beside the devices, later ones in slices of their own. */
  readonly counters: 'dropped' | 'beside-devices' | 'own-slices';
  /** `DRAConsumableCapacity`. */
  readonly shares: boolean;
}

/** What every supported server keeps. */
export const LEAST_ABILITIES: ServerAbilities = { taints: false, counters: 'dropped', shares: false };

export function sameAbilities(a: ServerAbilities, b: ServerAbilities): boolean {
  return a.taints === b.taints && a.counters === b.counters && a.shares === b.shares;
}

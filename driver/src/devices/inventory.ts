/** What a backend found, in the order of preference. */
export interface Inventory {
  readonly devices: readonly InventoryDevice[];
  /** Counters that partitions of one card share. */
  readonly counterSets: readonly CounterSet[];
  /** What is there and cannot be given out, with the reason. */
  readonly problems: readonly InventoryProblem[];
}

/** A device as its slice will say, and what only the node knows. */
export interface InventoryDevice {
  /** DNS label, stable over restarts and reboots. */
  readonly name: string;
  /** What the hardware calls itself: UUID, serial number or bus address; never reused for another piece. */
  readonly identity: string;
  /** Pieces of hardware that work on this device touches; work that shares a piece is done one after another. Siblings on a card share the card. */
  readonly parts: readonly string[];
  readonly attributes: { readonly [name: string]: AttributeValue };
  readonly capacity: { readonly [name: string]: DeviceCapacity };
  /** Several claims may have shares of it. */
  readonly allowMultipleAllocations?: boolean;
  /** Claims that may have a share at once; absent: as many as capacity allows. */
  readonly maxShares?: number;
  readonly consumesCounters?: readonly CounterConsumption[];
  /** Device nodes on the host without which it is not whole. */
  readonly deviceNodes: readonly string[];
}

export type AttributeValue =
  | { readonly bool: boolean }
  | { readonly int: number }
  | { readonly string: string }
  | { readonly version: string };

export interface DeviceCapacity {
  /** Quantity. */
  readonly value: string;
  readonly requestPolicy?: {
    readonly default?: string;
    readonly validValues?: readonly string[];
    readonly validRange?: { readonly min: string; readonly max?: string; readonly step?: string };
  };
}

export interface CounterSet {
  readonly name: string;
  /** Quantities by counter. */
  readonly counters: { readonly [name: string]: { readonly value: string } };
}

export interface CounterConsumption {
  readonly counterSet: string;
  readonly counters: { readonly [name: string]: { readonly value: string } };
}

/** Something that was found and is not offered. */
export interface InventoryProblem {
  /** Code of the catalogue, DRA3xx. */
  readonly code: string;
  /** Device name or path. */
  readonly subject: string;
  readonly message: string;
}

/** Takes a problem that was found while looking at the hardware. */
export type ReportProblem = (problem: InventoryProblem) => void;

import type { GpuSettings, GpuVendorName } from 'cdk8s-dra/model';
import type { HostReader } from '../host/host-reader.js';
import type { PciFunction } from '../host/pci-function.js';
import type { CounterSet, InventoryDevice, ReportProblem } from '../inventory.js';

/** One look at the GPUs of a host. */
export interface GpuScan {
  readonly host: HostReader;
  readonly settings: GpuSettings;
  readonly report: ReportProblem;
  readonly signal: AbortSignal;
}

/** How a device is reached; goes into the record of a claim, so that everything after needs no look at the hardware before. */
export type GpuAccess = NvidiaAccess | DrmAccess;

export interface NvidiaAccess {
  readonly vendor: 'nvidia';
  readonly address: string;
  readonly uuid: string;
  readonly minor: number;
  /** Of a MIG device: minors of the capability nodes of its GPU instance and compute instance. */
  readonly capabilities?: readonly [gpuInstance: number, computeInstance: number];
}

export interface DrmAccess {
  readonly vendor: 'amd' | 'intel';
  readonly address: string;
  readonly renderNode: string;
  readonly cardNode?: string;
}

/** A device as discovery found it, with what the backend must remember about it. */
export interface FoundGpu {
  readonly device: InventoryDevice;
  readonly access: GpuAccess;
}

/** All devices of one card. */
export interface FoundCard {
  readonly vendor: GpuVendorName;
  readonly pci: PciFunction;
  readonly product?: string;
  readonly gpus: readonly FoundGpu[];
  readonly counterSets: readonly CounterSet[];
  /** The card as a whole is one device: its memory may be told by a product entry, and it may be shared. */
  readonly isWhole: boolean;
}

/** CDI files of vendors lie here unless the settings say otherwise; the last has priority. */
export const CDI_FOLDERS = ['/etc/cdi', '/var/run/cdi'];

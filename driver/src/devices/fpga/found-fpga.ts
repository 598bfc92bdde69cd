import type { FpgaKindName } from 'cdk8s-dra/model';
import type { PciFunction } from '../host/pci-function.js';

/** How an FPGA device is reached; goes into the record of a claim. */
export interface FpgaAccess {
  readonly kind: FpgaKindName;
  /** PCI address; absent on a system on a chip. */
  readonly address?: string;
  /** Number of the port on its card (DFL). */
  readonly port?: string;
  /** Folder of the FPGA manager that programs it. */
  readonly manager?: string;
  /** File that tells which function is in it. */
  readonly functionFile?: string;
  readonly deviceNodes: readonly string[];
}

/** An FPGA, or one of its regions, as a reader found it. */
export interface FoundFpga {
  readonly name: string;
  readonly identity: string;
  /** What is programmed or reset together. */
  readonly card: string;
  readonly access: FpgaAccess;
  readonly pci?: PciFunction;
  /** Static part: what an image must be built for. */
  readonly shellId?: string;
  readonly shellVersion?: string;
  /** What is in it now. */
  readonly functionId?: string;
  /** More facts about it, as texts. */
  readonly facts: { readonly [attribute: string]: string | undefined };
}

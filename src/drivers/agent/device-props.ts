import type { DeviceAttributeValue } from '../../dra/slice-device';

/** What all kinds of hardware have: which devices come first, and which are kept back. */
export interface DeviceOrderProps {
  /**
   * Names or identities of devices, the most preferred first; `*` stands for any text.
   * @default - the order of the bus
   */
  readonly order?: string[];
  /**
   * Names or identities of devices that are never offered; `*` stands for any text.
   * @default - none
   */
  readonly exclude?: string[];
  /**
   * Number of devices that each node keeps for itself: the last ones in the order.
   * @default 0
   */
  readonly reserve?: number;
}

/** Maker of a GPU. */
export enum GpuVendor {
  /** NVIDIA. */
  NVIDIA = 'nvidia',
  /** AMD. */
  AMD = 'amd',
  /** Intel. */
  INTEL = 'intel',
}

/** Which pieces of hardware something is about: all that is given must fit. */
export interface HardwareMatch {
  /**
   * Maker, for GPUs.
   * @default - any
   */
  readonly vendor?: GpuVendor;
  /**
   * PCI vendor and device, as `10de:20b0`.
   * @default - any
   */
  readonly pciDevice?: string;
  /**
   * Product name as the hardware says it, for GPUs; `*` stands for any text.
   * @default - any
   */
  readonly product?: string;
  /**
   * PCI address, as `0000:3b:00.0`; `*` stands for any text.
   * @default - any
   */
  readonly address?: string;
  /**
   * Kernel driver, for network functions; `*` stands for any text.
   * @default - any
   */
  readonly driver?: string;
  /**
   * Name of the network interface on the host, for network functions; `*` stands for any text.
   * @default - any
   */
  readonly interfaceName?: string;
}

/** An amount that claims may ask for part of. */
export interface SharedAmount {
  /**
   * The whole, a quantity.
   * @default - what the hardware says
   */
  readonly value?: string;
  /** What a claim gets that asks for nothing, a quantity. */
  readonly defaultAmount: string;
  /** The least that a claim may ask for, a quantity. */
  readonly min: string;
  /**
   * The most that a claim may ask for, a quantity.
   * @default - the whole
   */
  readonly max?: string;
  /**
   * Requests are rounded up to multiples of it above `min`.
   * @default - no rounding
   */
  readonly step?: string;
}

/** Who makes a container keep to its share of a GPU. */
export enum ShareEnforcement {
  /** NVIDIA's MPS control daemon, which the platform runs on the node. */
  MPS = 'mps',
  /** Nobody: containers trust each other. */
  NONE = 'none',
}

/** Where the MPS control daemon of a card is. */
export interface MpsDaemon {
  /** Folder in which it listens; `{address}` stands for the PCI address of the card. */
  readonly pipeDirectory: string;
  /**
   * Its shared memory, mounted at /dev/shm.
   * @default - the container's own
   */
  readonly shmDirectory?: string;
}

/** Cards that several claims share. */
export interface GpuSharing {
  /** Which cards. */
  readonly match: HardwareMatch;
  /** Claims that may have a share at once, 1 to 1000. */
  readonly maxShares: number;
  /**
   * What claims ask for, by capacity: `memory`, `compute` in percent, or others.
   * @default - claims are only counted
   */
  readonly capacity?: { readonly [name: string]: SharedAmount };
  /** Who makes a container keep to its share. */
  readonly enforcement: ShareEnforcement;
  /**
   * Needed for ShareEnforcement.MPS.
   * @default - none
   */
  readonly mps?: MpsDaemon;
}

/** A partition that somebody made on a card for good. */
export interface GpuPartition {
  /** Number of its GPU instance. */
  readonly gpuInstance: number;
  /** Number of its compute instance. */
  readonly computeInstance: number;
  /** Profile, as `1g.10gb`. */
  readonly profile: string;
  /**
   * Memory, a quantity.
   * @default - not published
   */
  readonly memory?: string;
  /**
   * What it takes from the card's counters, quantities by name.
   * @default - nothing
   */
  readonly counters?: { readonly [name: string]: string };
  /**
   * Further attributes, by name.
   * @default - none
   */
  readonly attributes?: { readonly [name: string]: DeviceAttributeValue };
}

/** What to do with partitions that are on a card. */
export interface GpuPartitions {
  /** Which cards. */
  readonly match: HardwareMatch;
  /**
   * Whether all partitions that are found are offered; otherwise those of `fixedPartitions`.
   * @default false
   */
  readonly discovered?: boolean;
  /**
   * What the card has in all, quantities by name, for partitions that take from counters.
   * @default - none
   */
  readonly counters?: { readonly [name: string]: string };
  /**
   * The partitions that are offered.
   * @default - none
   */
  readonly fixedPartitions?: GpuPartition[];
}

/** Facts about a product that its kernel driver does not tell. */
export interface GpuProduct {
  /** Which cards. */
  readonly match: HardwareMatch;
  /**
   * Memory of a whole card, a quantity; of NVIDIA cards it is known from here alone.
   * @default - what the kernel driver says
   */
  readonly memory?: string;
  /**
   * Attributes of its devices, by name.
   * @default - none
   */
  readonly attributes?: { readonly [name: string]: DeviceAttributeValue };
}

/** Properties of GPUs. */
export interface GpuDevicesProps extends DeviceOrderProps {
  /**
   * Makers whose cards are offered.
   * @default - all
   */
  readonly vendors?: GpuVendor[];
  /**
   * Folders on the host where the vendors' tools write CDI files; they are made where they are missing.
   * @default - /etc/cdi and /var/run/cdi
   */
  readonly cdiFolders?: string[];
  /**
   * What the kernel drivers do not tell of their cards; the first that fits counts.
   * @default - none
   */
  readonly products?: GpuProduct[];
  /**
   * Cards with partitions; a card with partitions that is not described is withheld.
   * @default - none
   */
  readonly partitions?: GpuPartitions[];
  /**
   * Cards that several claims share.
   * @default - every card belongs to one claim
   */
  readonly sharing?: GpuSharing[];
}

/** How the kernel shows an FPGA. */
export enum FpgaKind {
  /** By the device feature list framework. */
  DFL = 'dfl',
  /** By the XRT driver. */
  XRT = 'xrt',
  /** By an FPGA manager alone. */
  MANAGER = 'manager',
}

/** A configuration of an FPGA that may be loaded. */
export interface FpgaImage {
  /** What claims name, a DNS label of at most 26 characters. */
  readonly id: string;
  /** Name of the file in the folder of images. */
  readonly file: string;
  /** SHA-256 checksum of the file, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Shells that it was built for, as the attribute shellId says them; `*` stands for any text. */
  readonly shells: string[];
  /**
   * What the FPGA says it is once it is loaded: AFU id, or UUID of an xclbin.
   * @default - not compared
   */
  readonly functionId?: string;
  /**
   * Whether it holds nothing of a tenant; it is then loaded when a device is given back and when programming fails.
   * @default false
   */
  readonly safe?: boolean;
}

/** The allow-list of images. */
export interface FpgaImages {
  /** Folder on the host; below /lib/firmware when an FPGA manager loads them. */
  readonly folder: string;
  /** Images that claims may name, at least one of them safe. */
  readonly allowed: FpgaImage[];
}

/** Who loads an image. */
export enum FpgaLoader {
  /** The file `firmware` of the FPGA manager. */
  MANAGER = 'manager',
  /** A program, for what the kernel offers in no file. */
  COMMAND = 'command',
}

/** How an image gets into an FPGA. */
export interface FpgaProgramming {
  /** Who loads it. */
  readonly by: FpgaLoader;
  /**
   * Program and arguments, for FpgaLoader.COMMAND, run without a shell; `{file}`, `{address}`, `{port}` and `{manager}` are filled in. The
   * agent's image has no such program: build one on top of it.
   * @default - none
   */
  readonly command?: string[];
  /**
   * Written to `flags` before, for FpgaLoader.MANAGER: 0 for a full image, 1 for a partial one.
   * @default - not written
   */
  readonly flags?: string;
  /**
   * Seconds that loading may take, 1 to 3600.
   * @default 120
   */
  readonly timeoutSeconds?: number;
}

/** Properties of FPGAs. */
export interface FpgaDevicesProps extends DeviceOrderProps {
  /**
   * How the kernel shows them.
   * @default - all ways
   */
  readonly kinds?: FpgaKind[];
  /**
   * Images that claims may name.
   * @default - FPGAs keep their function
   */
  readonly images?: FpgaImages;
  /**
   * How images are loaded, by kind: `dfl`, `xrt`, `manager`; needed with `images`.
   * @default - none
   */
  readonly programming?: { readonly [kind: string]: FpgaProgramming };
  /**
   * Device nodes that containers get with an FPGA of kind `manager`, such as /dev/uio0.
   * @default - none
   */
  readonly managerNodes?: string[];
  /**
   * Attributes of every device, by name.
   * @default - none
   */
  readonly attributes?: { readonly [name: string]: DeviceAttributeValue };
}

/** Properties of simulated devices. */
export interface SimulatedDevicesProps extends DeviceOrderProps {
  /** Kinds of devices with their count, attributes, capacity, partitions and shares, as docs/devices.md describes them. */
  readonly fleet: any[];
  /**
   * Milliseconds that preparing a device takes.
   * @default 0
   */
  readonly prepareMilliseconds?: number;
  /**
   * Milliseconds that giving a device back takes.
   * @default 0
   */
  readonly unprepareMilliseconds?: number;
  /**
   * Folder of the agent with what the hardware would remember.
   * @default - it forgets when the agent ends
   */
  readonly stateFolder?: string;
  /**
   * Folder of the agent in which a file is a fault, such as `gpu-0.fail-prepare`.
   * @default - no faults
   */
  readonly switchFolder?: string;
}

import { absolutePath, ARRANGEMENT_FIELDS, attributes, maxShares, pattern, pciIds, quantities, quantity, sharedAmountProblem, wholeNumber, words } from './settings-fields';
import { attributeIdProblem } from '../names';
import { checked, flag, list, object, oneOf, optional, record, type ReadBy } from '../strict-reader';

export const GPU_VENDORS = ['nvidia', 'amd', 'intel'] as const;

export type GpuVendorName = typeof GPU_VENDORS[number];

/** Which cards an entry is about: all of what is given must fit. */
const match = object({
  vendor: optional(oneOf(...GPU_VENDORS)),
  pciDevice: optional(pciIds),
  /** Name of the product as the hardware says it. */
  product: optional(pattern),
  address: optional(pattern),
});

/** Facts about a product that its kernel driver does not tell. */
const product = object({ match, memory: optional(quantity), attributes: optional(attributes) });

/** A partition that somebody made for good. */
const partition = object({
  gpuInstance: wholeNumber,
  computeInstance: wholeNumber,
  profile: words,
  memory: optional(quantity),
  counters: optional(quantities),
  attributes: optional(attributes),
});

/** What to do with partitions that are on a card: nothing is offered that is not described here. */
const partitioned = checked(object({
  match,
  /** Offer whatever partitions there are. */
  discovered: optional(flag()),
  /** What the card has in all. */
  counters: optional(quantities),
  fixed: optional(list(partition)),
}), entry => (
  (entry.discovered === true) === (entry.fixed !== undefined) ? { rule: 'must have either discovered: true or fixed', help: 'Keep one of them.' } : undefined
), entry => {
  const takes = entry.fixed?.some(({ counters }) => counters !== undefined) ?? false;
  return takes && entry.counters === undefined ? { rule: 'must have counters of the card when a partition takes from them', help: 'Say what the card has in all.' } : undefined;
});

/** An amount that claims may ask for part of. */
const sharedCapacity = checked(object({
  /** The whole; may be left out for memory that the card or a product entry tells. */
  value: optional(quantity),
  /** What a claim gets that asks for nothing. */
  default: quantity,
  min: quantity,
  max: optional(quantity),
  step: optional(quantity),
}), amount => sharedAmountProblem(amount, amount.value));

const sharing = checked(object({
  match,
  maxShares,
  capacity: optional(record(sharedCapacity, attributeIdProblem)),
  /** Who makes a container keep to its share. */
  enforcement: oneOf('mps', 'none'),
  mps: optional(object({
    /** Where the control daemon of the card listens; `{address}` stands for the PCI address. */
    pipeDirectory: absolutePath,
    /** Shared memory of the daemon, mounted at /dev/shm. */
    shmDirectory: optional(absolutePath),
  })),
}), entry => ((entry.enforcement === 'mps') === (entry.mps !== undefined) ? undefined : {
  rule: 'must have mps exactly when enforcement is mps', help: 'Say where the MPS control daemon listens, or write enforcement: none.',
}), ({ enforcement, capacity }) => (enforcement !== 'mps' || capacity?.memory !== undefined || capacity?.compute !== undefined ? undefined : {
  rule: 'must share memory or compute when MPS enforces it', help: 'Add capacity.memory, or capacity.compute in percent.',
}), ({ capacity = {} }) => (Object.hasOwn(capacity, 'shares') ? {
  rule: 'must not name the capacity shares, which counts the claims', help: 'Choose another name.',
} : undefined));

/** The settings of the GPU backend. */
export const GPU_SETTINGS = object({
  backend: oneOf('gpu'),
  ...ARRANGEMENT_FIELDS,
  vendors: optional(list(oneOf(...GPU_VENDORS), { min: 1 })),
  /** Where the vendors' tools write CDI files. */
  cdiFolders: optional(list(absolutePath, { min: 1 })),
  products: optional(list(product)),
  partitions: optional(list(partitioned)),
  sharing: optional(list(sharing)),
});

export type GpuSettings = ReadBy<typeof GPU_SETTINGS>;
export type GpuMatchSettings = ReadBy<typeof match>;
export type SharingSettings = ReadBy<typeof sharing>;
export type PartitionSettings = ReadBy<typeof partitioned>;

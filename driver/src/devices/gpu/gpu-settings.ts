import { attributeIdProblem, qualifiedNameProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import { ARRANGEMENT_FIELDS } from '../arrangement.js';
import type { PciFunction } from '../host/pci-function.js';
import { absolutePath, attributeValue, dnsLabel, fits, pattern, pciIds, quantity, text, wholeNumber } from '../settings-fields.js';
import { rule } from '../strict-decode.js';

export const GPU_VENDORS = ['nvidia', 'amd', 'intel'] as const;

export type GpuVendor = typeof GPU_VENDORS[number];

/** Which cards an entry is about: all of what is given must fit. */
const match = z.strictObject({
  vendor: z.optional(z.enum(GPU_VENDORS)),
  pciDevice: z.optional(pciIds),
  /** Name of the product as the hardware says it. */
  product: z.optional(pattern),
  address: z.optional(pattern),
});

const counters = z.record(dnsLabel, quantity);

const attributes = z.record(z.string().check(rule(qualifiedNameProblem)), attributeValue);

/** Facts about a product that its kernel driver does not tell. */
const product = z.strictObject({
  match,
  memory: z.optional(quantity),
  attributes: z.optional(attributes),
});

/** What to do with partitions that are on a card: nothing is offered that is not described here. */
const partitioned = z.strictObject({
  match,
  /** Offer whatever partitions there are. */
  discovered: z.optional(z.boolean()),
  /** What the card has in all. */
  counters: z.optional(counters),
  /** The partitions that somebody made for good. */
  fixed: z.optional(z.array(z.strictObject({
    gpuInstance: wholeNumber,
    computeInstance: wholeNumber,
    profile: text,
    memory: z.optional(quantity),
    counters: z.optional(counters),
    attributes: z.optional(attributes),
  }))),
}).check(rule((entry) => {
  if ((entry.discovered === true) === (entry.fixed !== undefined)) return { rule: 'must have either discovered: true or fixed', help: 'Keep one of them.' };
  const takes = entry.fixed?.some((partition) => partition.counters !== undefined) ?? false;
  return takes && entry.counters === undefined ? { rule: 'must have counters of the card when a partition takes from them', help: 'Say what the card has in all.' } : undefined;
}));

/** An amount that claims may ask for part of. */
const sharedCapacity = z.strictObject({
  /** The whole; may be left out for memory that the card or a product entry tells. */
  value: z.optional(quantity),
  /** What a claim gets that asks for nothing. */
  default: quantity,
  min: quantity,
  max: z.optional(quantity),
  step: z.optional(quantity),
});

const sharing = z.strictObject({
  match,
  maxShares: z.int().check(z.minimum(1), z.maximum(1000)),
  capacity: z.optional(z.record(z.string().check(rule(attributeIdProblem)), sharedCapacity)),
  /** Who makes a container keep to its share. */
  enforcement: z.enum(['mps', 'none']),
  mps: z.optional(z.strictObject({
    /** Where the control daemon of the card listens; `{address}` stands for the PCI address. */
    pipeDirectory: absolutePath,
    /** Shared memory of the daemon, mounted at /dev/shm. */
    shmDirectory: z.optional(absolutePath),
  })),
}).check(rule((entry) => {
  if ((entry.enforcement === 'mps') !== (entry.mps !== undefined)) return { rule: 'must have mps exactly when enforcement is mps', help: 'Say where the MPS control daemon listens, or write enforcement: none.' };
  if (entry.enforcement === 'mps' && entry.capacity?.memory === undefined && entry.capacity?.compute === undefined) {
    return { rule: 'must share memory or compute when MPS enforces it', help: 'Add capacity.memory, or capacity.compute in percent.' };
  }
  return entry.capacity !== undefined && Object.hasOwn(entry.capacity, 'shares') ? { rule: 'must not name the capacity shares, which counts the claims', help: 'Choose another name.' } : undefined;
}));

/** The settings of the GPU backend. */
export const GPU_SETTINGS = z.strictObject({
  backend: z.literal('gpu'),
  ...ARRANGEMENT_FIELDS,
  vendors: z.optional(z.array(z.enum(GPU_VENDORS)).check(z.minLength(1))),
  /** Where the vendors' tools write CDI files. */
  cdiFolders: z.optional(z.array(absolutePath).check(z.minLength(1))),
  products: z.optional(z.array(product)),
  partitions: z.optional(z.array(partitioned)),
  sharing: z.optional(z.array(sharing)),
});

export type GpuSettings = z.infer<typeof GPU_SETTINGS>;
export type SharingSettings = z.infer<typeof sharing>;
export type PartitionSettings = z.infer<typeof partitioned>;

/** A card as an entry's match sees it. */
export interface MatchedCard {
  readonly vendor: GpuVendor;
  readonly pci: PciFunction;
  readonly product?: string | undefined;
}

/** The first entry that is about a card. */
export function entryFor<T extends { readonly match: z.infer<typeof match> }>(
  entries: readonly T[] | undefined, { vendor, pci, product: name }: MatchedCard,
): T | undefined {
  return entries?.find(({ match: wanted }) => (wanted.vendor ?? vendor) === vendor
    && (wanted.pciDevice ?? `${pci.vendor}:${pci.device}`) === `${pci.vendor}:${pci.device}`
    && (wanted.product === undefined || (name !== undefined && fits(name, wanted.product)))
    && fits(pci.address, wanted.address ?? '*'));
}

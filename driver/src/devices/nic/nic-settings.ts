import * as z from 'zod/mini';

import { ARRANGEMENT_FIELDS } from '../arrangement.js';
import { fits, pattern, pciIds, quantity } from '../settings-fields.js';
import { rule } from '../strict-decode.js';
import type { NicFunction } from './nic-functions.js';

/** Which physical functions an offer is about: all of what is given must fit. */
const match = z.strictObject({
  pciDevice: z.optional(pciIds),
  /** Kernel driver. */
  driver: z.optional(pattern),
  /** Name of the network interface on the host. */
  interface: z.optional(pattern),
  address: z.optional(pattern),
}).check(rule((wanted) => (Object.keys(wanted).length > 0 ? undefined : { rule: 'must say something', help: 'Write pciDevice, driver, interface or address; a node must never give away all its ports by accident.' })));

const common = {
  match,
  /** `required`: not offered without RDMA; `none`: containers get no RDMA device nodes. */
  rdma: z.optional(z.enum(['auto', 'required', 'none'])),
  /** What brings a function back to a clean state when it is given back. */
  scrub: z.optional(z.enum(['none', 'function-reset'])),
};

const offer = z.discriminatedUnion('as', [
  /** Each virtual function is a device. */
  z.strictObject({ as: z.literal('virtual-functions'), ...common }),
  /** Each physical function is a device, with its interface. */
  z.strictObject({ as: z.literal('port'), ...common }),
  /** Each physical function is a device of which claims take bandwidth; each gets a virtual function with a rate limit. */
  z.strictObject({
    as: z.literal('shared-bandwidth'),
    ...common,
    /** In bits per second: 10G. */
    bandwidth: z.strictObject({
      /** Of the port; the speed of its link unless given. */
      total: z.optional(quantity),
      default: quantity,
      min: quantity,
      max: z.optional(quantity),
      step: z.optional(quantity),
    }),
    /** Who sets the limit: the agent, in the file that NVIDIA's drivers have for it, or whoever gives the function to the pod. */
    rate: z.enum(['sysfs', 'hand-over']),
    maxShares: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  }),
]);

/** The settings of the NIC backend; the first offer that fits a physical function counts, and one that none fits is left alone. */
export const NIC_SETTINGS = z.strictObject({
  backend: z.literal('nic'),
  ...ARRANGEMENT_FIELDS,
  offers: z.array(offer).check(z.minLength(1)),
});

export type NicSettings = z.infer<typeof NIC_SETTINGS>;
export type NicOffer = z.infer<typeof offer>;
export type SharedBandwidth = Extract<NicOffer, { readonly as: 'shared-bandwidth' }>;

export function offerFor(offers: readonly NicOffer[], { pci, interfaceName }: NicFunction): NicOffer | undefined {
  return offers.find(({ match: wanted }) => (wanted.pciDevice ?? `${pci.vendor}:${pci.device}`) === `${pci.vendor}:${pci.device}`
    && (wanted.driver === undefined || (pci.driver !== undefined && fits(pci.driver, wanted.driver)))
    && (wanted.interface === undefined || (interfaceName !== undefined && fits(interfaceName, wanted.interface)))
    && fits(pci.address, wanted.address ?? '*'));
}

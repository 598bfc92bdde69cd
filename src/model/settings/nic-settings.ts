import { ARRANGEMENT_FIELDS, maxShares, pattern, pciIds, quantity, sharedAmountProblem } from './settings-fields';
import { checked, list, object, oneOf, optional, variant, type ReadBy } from '../strict-reader';

/** Which physical functions an offer is about: all of what is given must fit. */
const match = checked(object({
  pciDevice: optional(pciIds),
  /** Kernel driver. */
  driver: optional(pattern),
  /** Name of the network interface on the host. */
  interface: optional(pattern),
  address: optional(pattern),
}), wanted => (Object.keys(wanted).length > 0 ? undefined : {
  rule: 'must say something', help: 'Write pciDevice, driver, interface or address; a node must never give away all its ports by accident.',
}));

const common = {
  match,
  /** `required`: not offered without RDMA; `none`: containers get no RDMA device nodes. */
  rdma: optional(oneOf('auto', 'required', 'none')),
  /** What brings a function back to a clean state when it is given back. */
  scrub: optional(oneOf('none', 'function-reset')),
};

/** Each virtual function is a device. */
const virtualFunctions = object({ as: oneOf('virtual-functions'), ...common });

/** Each physical function is a device, with its interface. */
const port = object({ as: oneOf('port'), ...common });

/** Each physical function is a device of which claims take bandwidth; each gets a virtual function with a rate limit. */
const sharedBandwidth = object({
  as: oneOf('shared-bandwidth'),
  ...common,
  /** In bits per second: 10G. */
  bandwidth: checked(object({
    /** Of the port; the speed of its link unless given. */
    total: optional(quantity),
    default: quantity,
    min: quantity,
    max: optional(quantity),
    step: optional(quantity),
  }), amount => sharedAmountProblem(amount, amount.total)),
  /** Who sets the limit: the agent, in the file that NVIDIA's drivers have for it, or whoever gives the function to the pod. */
  rate: oneOf('sysfs', 'hand-over'),
  maxShares: optional(maxShares),
});

const offer = variant<ReadBy<typeof virtualFunctions> | ReadBy<typeof port> | ReadBy<typeof sharedBandwidth>>('as', {
  'virtual-functions': virtualFunctions, port, 'shared-bandwidth': sharedBandwidth,
});

/** The settings of the NIC backend; the first offer that fits a physical function counts, and one that none fits is left alone. */
export const NIC_SETTINGS = object({
  backend: oneOf('nic'),
  ...ARRANGEMENT_FIELDS,
  offers: list(offer, { min: 1 }),
});

export type NicSettings = ReadBy<typeof NIC_SETTINGS>;
export type NicOfferSettings = ReadBy<typeof offer>;
export type SharedBandwidthSettings = ReadBy<typeof sharedBandwidth>;

import type { NicOfferSettings } from 'cdk8s-dra/model';

import { fits } from '../name-pattern.js';
import type { NicFunction } from './nic-functions.js';

/** The first offer that is about a physical function. */
export function offerFor(offers: readonly NicOfferSettings[], { pci, interfaceName }: NicFunction): NicOfferSettings | undefined {
  return offers.find(({ match: wanted }) => (wanted.pciDevice ?? `${pci.vendor}:${pci.device}`) === `${pci.vendor}:${pci.device}`
    && (wanted.driver === undefined || (pci.driver !== undefined && fits(pci.driver, wanted.driver)))
    && (wanted.interface === undefined || (interfaceName !== undefined && fits(interfaceName, wanted.interface)))
    && fits(pci.address, wanted.address ?? '*'));
}

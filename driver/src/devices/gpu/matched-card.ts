import type { GpuMatchSettings, GpuVendorName } from 'cdk8s-dra/model';

import type { PciFunction } from '../host/pci-function.js';
import { fits } from '../name-pattern.js';

/** A card as an entry's match sees it. */
export interface MatchedCard {
  readonly vendor: GpuVendorName;
  readonly pci: PciFunction;
  readonly product?: string | undefined;
}

/** The first entry that is about a card. */
export function entryFor<T extends { readonly match: GpuMatchSettings }>(
  entries: readonly T[] | undefined, { vendor, pci, product: name }: MatchedCard,
): T | undefined {
  return entries?.find(({ match: wanted }) => (wanted.vendor ?? vendor) === vendor
    && (wanted.pciDevice ?? `${pci.vendor}:${pci.device}`) === `${pci.vendor}:${pci.device}`
    && (wanted.product === undefined || (name !== undefined && fits(name, wanted.product)))
    && fits(pci.address, wanted.address ?? '*'));
}

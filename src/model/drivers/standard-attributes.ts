import type { AttributeFact } from './profile';

/** Domain of the attributes that Kubernetes itself defines. */
export const STANDARD_DOMAIN = 'resource.kubernetes.io';

/** An attribute that Kubernetes defines, and since which release. */
export interface StandardAttribute extends AttributeFact {
  readonly domain: typeof STANDARD_DOMAIN;
  /** First Kubernetes release from 1.34 on whose driver library has a constant for it. Drivers may publish it on older clusters. */
  readonly kubernetes: string;
}

/**
 * The attributes that Kubernetes defines for every driver, so that devices of different drivers can be matched.
 *
 * Source: `deviceattribute` package of kubernetes/dynamic-resource-allocation.
 */
export const STANDARD_ATTRIBUTES = {
  pcieRoot: {
    id: 'pcieRoot',
    domain: STANDARD_DOMAIN,
    type: 'string',
    list: 'gate',
    kubernetes: '1.34',
    description: 'PCIe root complex that the device hangs on. Devices with the same root reach each other without crossing the CPU.',
    example: 'pci0000:01',
  },
  pciBusID: {
    id: 'pciBusID',
    domain: STANDARD_DOMAIN,
    type: 'string',
    kubernetes: '1.36',
    description: 'PCI address of the device: domain, bus, device, function, in lower-case hexadecimal digits.',
    example: '0000:01:00.0',
  },
  numaNode: {
    id: 'numaNode',
    domain: STANDARD_DOMAIN,
    type: 'int',
    list: 'gate',
    kubernetes: '1.37',
    description: 'NUMA node that the device is local to. Not published where the firmware names none (-1).',
    example: 0,
  },
} as const satisfies Record<string, StandardAttribute>;

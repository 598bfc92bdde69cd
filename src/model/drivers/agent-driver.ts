import type { AttributeFact, DriverProfileFacts } from './profile';
import { STANDARD_ATTRIBUTES } from './standard-attributes';
import { ownerLabel, publishAnnotation } from '../node-contract';

/** What is the same for every driver that the node agent is; its facts are read in this repository. */
export function agentDriver(family: string, facts: OwnFacts): DriverProfileFacts {
  const { partitionable = { state: 'no' }, consumableCapacity = { state: 'no' }, source, ...others } = facts;
  return {
    id: `agent-${family}`,
    driverName: `${family}.cdk8s-dra.dev`,
    family,
    depth: 'full',
    read: [],
    sources: {
      deviceTypes: [source],
      attributes: [source, 'driver/src/devices/host/pci-function.ts'],
      capacities: [source],
      configKinds: [`src/model/drivers/agent-${family}.ts`],
      publishes: ['driver/src/node/slices/'],
      abilities: ['src/model/node-contract.ts'],
    },
    featureGates: [],
    config: 'known',
    installedClasses: [],
    quirks: [],
    publishes: {
      attributeNames: 'unqualified',
      capacityNames: facts.capacities.length === 0 && facts.moreCapacities === undefined ? 'none' : 'unqualified',
      pool: 'the node name',
      partitionable,
      consumableCapacity,
      taints: { state: 'yes' },
      healthStream: { state: 'yes' },
      deviceMetadata: { state: 'no' },
    },
    // The construct NodeAgent installs it, and no device plugin is like it.
    installs: [],
    legacy: [],
    abilities: {
      observe: { scope: 'node', how: `The node label ${ownerLabel(family)} has another value than dra, or is missing.` },
      freeze: { scope: 'node', how: `The node annotation ${publishAnnotation(family)} has another value than on.` },
    },
    ...others,
  };
}

type OwnFacts =
  Pick<DriverProfileFacts, 'deviceTypes' | 'attributes' | 'moreAttributes' | 'capacities' | 'moreCapacities' | 'configKinds'>
  & Partial<Pick<DriverProfileFacts['publishes'], 'partitionable' | 'consumableCapacity'>>
  & { readonly source: string };

/** API version of an agent's opaque configuration. */
export function agentConfigVersion(family: string): string {
  return `${family}.cdk8s-dra.dev/v1alpha1`;
}

/** What every function on a PCI bus says of itself. */
export const PCI_ATTRIBUTES: readonly AttributeFact[] = [
  { id: 'pciVendor', type: 'string', description: 'PCI vendor id.', example: '10de' },
  { id: 'pciDevice', type: 'string', description: 'PCI device id.', example: '2330' },
  { ...STANDARD_ATTRIBUTES.pciBusID, sometimes: 'Not in PCI domains of more than four digits.' },
  { ...STANDARD_ATTRIBUTES.pcieRoot, list: undefined, sometimes: 'Not where the device hangs on no PCIe root.' },
  { ...STANDARD_ATTRIBUTES.numaNode, list: undefined, sometimes: 'Not where the firmware names no node.' },
];

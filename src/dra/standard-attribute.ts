import { IntAttribute, StringAttribute } from './device-attribute';
import { STANDARD_ATTRIBUTES } from '../model/drivers/standard-attributes';

/** Attributes that mean the same for every driver, in the domain `resource.kubernetes.io`. */
export class StandardAttribute {
  /** PCIe root complex of the device, e.g. `pci0000:00`; devices that match can reach each other without crossing a socket. */
  public static readonly PCIE_ROOT = StringAttribute.of(STANDARD_ATTRIBUTES.pcieRoot.domain, STANDARD_ATTRIBUTES.pcieRoot.id);

  /** PCI address of the device, e.g. `0000:8a:00.0`. */
  public static readonly PCI_BUS_ID = StringAttribute.of(STANDARD_ATTRIBUTES.pciBusID.domain, STANDARD_ATTRIBUTES.pciBusID.id);

  /** NUMA node of the device; standard since 1.37, published by drivers as they take it up. */
  public static readonly NUMA_NODE = IntAttribute.of(STANDARD_ATTRIBUTES.numaNode.domain, STANDARD_ATTRIBUTES.numaNode.id);

  private constructor() {}
}

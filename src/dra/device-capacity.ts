import { CapacityRequest } from './capacity-request';
import { DeviceSelector } from './device-selector';
import { celString } from '../model/cel/literal';
import { attributeIdProblem, driverNameProblem } from '../model/names';
import { describeProblem } from '../model/problem';
import { Quantity } from '../model/quantity';

/**
 * A capacity that devices publish, e.g. the memory of a GPU.
 *
 * Its methods return selectors that are false, never an error, for a device without the capacity.
 */
export class DeviceCapacity {
  /**
   * A capacity by domain and id.
   *
   * @param domain DNS subdomain that owns the capacity, usually the driver's name
   * @param id C identifier of at most 32 characters
   */
  public static of(domain: string, id: string): DeviceCapacity {
    return new DeviceCapacity(domain, id, id);
  }

  /**
   * A capacity that the driver publishes under its qualified name.
   *
   * Up to Kubernetes 1.37 a request must spell the name exactly as the slice does, so this matters for `amount()`.
   */
  public static qualified(domain: string, id: string): DeviceCapacity {
    return new DeviceCapacity(domain, id, `${domain}/${id}`);
  }

  private constructor(
    public readonly domain: string,
    public readonly id: string,
    /** Name as it stands in the slice and so in a claim's capacity requests. */
    public readonly publishedName: string,
  ) {
    const domainProblem = driverNameProblem(domain);
    if (domainProblem) throw new Error(describeProblem('domain', domain, domainProblem));
    const idProblem = attributeIdProblem(id);
    if (idProblem) throw new Error(describeProblem('id', id, idProblem));
  }

  /** True for devices that publish this capacity, whatever its value. */
  public exists(): DeviceSelector {
    return DeviceSelector._leaf(`has(${this.reference()})`);
  }

  /** True for devices with the given quantity or more, e.g. `40Gi`. */
  public atLeast(quantity: string): DeviceSelector {
    return this.compare(quantity, '>= 0');
  }

  /** True for devices with the given quantity or less. */
  public atMost(quantity: string): DeviceSelector {
    return this.compare(quantity, '<= 0');
  }

  /** True for devices with less than the given quantity. */
  public lessThan(quantity: string): DeviceSelector {
    return this.compare(quantity, '< 0');
  }

  /** Asks for this much of each device: a share of a device that allows several allocations, a lower bound on any other. */
  public amount(quantity: string): CapacityRequest {
    return CapacityRequest.of(this.publishedName, quantity);
  }

  private compare(quantity: string, outcome: string): DeviceSelector {
    const parsed = Quantity.tryParse(quantity);
    if (!(parsed instanceof Quantity)) throw new Error(describeProblem(`quantity compared with ${this.domain}/${this.id}`, quantity, parsed));
    return DeviceSelector._leaf(`has(${this.reference()}) && ${this.reference()}.compareTo(quantity(${celString(quantity)})) ${outcome}`);
  }

  private reference(): string {
    return `device.capacity[${celString(this.domain)}].${this.id}`;
  }
}

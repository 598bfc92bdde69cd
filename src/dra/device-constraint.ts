import type { DeviceAttribute } from './device-attribute';
import type { DeviceConstraint as Json } from '../../imports/types';

/** A condition over all devices of one claim together. */
export class DeviceConstraint {
  /**
   * All devices of the named requests have the same value of the attribute.
   *
   * @param attribute must be published by each device, with one type
   * @param requests names of requests of the claim; none means all requests
   */
  public static matchAttribute(attribute: DeviceAttribute, ...requests: string[]): DeviceConstraint {
    return new DeviceConstraint({ matchAttribute: attribute.qualifiedName, ...named(requests) });
  }

  /**
   * All devices of the named requests have different values of the attribute.
   *
   * Carried by feature gate DRAConsumableCapacity. Before 1.37 a request with a count of 3 or more is compared only with the last device.
   */
  public static distinctAttribute(attribute: DeviceAttribute, ...requests: string[]): DeviceConstraint {
    return new DeviceConstraint({ distinctAttribute: attribute.qualifiedName, ...named(requests) });
  }

  private constructor(private readonly json: Json) {}

  /** @internal */
  public _toJson(): Json {
    return this.json;
  }
}

function named(requests: string[]): { requests?: string[] } {
  return requests.length > 0 ? { requests } : {};
}

import { canonicalQuantity } from './canonical-quantity';

/** How much of a capacity a request asks of each device. */
export class CapacityRequest {
  /**
   * A request by the capacity's name and a quantity.
   *
   * @param name as the driver publishes it: up to Kubernetes 1.37 `memory` and `gpu.example.com/memory` do not match each other
   * @param quantity a Kubernetes quantity such as `10Gi`
   */
  public static of(name: string, quantity: string): CapacityRequest {
    return new CapacityRequest(name, canonicalQuantity(quantity));
  }

  private constructor(public readonly name: string, public readonly quantity: string) {}
}

import { Quantity } from '../model/quantity';

/**
 * The quantity as the API server stores it (`1000` becomes `1k`), so that a GitOps engine sees no difference.
 *
 * What is no quantity, such as a Lazy, stays as it is: the constructor that uses it refuses it or leaves it to the synthesis.
 */
export function canonicalQuantity(quantity: string): string {
  const parsed = Quantity.tryParse(quantity);
  return parsed instanceof Quantity ? parsed.toString() : quantity;
}

import type { JsonObject } from '../manifests/manifest-set';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';

/** The selectors that a device has to pass for one request. */
export interface NeedSelectors {
  readonly className: string;
  readonly selectors: readonly string[];
}

/** What claims look at in a device; two devices that look the same are the same to them. */
export interface ClaimQuestion {
  /** One text for the whole question. */
  readonly key: string;
  readonly needs: readonly NeedSelectors[];
  /** Full names of attributes in constraints. */
  readonly attributes: readonly string[];
  readonly asksAmounts: boolean;
}

/** The question of claims, which nobody has checked; undefined when they compute attributes of their own. */
export function questionOf(claims: readonly JsonObject[]): ClaimQuestion | undefined {
  const needs = new Map<string, NeedSelectors>();
  const attributes = new Set<string>();
  let asksAmounts = false;
  for (const claim of claims) {
    const devices = objectAt(claim, 'spec', 'devices');
    for (const request of objectsAt(devices, 'requests').flatMap(one => [objectAt(one, 'exactly'), ...objectsAt(one, 'firstAvailable')])) {
      if (field(request, 'derivedAttributes') !== undefined) return undefined;
      if (field(request, 'capacity') !== undefined) asksAmounts = true;
      const need = { className: textAt(request, 'deviceClassName'), selectors: objectsAt(request, 'selectors').map(one => textAt(one, 'cel', 'expression')) };
      needs.set(JSON.stringify(need), need);
    }
    for (const constraint of objectsAt(devices, 'constraints')) {
      for (const name of [textAt(constraint, 'matchAttribute'), textAt(constraint, 'distinctAttribute')]) if (name !== '') attributes.add(name);
    }
  }
  const key = JSON.stringify([[...needs.keys()], [...attributes], asksAmounts]);
  return { key, needs: [...needs.values()], attributes: [...attributes], asksAmounts };
}

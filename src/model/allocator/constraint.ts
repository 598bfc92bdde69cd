import { attributeOf, hasValue, intersection, sameValue, showAttribute, valueSet } from './attribute';
import type { ValueSet } from './attribute';
import type { ClaimConstraint } from './claim';
import type { RequestData } from './request-data';
import type { SliceDevice } from './slice';
import type { Attribute } from '../device-json';
import type { Variant } from './variant';

/** Looks an attribute up, or says why that ends the attempt. */
export type AttributeLookup = (request: RequestData, device: SliceDevice, name: string) => Attribute | undefined | { readonly error: string };

/** One constraint of a claim, with the devices chosen so far. */
export interface Constraint {
  readonly attribute: string;
  /** Adds a device when that keeps the constraint; a text ends the attempt. */
  add(request: RequestData, device: SliceDevice): boolean | string;
  /** Takes back the device that was added last. */
  remove(request: RequestData): void;
  /** Why a device cannot be added now. */
  objection(request: RequestData, device: SliceDevice): string;
}

/** Makes a constraint; undefined when its kind is unknown. */
export function constraintOf(constraint: ClaimConstraint, variant: Variant, lists: boolean, lookup: AttributeLookup): Constraint | undefined {
  const names = new Set(constraint.requests);
  const applies = (request: RequestData): boolean => names.size === 0
    || names.has(request.baseName)
    || (request.subName !== undefined && names.has(`${request.baseName}/${request.subName}`));
  if (constraint.matchAttribute !== undefined) {
    return new MatchAttribute(constraint.matchAttribute, applies, lookup, variant.lists && lists, variant.forgetsCommonValues);
  }
  if (constraint.distinctAttribute === undefined || !variant.full) return undefined;
  return new DistinctAttribute(constraint.distinctAttribute, applies, lookup, variant.lists && lists, variant.distinct);
}

/** The plain lookup, without derived attributes. */
export const publishedAttribute: AttributeLookup = (_, device, name) => attributeOf(device, name);

class MatchAttribute implements Constraint {
  private first: Attribute = {};
  private readonly common: (ValueSet | undefined)[] = [];
  private devices = 0;

  public constructor(
    public readonly attribute: string,
    private readonly applies: (request: RequestData) => boolean,
    private readonly lookup: AttributeLookup,
    private readonly lists: boolean,
    private readonly forgets: boolean,
  ) {}

  public add(request: RequestData, device: SliceDevice): boolean | string {
    if (!this.applies(request)) return true;
    const attribute = this.lookup(request, device, this.attribute);
    if (attribute === undefined) return false;
    if ('error' in attribute) return attribute.error;
    if (this.lists) return this.addValues(valueSet(attribute));
    if (this.devices === 0) {
      this.first = attribute;
    } else if (!sameValue(this.first, attribute)) {
      return false;
    }
    this.devices += 1;
    return true;
  }

  public remove(request: RequestData): void {
    if (!this.applies(request)) return;
    this.devices -= 1;
  }

  public objection(request: RequestData, device: SliceDevice): string {
    const attribute = this.lookup(request, device, this.attribute);
    if (attribute === undefined) return `has no attribute ${this.attribute}`;
    if ('error' in attribute) return attribute.error;
    const chosen = this.lists ? this.common[this.forgets ? 0 : this.devices - 1] : this.first;
    const shown = !chosen ? 'no value' : 'values' in chosen ? chosen.values.join(', ') : showAttribute(chosen);
    return `${this.attribute} is ${showAttribute(attribute)}, but ${shown} for the devices chosen before`;
  }

  private addValues(values: ValueSet | undefined): boolean {
    if (!values) return false;
    let common: ValueSet | undefined = values;
    if (this.devices > 0) {
      const before = this.common[this.forgets ? 0 : this.devices - 1];
      common = before && intersection(before, values);
      if (!common) return false;
    }
    this.common[this.forgets ? 0 : this.devices] = common;
    this.devices += 1;
    return true;
  }
}

class DistinctAttribute implements Constraint {
  private readonly perRequest = new Map<string, Attribute>();
  private readonly all: Attribute[] = [];
  private devices = 0;

  public constructor(
    public readonly attribute: string,
    private readonly applies: (request: RequestData) => boolean,
    private readonly lookup: AttributeLookup,
    private readonly lists: boolean,
    private readonly memory: Variant['distinct'],
  ) {}

  public add(request: RequestData, device: SliceDevice): boolean | string {
    if (!this.applies(request)) return true;
    const attribute = this.lookup(request, device, this.attribute);
    if (attribute === undefined) return false;
    if ('error' in attribute) return attribute.error;
    if (this.memory === 'all') {
      if (!this.isNew(attribute, this.all)) return false;
      this.all.push(attribute);
      return true;
    }
    if (this.devices > 0 && !this.isNew(attribute, this.perRequest.values())) return false;
    this.perRequest.set(request.baseName, attribute);
    this.devices += 1;
    return true;
  }

  public remove(request: RequestData): void {
    if (!this.applies(request)) return;
    if (this.memory === 'all') {
      this.all.pop();
      return;
    }
    this.perRequest.delete(request.baseName);
    this.devices -= 1;
  }

  public objection(request: RequestData, device: SliceDevice): string {
    const attribute = this.lookup(request, device, this.attribute);
    if (attribute === undefined) return `has no attribute ${this.attribute}`;
    if ('error' in attribute) return attribute.error;
    return `${this.attribute} is ${showAttribute(attribute)}, as for a device chosen before`;
  }

  private isNew(attribute: Attribute, known: Iterable<Attribute>): boolean {
    const values = this.lists ? valueSet(attribute) : undefined;
    if (this.lists && !values) return false;
    for (const other of known) {
      if (values) {
        const others = valueSet(other);
        if (others && intersection(values, others)) return false;
      } else if (!hasValue(attribute) || (this.memory === 'identity' ? other === attribute : sameValue(other, attribute))) {
        return false;
      }
    }
    return true;
  }
}

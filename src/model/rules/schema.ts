import { DEFINITIONS, MINORS } from '../../../imports/fields';
import type { Field, Minor } from '../../../imports/fields';
import type { FieldSupport, Target } from '../target';

/** A field as one Kubernetes version has it. */
export interface SchemaField {
  readonly field: Field;
  readonly isInVersion: boolean;
  readonly support: FieldSupport;
}

/** A type of Kubernetes as one version has it. */
export interface SchemaType {
  /** Without group and version, e.g. `DeviceRequest`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, SchemaField>;
  readonly required: readonly string[];
}

/** Whether a minor is one of those that have a kind or field. */
export function isBetween(minor: Minor, since: Minor | undefined, until: Minor | undefined): boolean {
  const at = MINORS.indexOf(minor);
  return (since === undefined || MINORS.indexOf(since) <= at) && (until === undefined || MINORS.indexOf(until) >= at);
}

/** The types of one version with what a target does with their fields, worked out once for each type that is met. */
export class Schema {
  private readonly types = new Map<string, SchemaType | undefined>();

  public constructor(private readonly target: Target, public readonly minor: Minor) {}

  /** Undefined for a type whose fields are not known. */
  public type(definition: string): SchemaType | undefined {
    if (!this.types.has(definition)) this.types.set(definition, this.read(definition));
    return this.types.get(definition);
  }

  private read(definition: string): SchemaType | undefined {
    // No prototype: every key is a definition.
    const fields: { readonly [field: string]: Field } | undefined = DEFINITIONS[definition];
    if (fields === undefined) return undefined;
    const name = definition.slice(definition.lastIndexOf('.') + 1);
    const entries = Object.entries(fields).map(([key, field]): [string, SchemaField] => {
      const isInVersion = isBetween(this.minor, field.since, field.until);
      return [key, { field, isInVersion, support: this.target.fieldSupport(name, key) }];
    });
    const required = entries.filter(([key, { field, isInVersion }]) => field.required === true && isInVersion && !MISSING_IS_FINE.has(`${name}.${key}`));
    return { name, fields: new Map(entries), required: required.map(([key]) => key) };
  }
}

/** Marked as required in the schemas of Kubernetes, but not refused, or said better by another rule. */
const MISSING_IS_FINE = new Set([
  'DeviceTaint.effect',
  // Go reads an absent number or quantity as 0, which is valid here.
  'Counter.value', 'DeviceCapacity.value', 'ResourcePool.generation',
  // Schemas of condition types are for readers; a manifest rarely has them.
  'Condition.lastTransitionTime', 'Condition.message', 'Condition.reason',
]);

import { isKnownElsewhere } from './api-shape-rule';
import { fieldOf, Place } from './place';
import { report, reportProblem } from './report';
import type { Rule, RuleContext } from './rule';
import { isBetween, Schema } from './schema';
import type { SchemaField, SchemaType } from './schema';
import type { Field, Minor } from '../../../imports/fields';
import { KINDS } from '../../../imports/fields';
import { parseTimestamp } from '../cel/evaluate/time';
import type { FieldPath } from '../manifests/manifest';
import { asObject } from '../manifests/manifest-set';
import type { JsonObject, ManifestObject } from '../manifests/manifest-set';
import { labelKeyProblem, labelValueProblem } from '../names';
import { nearest } from '../near-miss';
import { show } from '../problem';
import { Quantity } from '../quantity';

/** Fields against the schemas of Kubernetes: known, of the right type, there when required, and kept by the target. */
export const FIELDS_RULE: Rule = {
  codes: ['DRA110', 'DRA111', 'DRA112', 'DRA113', 'DRA114', 'DRA115', 'DRA119', 'DRA121', 'DRA125'],
  run(context) {
    const schemas = new Map<Minor, Schema>();
    for (const object of context.manifests.objects) {
      const key = `${object.apiVersion}/${object.kind}`;
      const info = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
      if (info?.definition === undefined) continue;
      // A kind that the target lacks is another rule's finding: its fields are judged by a version that has it.
      const { minor } = context.target;
      const judged = isBetween(minor, info.since, info.until) ? minor : info.since ?? info.until ?? minor;
      const schema = schemas.get(judged) ?? new Schema(context.target, judged);
      schemas.set(judged, schema);
      new Walk(context, object, schema).object(info.definition, object.value, []);
    }
  },
};

/** The way to the value at hand, changed in place: a copy for each of a million values would take most of the time. */
type Path = (string | number)[];

/** One pass over one object. */
class Walk {
  /** Inside a field, or an object of a kind, that the target does not act on: said once. */
  private isDropped: boolean;

  public constructor(private readonly context: RuleContext, private readonly subject: ManifestObject, private readonly schema: Schema) {
    const isMissing = schema.minor !== context.target.minor;
    this.isDropped = isMissing || !context.target.kindSupport(subject.kind).supported;
  }

  public object(definition: string, value: JsonObject, path: Path): void {
    const type = this.schema.type(definition);
    if (type === undefined) return;
    for (const key of Object.keys(value)) {
      if (value[key] === null || value[key] === undefined || (path.length === 0 && key === 'status')) continue;
      path.push(key);
      this.field(definition, type, key, value, path);
      path.pop();
    }
    for (const key of type.required) {
      if (value[key] === undefined || value[key] === null) this.missing(type, key, [...path, key]);
    }
  }

  private field(definition: string, type: SchemaType, key: string, parent: JsonObject, path: Path): void {
    const known = type.fields.get(key);
    if (known?.isInVersion !== true) {
      if (isKnownElsewhere(definition, key, parent)) return;
      return known === undefined ? this.unknown(type, key, path) : this.otherMinor(type, key, known.field, path);
    }
    const wasDropped = this.isDropped;
    this.isDropped ||= !this.isKept(type, key, known, path, parent[key]);
    this.value(known.field, parent[key], path);
    this.isDropped = wasDropped;
  }

  private value(field: Field, given: unknown, path: Path): void {
    if (field.list === true) {
      if (!Array.isArray(given)) return this.wrongType('a list', given, path);
      given.forEach((item: unknown, index) => {
        path.push(index);
        // Go reads null as an empty object, which lacks what is required, but as an empty text.
        if (item !== null || this.schema.type(field.type) !== undefined) this.single(field, item, path, false);
        path.pop();
      });
    } else if (field.map === true) {
      const entries = asObject(given);
      if (entries === undefined) return this.wrongType('an object', given, path);
      const isLabel = LABEL_MAPS.has(String(path[path.length - 1]));
      for (const key of Object.keys(entries)) {
        path.push(key);
        if (isLabel) this.label(key, entries[key], path);
        if (entries[key] === null && field.type === 'quantity') this.nullAmount(path);
        else if (entries[key] !== null && entries[key] !== undefined) this.single(field, entries[key], path, isLabel);
        path.pop();
      }
    } else {
      this.single(field, given, path, false);
    }
  }

  /** Programs write it where a serializer loses the amount, as cdk8s-plus-28 does with patched limits. */
  private nullAmount(path: FieldPath): void {
    report(this.context, 'DRA113', this.place(path), {
      severity: 'warning',
      message: 'The amount is null, which Kubernetes reads as 0: nothing is asked for.',
      help: 'Write the amount, or remove the line.',
    });
  }

  private single(field: Field, given: unknown, path: Path, isLabel: boolean): void {
    switch (field.type) {
      case 'json':
        return;
      case 'string':
      case 'time':
        if (typeof given !== 'string') return isLabel ? this.labelType(given, path) : this.wrongType('a text', given, path);
        if (field.type === 'time' && parseTimestamp(given) === undefined) this.time(given, path);
        if (field.enum !== undefined && given !== '' && !field.enum.includes(given)) this.enumeration(field.enum, given, path);
        return;
      case 'boolean':
        if (typeof given !== 'boolean') this.wrongType('true or false', given, path);
        return;
      case 'integer':
        if (typeof given !== 'bigint' && !Number.isInteger(given)) this.wrongType('a whole number', given, path);
        return;
      case 'number':
        if (typeof given !== 'number') this.wrongType('a number', given, path);
        return;
      case 'intOrString':
        if (typeof given !== 'string' && !Number.isInteger(given)) this.wrongType('a whole number or a text', given, path);
        return;
      case 'quantity':
        return this.quantity(given, path);
      default: {
        const fields = asObject(given);
        if (fields === undefined) this.wrongType('an object', given, path);
        else this.object(field.type, fields, path);
      }
    }
  }

  private unknown(type: SchemaType, key: string, path: FieldPath): void {
    const names = [...type.fields].filter(([, { isInVersion }]) => isInVersion).map(([name]) => name);
    // People also cut names short: deviceClass for deviceClassName.
    const meant = nearest(key, names) ?? names.find((name) => key.length >= 4 && name.startsWith(key));
    report(this.context, 'DRA112', this.place(path), {
      message: `${type.name} has no field '${key}' in Kubernetes ${this.schema.minor}: kubectl refuses it, an API server drops it.`,
      help: meant === undefined
        ? `Remove it, or move it to where it belongs; the fields here are ${listed(names)}.`
        : `Did you mean '${meant}'?`,
    });
  }

  private otherMinor(type: SchemaType, key: string, { since, until }: Field, path: FieldPath): void {
    const isGone = until !== undefined && isBetween(this.schema.minor, until, undefined);
    const when = isGone ? `only exists up to Kubernetes ${until}` : `only exists from Kubernetes ${since} on`;
    report(this.context, 'DRA111', this.place(path), {
      message: `'${key}' of ${type.name} ${when}; the target is ${this.schema.minor}, which drops it.`,
      help: isGone ? 'Write the form that the target knows.' : 'Leave it out for this cluster, or name a newer target.',
    });
  }

  /** Whether the target keeps the field and acts on it; what is inside a dropped field is not told again. */
  private isKept(type: SchemaType, key: string, { support }: SchemaField, path: FieldPath, given: unknown): boolean {
    if (support.supported || this.isDropped || path.length === 1) return true;
    // An explicit false or an empty list is what the server would store anyway.
    if (given === false || (Array.isArray(given) && given.length === 0)) return true;
    const isDropped = support.offAt === undefined || support.offAt.includes('kube-apiserver');
    const [verb, outcome] = (isDropped ? otherEffect(`${type.name}.${key}`, this.schema.minor) : undefined)
      ?? [isDropped ? 'drops' : 'stores and ignores', ', without a message'];
    report(this.context, 'DRA110', this.place(path), { message: `${this.context.target} ${verb} '${key}' of ${type.name}${outcome}.`, help: support.help });
    return false;
  }

  private missing(type: SchemaType, key: string, path: FieldPath): void {
    report(this.context, 'DRA114', this.place(path), { message: `'${key}' is missing: ${type.name} needs it.`, help: `Add ${key}.` });
  }

  private quantity(given: unknown, path: FieldPath): void {
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'bigint') return this.wrongType('a quantity', given, path);
    const quantity = Quantity.fromJson(given);
    if (quantity instanceof Quantity) return;
    report(this.context, 'DRA125', this.place(path), { message: `'${fieldOf(path)}' ${quantity.rule}, got ${show(given)}.`, help: quantity.help });
  }

  private time(given: string, path: FieldPath): void {
    report(this.context, 'DRA125', this.place(path), {
      message: `'${fieldOf(path)}' must be a time as RFC 3339 has it, got ${show(given)}: the API server cannot read the object.`,
      help: 'Write for example 2026-01-02T03:04:05Z, or leave it to the server.',
    });
  }

  private wrongType(wanted: string, given: unknown, path: FieldPath): void {
    report(this.context, 'DRA113', this.place(path), {
      message: `'${fieldOf(path)}' must be ${wanted}, got ${show(given)}.`,
      help: wanted === 'a text' && typeof given !== 'object' ? 'Put it in quotes.' : `Write ${wanted}.`,
    });
  }

  /** Keys and values of labels; annotations have the same keys, without regard to case, and any text as value. */
  private label(key: string, value: unknown, path: FieldPath): void {
    const isAnnotation = path[path.length - 2] === 'annotations';
    const keyProblem = labelKeyProblem(isAnnotation ? key.toLowerCase() : key);
    if (keyProblem !== undefined) {
      report(this.context, 'DRA121', this.place(path), { message: `The key ${keyProblem.rule}, got ${show(key)}.`, help: keyProblem.help });
    }
    const valueProblem = isAnnotation || typeof value !== 'string' ? undefined : labelValueProblem(value);
    if (valueProblem !== undefined) reportProblem(this.context, 'DRA121', this.place(path), valueProblem);
  }

  private labelType(given: unknown, path: FieldPath): void {
    report(this.context, 'DRA119', this.place(path), {
      message: `The value of '${fieldOf(path)}' must be a text, got ${show(given)}: YAML reads words such as yes, on, 012 and 1e3 as something else.`,
      help: typeof given === 'object' ? 'Write one text.' : `Put it in quotes: "${String(given)}".`,
    });
  }

  private enumeration(allowed: readonly string[], given: string, path: FieldPath): void {
    const meant = nearest(given, allowed);
    report(this.context, 'DRA115', this.place(path), {
      message: `'${fieldOf(path)}' must be one of ${listed(allowed)}, got ${show(given)}.`,
      help: meant === undefined ? 'Write one of these.' : `Did you mean '${meant}'?`,
    });
  }

  private place(path: FieldPath): Place {
    return Place.root(this.subject).at(...path);
  }
}

/** Maps of labels and annotations, of objects, templates and selectors. */
const LABEL_MAPS = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'selector']);

function listed(words: readonly string[]): string {
  return words.length <= 12 ? words.join(', ') : `${words.slice(0, 12).join(', ')} and ${words.length - 12} more`;
}

const LIST_VALUES = ['bools', 'ints', 'strings', 'versions'].map((field) => `DeviceAttribute.${field}`);

/**
 * What happens to a field whose gate is off where it is not simply dropped: verb, and how it ends.
 * From the strategies of claims and slices, `validateDeviceConstraint`, `validateDeviceAttribute` and the allocators.
 */
function otherEffect(field: string, minor: Minor): readonly [string, string] | undefined {
  const isOldest = minor === '1.34';
  if (field.endsWith('Request.tolerations') && isOldest) return ['stores and ignores', ', without a message'];
  if (field === 'DeviceConstraint.distinctAttribute') {
    return isOldest ? ['stores', ', and its scheduler allocates no claim with it'] : ['drops', ', and then refuses the empty constraint'];
  }
  return LIST_VALUES.includes(field) ? ['drops', ', and then refuses the attribute without a value'] : undefined;
}

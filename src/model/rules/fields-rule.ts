import { isKnownElsewhere } from './api-shape-rule';
import { show } from './given';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import type { Field } from '../../../imports/fields';
import { DEFINITIONS, KINDS, MINORS } from '../../../imports/fields';
import type { FieldPath } from '../manifests/manifest';
import { asObject } from '../manifests/manifest-set';
import type { JsonObject, ManifestObject } from '../manifests/manifest-set';
import { nearest } from '../near-miss';
import { Quantity } from '../quantity';
import type { FieldSupport, Minor } from '../target';

/** `Target.fieldSupport`, asked once for each field. */
type SupportOf = (definition: string, field: string) => FieldSupport;

type Definition = { readonly [field: string]: Field };

/** Fields against the schemas of Kubernetes: known, of the right type, there when required, and kept by the target. */
export const FIELDS_RULE: Rule = {
  codes: ['DRA110', 'DRA111', 'DRA112', 'DRA113', 'DRA114', 'DRA115', 'DRA119', 'DRA125'],
  run(context) {
    const known = new Map<string, FieldSupport>();
    const support: SupportOf = (definition, field) => {
      const key = `${definition}.${field}`;
      let found = known.get(key);
      if (found === undefined) {
        found = context.target.fieldSupport(definition, field);
        known.set(key, found);
      }
      return found;
    };
    for (const object of context.manifests.objects) {
      const key = `${object.apiVersion}/${object.kind}`;
      const definition = Object.hasOwn(KINDS, key) ? KINDS[key].definition : undefined;
      if (definition !== undefined) new Walk(context, object, support).object(definition, object.value, []);
    }
  },
};

/** One pass over one object. */
class Walk {
  private readonly minor: Minor;

  public constructor(private readonly context: RuleContext, private readonly subject: ManifestObject, private readonly support: SupportOf) {
    this.minor = context.target.minor;
  }

  public object(name: string, value: JsonObject, path: FieldPath): void {
    const definition: Definition | undefined = DEFINITIONS[name];
    if (definition === undefined) return;
    for (const key of Object.keys(value)) {
      const given = value[key];
      if (given === null || given === undefined) continue;
      const here = [...path, key];
      if (path.length === 0 && key === 'status') continue;
      if (!Object.hasOwn(definition, key)) {
        this.unknown(name, definition, key, here, value);
        continue;
      }
      const field = definition[key];
      if (!this.isInTarget(field)) {
        this.otherMinor(name, key, field, here, value);
        continue;
      }
      this.gates(name, key, here, given);
      this.value(field, given, here, path.length === 1 && path[0] === 'metadata');
    }
    for (const key of Object.keys(definition)) {
      const field = definition[key];
      if (field.required !== true || !this.isInTarget(field) || (value[key] !== undefined && value[key] !== null)) continue;
      this.missing(name, key, [...path, key]);
    }
  }

  private value(field: Field, given: unknown, path: FieldPath, isMetadata: boolean): void {
    if (field.list === true) {
      if (!Array.isArray(given)) return this.wrongType('a list', given, path);
      given.forEach((item: unknown, index) => {
        if (item !== null) this.single(field, item, [...path, index], false);
      });
    } else if (field.map === true) {
      const entries = asObject(given);
      if (entries === undefined) return this.wrongType('an object', given, path);
      for (const key of Object.keys(entries)) {
        const item = entries[key];
        if (item !== null && item !== undefined) this.single(field, item, [...path, key], isMetadata || isLabelMap(path));
      }
    } else {
      this.single(field, given, path, false);
    }
  }

  private single(field: Field, given: unknown, path: FieldPath, isLabel: boolean): void {
    switch (field.type) {
      case 'json':
        return;
      case 'string':
      case 'time':
        if (typeof given !== 'string') return isLabel ? this.labelType(given, path) : this.wrongType('a text', given, path);
        if (field.enum !== undefined && given !== '' && !field.enum.includes(given)) this.enumeration(field.enum, given, path);
        return;
      case 'boolean':
        if (typeof given !== 'boolean') this.wrongType('true or false', given, path);
        return;
      case 'integer':
        if (typeof given === 'bigint' || (typeof given === 'number' && Number.isInteger(given))) return;
        return this.wrongType('a whole number', given, path);
      case 'number':
        if (typeof given !== 'number') this.wrongType('a number', given, path);
        return;
      case 'intOrString':
        if (typeof given !== 'string' && !(typeof given === 'number' && Number.isInteger(given))) this.wrongType('a whole number or a text', given, path);
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

  private isInTarget(field: Field): boolean {
    const at = MINORS.indexOf(this.minor);
    return (field.since === undefined || MINORS.indexOf(field.since) <= at) && (field.until === undefined || MINORS.indexOf(field.until) >= at);
  }

  private unknown(name: string, definition: Definition, key: string, path: FieldPath, parent: JsonObject): void {
    if (isKnownElsewhere(name, key, parent)) return;
    const meant = nearest(key, Object.keys(definition));
    report(this.context, 'DRA112', this.place(path), {
      message: `${shortName(name)} has no field '${key}' in Kubernetes ${this.minor}: kubectl refuses it, an API server drops it.`,
      help: meant === undefined ? `Remove it, or move it to where it belongs; the fields here are ${listed(Object.keys(definition))}.` : `Did you mean '${meant}'?`,
    });
  }

  private otherMinor(name: string, key: string, field: Field, path: FieldPath, parent: JsonObject): void {
    if (isKnownElsewhere(name, key, parent)) return;
    const gone = field.until !== undefined && MINORS.indexOf(field.until) < MINORS.indexOf(this.minor);
    const when = gone ? `only exists up to Kubernetes ${field.until}` : `only exists from Kubernetes ${field.since} on`;
    report(this.context, 'DRA111', this.place(path), {
      message: `'${key}' of ${shortName(name)} ${when}; the target is ${this.minor}, which drops it.`,
      help: gone ? 'Write the form that the target knows.' : 'Leave it out for this cluster, or name a newer target.',
    });
  }

  private gates(name: string, key: string, path: FieldPath, given: unknown): void {
    // An explicit false or an empty list is what the server would store anyway.
    if (given === false || (Array.isArray(given) && given.length === 0)) return;
    const support = this.support(shortName(name), key);
    if (support.supported) return;
    const isDropped = support.offAt === undefined || support.offAt.includes('kube-apiserver');
    report(this.context, 'DRA110', this.place(path), {
      message: `${this.context.target} ${isDropped ? 'drops' : 'stores and ignores'} '${key}' of ${shortName(name)}, without a message.`,
      help: support.help,
    });
  }

  private missing(name: string, key: string, path: FieldPath): void {
    if (MISSING_IS_SAID_BETTER.has(`${shortName(name)}.${key}`)) return;
    report(this.context, 'DRA114', this.place(path), {
      message: `'${key}' is missing: ${shortName(name)} needs it.`,
      help: `Add ${key}.`,
    });
  }

  private quantity(given: unknown, path: FieldPath): void {
    if (typeof given !== 'string' && typeof given !== 'number') return this.wrongType('a quantity', given, path);
    const quantity = Quantity.fromJson(given);
    if (quantity instanceof Quantity) return;
    report(this.context, 'DRA125', this.place(path), { message: `'${lastOf(path)}' ${quantity.rule}, got ${show(given)}.`, help: quantity.help });
  }

  private wrongType(wanted: string, given: unknown, path: FieldPath): void {
    report(this.context, 'DRA113', this.place(path), {
      message: `'${lastOf(path)}' must be ${wanted}, got ${show(given)}.`,
      help: wanted === 'a text' ? 'Put it in quotes.' : `Write ${wanted}.`,
    });
  }

  private labelType(given: unknown, path: FieldPath): void {
    report(this.context, 'DRA119', this.place(path), {
      message: `The value of '${lastOf(path)}' must be a text, got ${show(given)}: YAML reads words such as yes, on, 012 and 1e3 as something else.`,
      help: `Put it in quotes: "${typeof given === 'object' ? '…' : String(given)}".`,
    });
  }

  private enumeration(allowed: readonly string[], given: string, path: FieldPath): void {
    const meant = nearest(given, allowed);
    report(this.context, 'DRA115', this.place(path), {
      message: `'${lastOf(path)}' must be one of ${listed(allowed)}, got ${show(given)}.`,
      help: meant === undefined ? 'Write one of these.' : `Did you mean '${meant}'?`,
    });
  }

  private place(path: FieldPath): Place {
    return Place.root(this.subject).at(...path);
  }
}

/** Labels and annotations of objects, templates and selectors. */
function isLabelMap(path: FieldPath): boolean {
  return ['labels', 'annotations', 'matchLabels', 'nodeSelector', 'selector'].includes(lastOf(path));
}

/** Kubernetes' API documentation marks these as required, the server fills them in or another rule says more. */
const MISSING_IS_SAID_BETTER = new Set([
  'DeviceCapacity.value', 'DeviceTaint.effect',
  // Schemas of condition and status types are for readers; a manifest rarely has them.
  'Condition.lastTransitionTime', 'Condition.message', 'Condition.reason',
]);

function shortName(definition: string): string {
  return definition.slice(definition.lastIndexOf('.') + 1);
}

function lastOf(path: FieldPath): string {
  return String(path[path.length - 1] ?? '');
}

function listed(words: readonly string[]): string {
  return words.length <= 12 ? words.join(', ') : `${words.slice(0, 12).join(', ')} and ${words.length - 12} more`;
}

import { checkText } from './checks';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { schemaRefusal } from './schema-rule-evaluation';
import { API_GROUP, API_VERSION, CRDS, ownCrd } from '../api';
import type { Schema, SchemaRule } from '../api/crd-schema';
import type { ManifestObject } from '../manifests/manifest-set';
import { withoutNulls } from '../manifests/without-nulls';
import { dnsSubdomainProblem, labelKeyProblem, labelValueProblem } from '../names';
import { nearest } from '../near-miss';
import { show } from '../problem';

/** Objects of our own kinds against their CRDs: shape, limits, and the rules that need no earlier version of the object. */
export const OWN_OBJECTS_RULE: Rule = {
  codes: ['DRA107', 'DRA109', 'DRA112', 'DRA113', 'DRA114', 'DRA115', 'DRA116', 'DRA120', 'DRA121', 'DRA125'],
  run(context) {
    for (const object of context.manifests.objects) {
      if (object.group !== API_GROUP || isConfiguration(object)) continue;
      const schema = schemaOf(context, object);
      if (schema === undefined) continue;
      if (object.name !== '') checkText(context, 'DRA107', Place.root(object).at('metadata', 'name'), dnsSubdomainProblem);
      const { problems } = new Walk(context).objectFields(schema, Place.root(object), true);
      // Rules about the whole object, e.g. its name, count on nothing but metadata.
      if (problems === 0) checkRules(context, schema, Place.root(object));
    }
  },
};

/** Files that our programs read carry the group too, and are no objects of a cluster. */
function isConfiguration({ kind, value }: ManifestObject): boolean {
  return ownCrd(API_GROUP, kind) === undefined && value.metadata === undefined;
}

function schemaOf(context: RuleContext, object: ManifestObject): Schema | undefined {
  const crd = ownCrd(object.group, object.kind);
  if (crd === undefined) {
    const meant = nearest(object.kind, CRDS.map(({ spec }) => spec.names.kind));
    report(context, 'DRA116', Place.root(object).at('kind'), {
      message: `${API_GROUP} has no kind ${object.kind}.`,
      help: meant === undefined ? `Its kinds are ${CRDS.map(({ spec }) => spec.names.kind).join(', ')}.` : `Did you mean ${meant}?`,
    });
    return undefined;
  }
  const version = crd.spec.versions.find(({ name }) => name === object.version);
  if (version !== undefined) return version.schema?.openAPIV3Schema as Schema;
  report(context, 'DRA116', Place.root(object).at('apiVersion'), {
    message: `${object.kind} is not served in version ${object.version}.`, help: `Write apiVersion: ${API_GROUP}/${API_VERSION}.`,
  });
  return undefined;
}

function isLabelSelector({ properties }: Schema): boolean {
  return properties !== undefined && Object.hasOwn(properties as object, 'matchLabels');
}

/** Fields that every object has beside those of its schema. */
const COMMON = ['apiVersion', 'kind', 'metadata', 'status'];

interface Count {
  readonly problems: number;
}

/** One pass over one object; counts what it reports, since rules are asked about values of the right shape only. */
class Walk {
  private problems = 0;

  public constructor(private readonly context: RuleContext) {}

  public objectFields(schema: Schema, place: Place, isRoot = false): Count {
    const before = this.problems;
    const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
    for (const [name, field] of place.entries()) {
      if (!field.isSet || (isRoot && COMMON.includes(name))) continue;
      if (Object.hasOwn(properties, name)) this.value(properties[name], field);
      else this.unknown(field, name, Object.keys(properties));
    }
    for (const name of (schema.required ?? []) as readonly string[]) {
      if (!place.at(name).isSet) this.refuse('DRA114', place.at(name), `'${name}' is missing: ${place.object.kind} needs it.`, `Add ${name}.`);
    }
    return { problems: this.problems - before };
  }

  private value(schema: Schema, place: Place): void {
    const before = this.problems;
    if (schema['x-kubernetes-int-or-string'] === true) this.intOrString(schema, place);
    else this.typed(schema, place);
    if (this.problems === before) this.problems += checkRules(this.context, schema, place);
  }

  private typed(schema: Schema, place: Place): void {
    const given = place.value;
    switch (schema.type) {
      case 'string':
        if (typeof given !== 'string') return this.wrongType(place, 'a text', typeof given === 'object' ? 'Write a text.' : 'Put it in quotes.');
        return this.text(schema, place, given);
      case 'integer':
        if (typeof given !== 'bigint' && !Number.isInteger(given)) return this.wrongType(place, 'a whole number', 'Write a whole number without quotes.');
        return this.range(schema, place, Number(given));
      case 'boolean':
        return typeof given === 'boolean' ? undefined : this.wrongType(place, 'true or false', 'Write true or false without quotes.');
      case 'array':
        return Array.isArray(given) ? this.list(schema, place) : this.wrongType(place, 'a list', 'Write a list.');
      default:
        if (place.fields === undefined) return this.wrongType(place, 'an object', 'Write an object.');
        if (schema.additionalProperties !== undefined) {this.map(schema, place);} else {
          this.objectFields(schema, place);
          if (isLabelSelector(schema)) this.selector(place);
        }
    }
  }

  /** An API server takes any text in a selector of a custom resource; no node can have such a label, so that nothing is ever selected. */
  private selector(place: Place): void {
    for (const [key, value] of place.at('matchLabels').entries()) {
      this.labelKey(value, key);
      this.labelValue(value);
    }
    for (const requirement of place.at('matchExpressions').items()) {
      const key = requirement.at('key');
      if (key.text !== undefined) this.labelKey(key, key.text);
      for (const value of requirement.at('values').items()) this.labelValue(value);
    }
  }

  private labelKey(place: Place, key: string): void {
    const problem = labelKeyProblem(key);
    if (problem !== undefined) this.refuse('DRA121', place, `The key ${problem.rule}, got ${show(key)}: no node has it.`, problem.help);
  }

  private labelValue(place: Place): void {
    const problem = place.text === undefined ? undefined : labelValueProblem(place.text);
    if (problem !== undefined) this.refuse('DRA121', place, `'${place.field}' ${problem.rule}, got ${show(place.text)}: no node has it.`, problem.help);
  }

  private text(schema: Schema, place: Place, given: string): void {
    const words = schema.enum as readonly string[] | undefined;
    if (words !== undefined && !words.includes(given)) {
      const meant = nearest(given, words);
      const help = meant === undefined ? 'Write one of these.' : `Did you mean '${meant}'?`;
      this.refuse('DRA115', place, `'${place.field}' must be one of ${words.join(', ')}, got ${show(given)}.`, help);
      return;
    }
    const longest = schema.maxLength as number | undefined;
    if (longest !== undefined && [...given].length > longest) {
      this.refuse('DRA125', place, `'${place.field}' must have at most ${longest} characters, got ${[...given].length}.`, 'Shorten it.');
    } else if ([...given].length < Number(schema.minLength ?? 0)) {
      this.refuse('DRA125', place, `'${place.field}' must have at least ${show(schema.minLength)} characters, got ${show(given)}.`, 'Write more.');
    } else if (schema.pattern !== undefined && !new RegExp(String(schema.pattern)).test(given)) {
      this.refuse('DRA125', place, `'${place.field}' must match ${String(schema.pattern)}, got ${show(given)}.`, `Write for example ${exampleOf(String(schema.pattern))}.`);
    } else if (schema.format === 'date-time' && Number.isNaN(Date.parse(given))) {
      this.refuse('DRA125', place, `'${place.field}' must be a time, got ${show(given)}.`, 'Write for example 2026-07-01T08:00:00Z.');
    }
  }

  private range(schema: Schema, place: Place, given: number): void {
    const [least, most] = [schema.minimum, schema.maximum] as readonly (number | undefined)[];
    if (least !== undefined && given < least) this.refuse('DRA125', place, `'${place.field}' must be at least ${least}, got ${given}.`, `Write ${least} or more.`);
    if (most !== undefined && given > most) this.refuse('DRA125', place, `'${place.field}' must be at most ${most}, got ${given}.`, `Write ${most} or less.`);
  }

  private intOrString(schema: Schema, place: Place): void {
    const given = place.value;
    if (typeof given === 'bigint' || Number.isInteger(given)) return Number(given) < 0 ? this.refuseShare(place) : undefined;
    if (typeof given !== 'string') return this.wrongType(place, 'a whole number or a share such as "10%"', 'Write a number, or a share in quotes.');
    if (!new RegExp(String(schema.pattern)).test(given)) this.refuseShare(place);
  }

  private refuseShare(place: Place): void {
    this.refuse('DRA125', place, `'${place.field}' must be a number from 0 or a share from 0% to 100%, got ${show(place.value)}.`, 'Write for example 2 or 10%.');
  }

  private list(schema: Schema, place: Place): void {
    const entries = place.items();
    const [least, most] = [schema.minItems, schema.maxItems] as readonly (number | undefined)[];
    if (most !== undefined && entries.length > most) {
      this.refuse('DRA120', place, `'${place.field}' must have at most ${most} entries, got ${entries.length}.`, 'Leave some out.');
    } else if (least !== undefined && entries.length < least) {
      this.refuse('DRA125', place, `'${place.field}' must have at least ${least} ${least === 1 ? 'entry' : 'entries'}, got ${entries.length}.`, 'Add one.');
    }
    for (const entry of entries) this.value(schema.items as Schema, entry);
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
    if (schema['x-kubernetes-list-type'] === 'set') this.unique(entries, ({ value }) => value);
    else if (keys.length > 0) this.unique(entries, entry => entry.at(keys[0]).value);
  }

  private unique(entries: readonly Place[], keyOf: (entry: Place) => unknown): void {
    const seen = new Set<unknown>();
    for (const entry of entries) {
      const key = keyOf(entry);
      if (key === undefined) continue;
      if (seen.has(key)) this.refuse('DRA109', entry, `Two entries of the list are ${show(key)}.`, 'Remove one, or give each its own.');
      seen.add(key);
    }
  }

  private map(schema: Schema, place: Place): void {
    const entries = place.entries();
    const most = schema.maxProperties as number | undefined;
    if (most !== undefined && entries.length > most) {
      this.refuse('DRA120', place, `'${place.field}' must have at most ${most} entries, got ${entries.length}.`, 'Leave some out.');
    }
    for (const [, entry] of entries) this.value(schema.additionalProperties as Schema, entry);
  }

  private unknown(place: Place, name: string, known: readonly string[]): void {
    const meant = nearest(name, known) ?? known.find(other => name.length >= 4 && other.startsWith(name));
    const help = meant === undefined ? `The fields here are ${[...known].sort().join(', ')}.` : `Did you mean '${meant}'?`;
    this.refuse('DRA112', place, `${place.object.kind} has no field '${name}' here: kubectl refuses it, an API server drops it.`, help);
  }

  private wrongType(place: Place, wanted: string, help: string): void {
    this.refuse('DRA113', place, `'${place.field}' must be ${wanted}, got ${show(place.value)}.`, help);
  }

  private refuse(code: string, place: Place, message: string, help: string): void {
    this.problems++;
    report(this.context, code, place, { message, help });
  }
}

function checkRules(context: RuleContext, schema: Schema, place: Place): number {
  let refused = 0;
  for (const rule of (schema['x-kubernetes-validations'] ?? []) as readonly SchemaRule[]) {
    const reason = schemaRefusal(rule, withoutNulls(place.value));
    if (reason === undefined) continue;
    refused++;
    const steps = rule.fieldPath?.split('.').filter(step => step !== '') ?? [];
    // The sentence of the CRD names the rule and the way out.
    const [sentence, ...rest] = reason.split(/(?<=\.) /);
    report(context, 'DRA125', place.at(...steps), {
      message: `${place.object.kind} '${place.object.name}' is refused: ${sentence.endsWith('.') ? sentence : `${sentence}.`}`,
      help: rest.length > 0 ? rest.join(' ') : 'Change it so that the rule holds.',
    });
  }
  return refused;
}

function exampleOf(pattern: string): string {
  return EXAMPLES.find(([start]) => pattern.startsWith(start))?.[1] ?? 'a shorter or plainer one';
}

/** A value for each pattern that our CRDs use, by how the pattern starts. */
const EXAMPLES: ReadonlyArray<readonly [start: string, example: string]> = [
  ['^([0-9]+h)?', '90m or 4h'],
  ['^[a-z0-9.-]+/', 'example.com/gpu'],
  ['^([a-z0-9.-]+:', 'gpu-large: trainer'],
  ['^(0(', '0.99'],
  ['^(0|[1-9]', '1.5'],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?(', 'gpu.example.com'],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'gpu-large'],
];

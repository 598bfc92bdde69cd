import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sorted } from './sorted.mjs';

/**
 * @typedef {{ since?: string, until?: string }} Lifetime first minor unless it is the oldest, last minor unless it is the newest
 * @typedef {{ type: string, list?: true, map?: true, required?: true, enum?: string[] } & Lifetime} Field
 * @typedef {{ definition?: string, plural: string, namespaced: boolean } & Lifetime} Kind
 * @typedef {Lifetime & { fields: Map<string, Field> }} Definition
 * @typedef {{ minors: string[], definitions: Map<string, Definition>, kinds: Map<string, Kind> }} Graph
 */

/** Definitions without properties that mean any JSON; others of that shape are empty objects, which mark a choice by being there. */
const FREE_FORM = new Set(['meta.v1.FieldsV1', 'pkg.runtime.RawExtension']);

/** @param {string} name `io.k8s.api.core.v1.Pod` @returns {string} `core.v1.Pod` */
function shortName(name) {
  return name.split('.').slice(-3).join('.');
}

/** @param {string} name short @param {any} schema of a definition @returns {string} the scalar it stands for, else its own name */
function typeOfDefinition(name, schema) {
  if (schema.properties) return name;
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'int-or-string') return 'intOrString';
  // Only quantities are written as a string or a number.
  if (schema.oneOf) return 'quantity';
  return schema.type === 'object' && !FREE_FORM.has(name) ? name : 'json';
}

/** @param {any} schema of a property @param {Map<string, string>} types by full name of a definition @returns {Field} */
function fieldOf(schema, types) {
  if (schema.type === 'array') {
    const item = fieldOf(schema.items, types);
    if (item.list || item.map) throw new Error(`a list of lists or maps cannot be told from a map of lists: ${JSON.stringify(schema)}`);
    return { ...item, list: true };
  }
  if (schema.additionalProperties) return { ...fieldOf(schema.additionalProperties, types), map: true };
  const reference = schema.$ref?.slice('#/definitions/'.length);
  const type = reference === undefined ? schema.type : types.get(reference);
  if (type === undefined || type === 'object') throw new Error(`a property has no known type: ${JSON.stringify(schema)}`);
  return schema.enum ? { type, enum: schema.enum } : { type };
}

/** @param {any} document @returns {Map<string, Map<string, Field>>} fields by short name of a definition */
function definitionsOf(document) {
  const entries = Object.entries(document.definitions);
  const types = new Map(entries.map(([name, schema]) => [name, typeOfDefinition(shortName(name), schema)]));
  return new Map(entries.filter(([name]) => types.get(name) === shortName(name)).map(([name, schema]) => {
    const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => {
      const field = fieldOf(property, types);
      return /** @type {[string, Field]} */ ([key, schema.required?.includes(key) ? { ...field, required: true } : field]);
    });
    return [shortName(name), new Map(fields)];
  }));
}

/**
 * Folds what each minor has of one thing: the newest description, with its first and last minor.
 *
 * @template T
 * @param {string} name for the message
 * @param {string[]} minors ascending
 * @param {(T | undefined)[]} versions by minor
 * @param {(value: T) => unknown} identity what may not change between minors
 * @returns {{ newest: T, lifetime: Lifetime }}
 */
function fold(name, minors, versions, identity) {
  const present = versions.flatMap((value, index) => (value === undefined ? [] : [index]));
  const first = present[0];
  const last = present[present.length - 1];
  if (last - first + 1 !== present.length) throw new Error(`${name} left and came back between ${minors[first]} and ${minors[last]}.`);
  const identities = new Set(present.map((index) => JSON.stringify(identity(versions[index]))));
  if (identities.size > 1) throw new Error(`${name} changed its type: ${[...identities].join(', ')}.`);
  return {
    newest: versions[last],
    lifetime: { ...(first > 0 && { since: minors[first] }), ...(last < minors.length - 1 && { until: minors[last] }) },
  };
}

/** @param {string} folder with `<minor>.json` files @returns {Graph} */
export function readGraph(folder) {
  const minors = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
    .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
  const documents = minors.map((minor) => JSON.parse(readFileSync(join(folder, `${minor}.json`), 'utf8')));

  const byMinor = documents.map(definitionsOf);
  const definitions = new Map(sorted(new Set(byMinor.flatMap((all) => [...all.keys()]))).map((name) => {
    const versions = byMinor.map((all) => all.get(name));
    const fields = sorted(new Set(versions.flatMap((version) => [...(version ?? new Map()).keys()]))).map((key) => {
      const { newest, lifetime } = fold(`${name}.${key}`, minors, versions.map((version) => version?.get(key)),
        ({ type, list, map }) => ({ type, list, map }));
      return /** @type {[string, Field]} */ ([key, { ...newest, ...lifetime }]);
    });
    return [name, { ...fold(name, minors, versions, () => true).lifetime, fields: new Map(fields) }];
  }));

  const kinds = new Map(sorted(new Set(documents.flatMap((document) => Object.keys(document.kinds)))).map((name) => {
    const { newest, lifetime } = fold(name, minors, documents.map((document) => document.kinds[name]), (kind) => kind);
    const definition = newest.definition && shortName(newest.definition);
    return [name, { ...newest, ...(definition && { definition }), ...lifetime }];
  }));
  return { minors, definitions, kinds };
}

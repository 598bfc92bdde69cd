import type { Schema } from './crd-schema';

/** What one field of a schema promises to objects that are stored already. */
export interface FieldPromise {
  readonly type: string;
  readonly required: boolean;
  /** Words that are allowed. */
  readonly words?: readonly string[];
  /** Upper bounds: of characters, entries, or a number. */
  readonly most?: number;
  /** Lower bounds, likewise. */
  readonly least?: number;
  readonly pattern?: string;
  /** How lists merge. */
  readonly list?: string;
}

/** Every field of a schema by its path; `[]` stands for entries of a list, `{}` for values of a map. */
export function promisesOf(schema: Schema): Readonly<Record<string, FieldPromise>> {
  const promises: Record<string, FieldPromise> = {};
  collect(schema, '', promises);
  return Object.fromEntries(Object.entries(promises).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function collect(schema: Schema, path: string, promises: Record<string, FieldPromise>): void {
  const required = (schema.required ?? []) as readonly string[];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)) {
    add(field, path === '' ? name : `${path}.${name}`, required.includes(name), promises);
  }
}

function add(schema: Schema, path: string, required: boolean, promises: Record<string, FieldPromise>): void {
  const most = schema.maxLength ?? schema.maxItems ?? schema.maxProperties ?? schema.maximum;
  const least = schema.minLength ?? schema.minItems ?? schema.minimum;
  promises[path] = {
    type: schema['x-kubernetes-int-or-string'] === true ? 'intOrString' : String(schema.type),
    required,
    ...(schema.enum === undefined ? {} : { words: schema.enum as readonly string[] }),
    ...(most === undefined || schema.enum !== undefined ? {} : { most: Number(most) }),
    ...(least === undefined ? {} : { least: Number(least) }),
    ...(schema.pattern === undefined ? {} : { pattern: String(schema.pattern) }),
    ...(schema['x-kubernetes-list-type'] === undefined ? {} : { list: String(schema['x-kubernetes-list-type']) }),
  };
  collect(schema, path, promises);
  if (schema.items !== undefined) add(schema.items as Schema, `${path}[]`, false, promises);
  if (schema.additionalProperties !== undefined) add(schema.additionalProperties as Schema, `${path}{}`, false, promises);
}

/** Why a newer schema breaks what an older one promised, a sentence each; a field that is new must not be required. */
export function brokenPromises(before: Readonly<Record<string, FieldPromise>>, after: Readonly<Record<string, FieldPromise>>): readonly string[] {
  const broken = Object.entries(before).flatMap(([path, old]) => {
    const now = after[path];
    if (now === undefined) return [`${path} is gone.`];
    return [
      ...(now.type === old.type ? [] : [`${path} was ${old.type} and is ${now.type}.`]),
      ...(now.required && !old.required ? [`${path} was optional and is required.`] : []),
      ...(old.words === undefined && now.words !== undefined ? [`${path} takes only some words now.`] : []),
      ...(old.words ?? []).filter(word => now.words !== undefined && !now.words.includes(word)).map(word => `${path} no longer takes ${word}.`),
      ...((now.most ?? Infinity) < (old.most ?? Infinity) ? [`${path} takes at most ${now.most} now.`] : []),
      ...((now.least ?? 0) > (old.least ?? 0) ? [`${path} needs at least ${now.least} now.`] : []),
      ...(now.pattern === undefined || now.pattern === old.pattern ? [] : [`${path} must match ${now.pattern} now.`]),
      ...(now.list === old.list ? [] : [`${path} merges otherwise now.`]),
    ];
  });
  const isAdded = (path: string) => before[path] === undefined && before[parentOf(path)] !== undefined;
  const added = Object.entries(after).filter(([path, { required }]) => required && isAdded(path));
  return [...broken, ...added.map(([path]) => `${path} is new and required.`)];
}

/** The object that a field is in; inside of a new one anything may be required. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

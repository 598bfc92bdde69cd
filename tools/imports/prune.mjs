// Usage: node tools/imports/prune.mjs --minor 1.34=DIR --minor 1.35=DIR … [--out DIR]
// DIR is an unpacked source tree of k8s.io/kubernetes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { enumsIn } from './enums.mjs';
import { isKept } from './kinds.mjs';
import { sorted } from './sorted.mjs';

const REF = '#/components/schemas/';
const KEPT_EXTENSIONS = new Set([
  'x-kubernetes-group-version-kind',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-unions',
]);

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {{ definition?: string, plural: string, namespaced: boolean }} Kind
 * @typedef {{ kinds: Map<string, Kind>, schemas: Map<string, Schema> }} Release
 */

/**
 * A schema without texts, defaults and extensions of no use here.
 *
 * @param {Schema} schema
 * @param {Record<string, string[]>} enums of its properties
 * @returns {Schema}
 */
function pruneSchema(schema, enums = {}) {
  /** @type {Schema} */
  const pruned = {};
  for (const key of sorted(Object.keys(schema))) {
    const value = schema[key];
    if (key === 'description' || key === 'default' || (key.startsWith('x-') && !KEPT_EXTENSIONS.has(key))) continue;
    if (key === '$ref') {
      pruned.$ref = `#/definitions/${value.slice(REF.length)}`;
    } else if (key === 'allOf' && value.length === 1) {
      // A reference is wrapped in allOf only to carry a description or a default beside it.
      Object.assign(pruned, pruneSchema(value[0]));
    } else if (key === 'items' || key === 'additionalProperties') {
      pruned[key] = pruneSchema(value);
    } else if (key === 'properties') {
      pruned.properties = Object.fromEntries(sorted(Object.keys(value)).map((name) => {
        const property = pruneSchema(value[name]);
        if (enums[name]) (property.items ?? property.additionalProperties ?? property).enum = enums[name];
        return [name, property];
      }));
    } else {
      pruned[key] = key === 'required' ? sorted(value) : value;
    }
  }
  return pruned;
}

/** @param {Schema} schema @returns {string[]} the definitions it names */
function references(schema) {
  const children = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  const own = typeof schema.$ref === 'string' ? [schema.$ref.slice('#/definitions/'.length)] : [];
  return [...own, ...children.filter(Boolean).flatMap(references)];
}

/** @param {{ group: string, version: string, kind: string }} gvk @returns {string} */
function apiVersionAndKind({ group, version, kind }) {
  return [group, version, kind].filter(Boolean).join('/');
}

/**
 * Kinds with a collection path; a kind that is only reached through a subresource (Scale, TokenRequest) is not an object.
 *
 * @param {Record<string, any>} paths
 * @returns {[string, Kind][]}
 */
function kindsIn(paths) {
  /** @type {[string, Kind][]} */
  const kinds = [];
  for (const [path, item] of Object.entries(paths)) {
    const match = /^\/apis?(?:\/[a-z0-9.-]+)?\/v[a-z0-9]+\/(namespaces\/\{namespace\}\/)?([a-z]+)$/.exec(path);
    const operation = item.post ?? item.get;
    const gvk = operation?.['x-kubernetes-group-version-kind'];
    if (!match || !gvk) continue;
    // Namespaced kinds also have a read-only path across all namespaces; the one with the namespace decides.
    const namespaced = match[1] !== undefined;
    kinds.push([apiVersionAndKind(gvk), { plural: match[2], namespaced }]);
  }
  return kinds;
}

/** @param {string} tree @returns {Release} */
function readRelease(tree) {
  const folder = join(tree, 'api', 'openapi-spec', 'v3');
  const enums = enumsIn(readFileSync(join(tree, 'pkg', 'generated', 'openapi', 'zz_generated.openapi.go'), 'utf8'));
  const kinds = new Map();
  const schemas = new Map();
  for (const file of sorted(readdirSync(folder))) {
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [name, kind] of kindsIn(document.paths)) {
      if (kind.namespaced || !kinds.has(name)) kinds.set(name, kind);
    }
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      schemas.set(name, pruneSchema(schema, enums.get(name.split('.').slice(-3).join('_'))));
    }
  }
  for (const [name, schema] of schemas) {
    const gvks = schema['x-kubernetes-group-version-kind'] ?? [];
    const key = gvks.length === 1 ? apiVersionAndKind(gvks[0]) : '';
    if (kinds.has(key)) kinds.set(key, { definition: name, ...kinds.get(key) });
  }
  return { kinds, schemas };
}

/**
 * Definitions that a kept kind reaches in any release: a type that existed before a kept kind began to use it is thus not mistaken for a new one.
 *
 * @param {Release[]} releases
 * @returns {Set<string>}
 */
function closure(releases) {
  const pending = releases.flatMap(({ kinds }) => [...kinds].flatMap(([name, { definition }]) => (isKept(name) && definition ? definition : [])));
  /** @type {Set<string>} */
  const reached = new Set();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const { schemas } of releases) pending.push(...references(schemas.get(name) ?? {}));
  }
  return reached;
}

/** @param {string[]} names @param {(name: string) => unknown} value @returns {string} an object with one entry a line */
function object(names, value) {
  return `{\n${names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(value(name))}`).join(',\n')}\n}`;
}

/**
 * Writes `<minor>.json` for each release: its kinds, and the definitions that the kept kinds need.
 *
 * @param {Map<string, string>} trees source tree by minor
 * @param {string} out
 */
export function prune(trees, out) {
  const releases = new Map([...trees].map(([minor, tree]) => [minor, readRelease(tree)]));
  const kept = closure([...releases.values()]);
  mkdirSync(out, { recursive: true });
  for (const [minor, { kinds, schemas }] of releases) {
    const linked = (/** @type {string} */ name) => {
      const { definition, ...kind } = kinds.get(name);
      return kept.has(definition) ? { definition, ...kind } : kind;
    };
    const definitions = sorted(kept).filter((name) => schemas.has(name));
    const text = `{\n"kinds": ${object(sorted(kinds.keys()), linked)},\n`
      + `"definitions": ${object(definitions, (name) => schemas.get(name))}\n}\n`;
    writeFileSync(join(out, `${minor}.json`), text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { minor: { type: 'string', multiple: true }, out: { type: 'string' } } });
  const trees = new Map((values.minor ?? []).map((argument) => {
    const at = argument.indexOf('=');
    if (at < 1) throw new Error(`--minor ${argument}: must be MINOR=DIR. Give for example 1.34=kubernetes-1.34.`);
    return [argument.slice(0, at), argument.slice(at + 1)];
  }));
  prune(trees, values.out ?? fileURLToPath(new URL('../../imports/openapi', import.meta.url)));
}

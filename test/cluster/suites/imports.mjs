// The OpenAPI that our schemas are generated from, compared with the OpenAPI of the server.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { expect, NotTried } from '../lib/suite.mjs';

/** Alpha and beta versions are off by default. */
export const needs = { runtimeConfig: 'api/all=true' };

/** Kinds that each group has and nobody writes to a file. */
const ANSWERS = /(List|DeleteOptions|WatchEvent)$/;

export const contracts = [
  { id: 'fields', text: 'The server has the fields of our schemas, no more and no fewer, with the same types', where: 'live', run: fields },
  { id: 'required', text: 'The server requires the fields that our schemas require', where: 'live', run: required },
  { id: 'kinds', text: 'The server serves no kind of resource.k8s.io that our schemas lack', where: 'live', run: kinds },
];

async function fields(cluster) {
  const { pairs, unserved } = await compared(cluster);
  const wrong = [];
  for (const { name, ours, theirs } of pairs) {
    for (const field of new Set([...Object.keys(ours.properties ?? {}), ...Object.keys(theirs.properties ?? {})])) {
      const [our, their] = [ours, theirs].map(definition => typeOf(definition.properties?.[field]));
      if (our !== their) wrong.push(`${name} ${field}: ours: ${our}, the server's: ${their}`);
    }
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${pairs.length} types${unserved}`;
}

async function required(cluster) {
  const { pairs, unserved } = await compared(cluster);
  const list = definition => [...(definition.required ?? [])].sort().join(', ') || 'none';
  const wrong = pairs.filter(({ ours, theirs }) => list(ours) !== list(theirs));
  expect(wrong.length === 0, wrong.map(({ name, ours, theirs }) => `${name}: ours: ${list(ours)}, the server's: ${list(theirs)}`).join('\n'));
  return `${pairs.length} types${unserved}`;
}

async function kinds(cluster) {
  const ours = kindsOf(openApiOf(cluster).definitions);
  const lacking = [...kindsOf(await served(cluster))].filter(kind => kind.startsWith('resource.k8s.io/') && !ANSWERS.test(kind) && !ours.has(kind));
  expect(lacking.length === 0, lacking.join('\n'));
}

/** Types of our schemas beside the server's; those that it does not serve now, behind a gate for instance, are counted only. */
async function compared(cluster) {
  const theirs = await served(cluster);
  const ours = Object.entries(openApiOf(cluster).definitions);
  const pairs = ours.filter(([name]) => name in theirs).map(([name, definition]) => ({ name, ours: definition, theirs: theirs[name] }));
  const missing = ours.length - pairs.length;
  return { pairs, unserved: missing === 0 ? '' : `; ${missing} not served with these gates` };
}

function openApiOf({ minor, state }) {
  if (state?.emulate !== undefined) throw new NotTried('a program that plays an older minor still has the fields of its own');
  const file = join(ROOT, 'imports', 'openapi', `${minor}.json`);
  if (!existsSync(file)) throw new NotTried(`there is no ${file}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const schemas = new WeakMap();

async function served({ api }) {
  if (!schemas.has(api)) {
    const { paths } = await api.get('/openapi/v3');
    const urls = Object.entries(paths)
      .filter(([path]) => path.startsWith('api'))
      .map(([, { serverRelativeURL }]) => serverRelativeURL);
    const documents = await Promise.all(urls.map(url => api.get(url)));
    schemas.set(api, Object.assign({}, ...documents.map(({ components }) => components?.schemas ?? {})));
  }
  return schemas.get(api);
}

function kindsOf(definitions) {
  const all = Object.values(definitions).flatMap(definition => definition['x-kubernetes-group-version-kind'] ?? []);
  return new Set(all.map(({ group, version, kind }) => `${group}/${version}/${kind}`));
}

/** The type of a field as a text, the same in both versions of OpenAPI. */
function typeOf(schema) {
  if (schema === undefined) return 'none';
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return reference.slice(reference.lastIndexOf('/') + 1);
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeOf(schema.additionalProperties)}`;
  return [schema.type, schema.format].filter(part => part !== undefined).join(' ');
}

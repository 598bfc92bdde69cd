import { isEmitted } from './kinds.mjs';
import { GENERATED, isIdentifier, quoted } from './source-text.mjs';
import { sorted } from './sorted.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Lifetime} Lifetime */

/** Names of interfaces whose Kubernetes name is taken: a full one by definition, or a prefix by group and version. */
const RENAMED = {
  'admissionregistration.v1alpha1': 'V1alpha1',
  'admissionregistration.v1beta1': 'V1beta1',
  'core.v1.ResourceClaim': 'ContainerResourceClaim',
  'resource.v1alpha3': 'V1alpha3',
  'resource.v1beta2': 'V1beta2',
};

const SCALARS = new Map([
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['intOrString', 'IntOrString'],
  ['json', 'unknown'],
  ['number', 'number'],
  ['quantity', 'Quantity'],
  ['string', 'string'],
  ['time', 'Time'],
]);

/** @param {string} definition @returns {string} */
function interfaceName(definition) {
  const at = definition.lastIndexOf('.');
  return RENAMED[definition] ?? `${RENAMED[definition.slice(0, at)] ?? ''}${definition.slice(at + 1)}`;
}

/** @param {Graph} graph @returns {Map<string, { apiVersion: string, kind: string } | undefined>} definitions to write, and what kind they are of */
function emitted({ kinds, definitions }) {
  const found = new Map();
  const visit = (/** @type {string} */ name) => {
    if (found.has(name) || !definitions.has(name)) return;
    found.set(name, undefined);
    for (const { type } of definitions.get(name).fields.values()) visit(type);
  };
  const roots = [...kinds].filter(([name]) => isEmitted(name));
  for (const [, { definition }] of roots) visit(definition);
  for (const [name, { definition }] of roots) {
    const at = name.lastIndexOf('/');
    found.set(definition, { apiVersion: name.slice(0, at), kind: name.slice(at + 1) });
  }
  return found;
}

/** @param {Lifetime} lifetime @param {string} indent @returns {string} */
function lifetimeComment({ since, until }, indent = '') {
  if (!since && !until) return '';
  if (since === until) return `${indent}/** Only in ${since}. */\n`;
  const words = [since && `Since ${since}.`, until && `Until ${until}.`].filter(Boolean).join(' ');
  return `${indent}/** ${words} */\n`;
}

/** @param {string} definition @param {{ apiVersion: string, kind: string } | undefined} gvk @param {Graph} graph @returns {string} */
function interfaceText(definition, gvk, { definitions }) {
  const { fields, ...lifetime } = definitions.get(definition);
  const head = lifetimeComment(lifetime);
  if (fields.size === 0) return `${head}export type ${interfaceName(definition)} = { readonly [field: string]: never };\n`;
  const name = [...fields.keys()].every(isIdentifier) ? (/** @type {string} */ key) => key : quoted;
  const lines = [...fields].map(([key, field]) => {
    if (gvk && (key === 'apiVersion' || key === 'kind')) return `  readonly ${key}: ${quoted(gvk[key])};`;
    const item = SCALARS.get(field.type) ?? interfaceName(field.type);
    const values = field.list ? `readonly ${item}[]` : item;
    const type = field.map ? `{ readonly [key: string]: ${values} }` : values;
    // What is said of the whole interface is not repeated for each field.
    const comment = field.since === lifetime.since && field.until === lifetime.until ? '' : lifetimeComment(field, '  ');
    return `${comment}  readonly ${name(key)}${field.required ? '' : '?'}: ${type};`;
  });
  return `${head}export interface ${interfaceName(definition)} {\n${lines.join('\n')}\n}\n`;
}

/** @param {Graph} graph @returns {string} types.ts */
export function typesText(graph) {
  const found = emitted(graph);
  const owners = new Map();
  for (const definition of sorted(found.keys())) {
    const name = interfaceName(definition);
    if (owners.has(name)) throw new Error(`${definition} and ${owners.get(name)} would both be named ${name}. Add one of them to RENAMED.`);
    owners.set(name, definition);
  }
  const interfaces = sorted(owners.keys()).map((name) => interfaceText(owners.get(name), found.get(owners.get(name)), graph));
  return `${GENERATED}

/** A number with a unit, such as \`500m\` or \`16Gi\`. */
export type Quantity = string | number;

/** A number, or a percentage or name. */
export type IntOrString = string | number;

/** A point in time in RFC 3339 form. */
export type Time = string;

${interfaces.join('\n')}`;
}

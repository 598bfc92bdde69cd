import { GENERATED, quoted } from './source-text.mjs';

/** @typedef {import('./graph.mjs').Field} Field */
/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Kind} Kind */

const WIDTH = 150;

/** @param {string[]} words @param {string} indent @param {string} further indent of the lines after the first @returns {string} */
function wrapped(words, indent, further) {
  const lines = [indent + words[0]];
  for (const word of words.slice(1)) {
    const line = `${lines[lines.length - 1]} ${word}`;
    if (line.length > WIDTH) lines.push(further + word);
    else lines[lines.length - 1] = line;
  }
  return lines.join('\n');
}

/** @param {string} key @param {Field} field @returns {string} in the notation that `decode` of the generated file reads */
function notation(key, { type, list, map, required, enum: values, since, until }) {
  const strange = values?.find((value) => /\s/.test(value));
  if (strange !== undefined) throw new Error(`${key}: the notation cannot hold the value ${JSON.stringify(strange)}.`);
  const words = [
    `${key}${required ? '!' : ''}`,
    `${type}${list ? '[]' : ''}${map ? '{}' : ''}`,
    ...(since ? [`since=${since}`] : []),
    ...(until ? [`until=${until}`] : []),
    ...(values ? ['enum', ...values.map((value) => value || '""')] : []),
  ];
  return wrapped(words, '    ', '      ');
}

/** @param {string} name @param {Kind} kind @returns {string} */
function kindText(name, { definition, plural, namespaced, since, until }) {
  const parts = Object.entries({ definition, plural, namespaced, since, until }).filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? quoted(value) : value}`);
  const line = `  ${quoted(name)}: { ${parts.join(', ')} },`;
  return line.length <= WIDTH ? line : `  ${quoted(name)}: {\n${parts.map((part) => `    ${part},\n`).join('')}  },`;
}

/** @param {Graph} graph @returns {string} fields.ts */
export function fieldsText({ minors, definitions, kinds }) {
  const definitionLines = [...definitions].map(([name, { fields }]) => {
    if (fields.size === 0) return `  ${quoted(name)}: '',`;
    const lines = [...fields].map(([key, field]) => `\n${notation(key, field)}`);
    return `  ${quoted(name)}: \`${lines.join('')}\`,`;
  });
  return `${GENERATED}

/** A minor release of Kubernetes whose schemas are known. */
export type Minor = ${minors.map(quoted).join(' | ')};

/** The known minors, ascending. */
export const MINORS: readonly Minor[] = [${minors.map(quoted).join(', ')}];

/**
 * A field of a definition.
 *
 * Alpha fields count as present from the minor that compiled them in, whatever the feature gates.
 */
export interface Field {
  /** \`string\`, \`integer\`, \`number\`, \`boolean\`, \`quantity\`, \`intOrString\`, \`time\`, \`json\` (anything), or a key of \`DEFINITIONS\`. */
  readonly type: string;

  /** A list of \`type\`; with \`map\`, a map of such lists. */
  readonly list?: true;

  /** A map from strings to \`type\`. */
  readonly map?: true;

  /** As the newest minor that has the field says. */
  readonly required?: true;

  /** The values Kubernetes declares in the newest minor that has the field, for a list those of its items; older minors may accept fewer. */
  readonly enum?: readonly string[];

  /** First minor that has the field; absent if the oldest known one has it. */
  readonly since?: Minor;

  /** Last minor that has the field; absent if the newest known one has it. */
  readonly until?: Minor;
}

/** A kind of object that the API server stores or answers. */
export interface KindInfo {
  /** Key of \`DEFINITIONS\`; absent if the kind's schema is not kept. */
  readonly definition?: string;

  /** Resource name in paths and in RBAC rules. */
  readonly plural: string;

  readonly namespaced: boolean;

  /** First minor that knows the kind in this version, served by default or not; absent if the oldest known one does. */
  readonly since?: Minor;

  /** Last minor that knows the kind in this version; absent if the newest known one does. */
  readonly until?: Minor;
}

/** All built-in kinds by \`apiVersion/kind\`. */
export const KINDS: { readonly [apiVersionAndKind: string]: KindInfo } = {
${[...kinds].map(([name, kind]) => kindText(name, kind)).join('\n')}
};

/** One field an entry: its name (\`!\` if required), its type (\`[]\` a list, \`{}\` a map), its minors, its values. */
const NOTATION: { readonly [definition: string]: string } = {
${definitionLines.join('\n')}
};

function decode(notation: string): { readonly [field: string]: Field } {
  // No prototype: a manifest may hold a field named like one of Object's methods.
  const fields: { [field: string]: Field } = Object.create(null);
  for (const entry of notation.split(/\\n {4}(?! )/).slice(1)) {
    const [name, type, ...words] = entry.split(/\\s+/);
    const at = words.indexOf('enum');
    const minor = (key: string) => words.find((word) => word.startsWith(key))?.slice(key.length) as Minor | undefined;
    const since = minor('since=');
    const until = minor('until=');
    fields[name.replace('!', '')] = {
      type: type.replace(/[[\\]{}]/g, ''),
      ...(type.includes('[]') && { list: true }),
      ...(type.includes('{}') && { map: true }),
      ...(name.endsWith('!') && { required: true }),
      ...(at >= 0 && { enum: words.slice(at + 1).map((word) => (word === '""' ? '' : word)) }),
      ...(since && { since }),
      ...(until && { until }),
    };
  }
  return fields;
}

/** Decodes a definition when it is first read: a program uses few of them, and reading all would slow each start. */
function lazily(): { readonly [definition: string]: { readonly [field: string]: Field } } {
  const definitions = Object.create(null);
  for (const name of Object.keys(NOTATION)) {
    Object.defineProperty(definitions, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = decode(NOTATION[name]);
        Object.defineProperty(definitions, name, { value });
        return value;
      },
    });
  }
  return definitions;
}

/** Fields by definition, which is named by the last three parts of its OpenAPI name. */
export const DEFINITIONS = lazily();
`;
}

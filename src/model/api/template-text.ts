import { map, type Schema } from './crd-schema';
import { dnsSubdomainProblem } from '../names';

/**
 * By namespace the claim templates that ask for some classes, as a text with a line a class: its name, a colon, the names of the templates.
 *
 * It is no map of lists, as the API server turns each node of a parameter into CEL's form for every request that a policy looks at.
 */
export interface TemplateTexts {
  readonly [namespace: string]: string;
}

/** `namespace/name` of claim templates, to the classes in them. */
export interface ClassesByTemplate {
  readonly [template: string]: readonly string[];
}

/** Namespaces of an object, characters of one text and of all together; etcd takes 1.5 MiB, the object's other fields and its history of writers included. */
export const TEMPLATE_TEXT_LIMITS = { namespaces: 2048, text: 32768, all: 1_048_576 } as const;

/** Schema of the field; what no policy could read is refused when it is written. */
export function templateTextsSchema(): Schema {
  const name = '[a-z0-9.-]+';
  return {
    ...map({ type: 'string', maxLength: TEMPLATE_TEXT_LIMITS.text, pattern: `^(${name}:( ${name})+(\\n|$))+$` }, TEMPLATE_TEXT_LIMITS.namespaces),
    // With one owner for all of it `managedFields`, which is turned into CEL's form as well, has one entry instead of one a namespace.
    'x-kubernetes-map-type': 'atomic',
  };
}

/** The texts, sorted; names that no object can have are left out. */
export function templateTexts(templates: ClassesByTemplate): TemplateTexts {
  const namespaces = new Map<string, Map<string, string[]>>();
  for (const [template, classes] of Object.entries(templates)) {
    const [namespace = '', name = ''] = template.split('/');
    for (const each of new Set(classes)) {
      if ([namespace, name, each].some(one => dnsSubdomainProblem(one) !== undefined)) continue;
      const lines = entryOf(namespaces, namespace, () => new Map<string, string[]>());
      entryOf(lines, each, () => []).push(name);
    }
  }
  return Object.fromEntries(byKey(namespaces).map(([namespace, lines]) => [namespace, byKey(lines).map(([each, names]) => `${each}: ${names.sort().join(' ')}\n`).join('')]));
}

/** What texts say. */
export function templatesOfTexts(texts: TemplateTexts): ClassesByTemplate {
  const templates = new Map<string, string[]>();
  for (const [namespace, text] of Object.entries(texts)) {
    for (const line of text.split('\n')) {
      const [each = '', names] = line.split(': ');
      for (const name of names?.split(' ') ?? []) entryOf(templates, `${namespace}/${name}`, () => []).push(each);
    }
  }
  return Object.fromEntries(byKey(templates).map(([template, classes]) => [template, classes.sort()]));
}

/** What is more than an object takes, a sentence each. */
export function templateTextMistakes(kind: string, texts: TemplateTexts): readonly string[] {
  const { namespaces, text, all } = TEMPLATE_TEXT_LIMITS;
  const lengths = Object.entries(texts).map(([namespace, { length }]) => [namespace, length] as const);
  const sum = lengths.reduce((total, [, length]) => total + length, 0);
  return [
    ...lengths.filter(([, length]) => length > text)
      .map(([namespace, length]) => `The claim templates of namespace ${namespace} fill ${length} characters, ${kind} takes ${text} a namespace.`),
    ...(lengths.length > namespaces ? [`${lengths.length} namespaces have claim templates of these classes, ${kind} takes ${namespaces}.`] : []),
    ...(sum > all ? [`The claim templates of all namespaces fill ${sum} characters, ${kind} takes ${all}.`] : []),
  ];
}

function entryOf<T>(entries: Map<string, T>, key: string, make: () => T): T {
  const found = entries.get(key) ?? make();
  entries.set(key, found);
  return found;
}

function byKey<T>(entries: ReadonlyMap<string, T>): ReadonlyArray<readonly [string, T]> {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

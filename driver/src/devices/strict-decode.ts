import { nearest, show } from 'cdk8s-dra/model';
import type { Problem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

export type FieldPath = ReadonlyArray<string | number>;

/** A fault of one field. */
export interface FieldProblem extends Problem {
  readonly path: FieldPath;
}

export type Decoded<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

type Schema = z.core.$ZodType;

/** Reads a value by a schema whose objects are strict, and names every field that is unknown, missing or wrong. */
export function decode<T>(schema: z.core.$ZodType<T>, value: unknown): Decoded<T> {
  const result = z.safeParse(schema, value);
  if (result.success) return { value: result.data };
  return { problems: result.error.issues.flatMap((issue) => problemsOf(schema, value, issue)) };
}

/** A check for a schema, from a function that says why a value will not do. */
export function rule<T>(problemOf: (value: T) => Problem | undefined): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const problem = problemOf(value);
    if (problem === undefined) return;
    issues.push({ code: 'custom', input: value, message: problem.rule, params: { help: problem.help } });
  };
}

/** `fleet[0].count` */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '');
}

/** One line: the field, the rule, the way out. */
export function describeField({ path, rule: broken, help }: FieldProblem, what: string): string {
  const name = fieldName(path);
  return `${name === '' ? what : `'${name}'`} ${broken}. ${help}`;
}

function problemsOf(schema: Schema, root: unknown, issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const given = valueAt(root, path);
  const shown = given === undefined ? 'but is missing' : `got ${show(given)}`;
  const one = (broken: string, help: string): FieldProblem[] => [{ path, rule: broken, help }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField([...path, key], key, fieldsAt(schema, root, path)));
    case 'invalid_type':
      return one(`must be ${TYPE_WORDS[issue.expected] ?? issue.expected}, ${shown}`, given === undefined ? 'Add it.' : 'Correct the type; mind quotes in YAML.');
    case 'invalid_value':
      return one(`must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(show).join(', ')}, ${shown}`, meant(given, issue.values));
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
      const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : '';
      return one(`must be ${bound}${unit}, ${shown}`, issue.code === 'too_small' ? 'Choose more.' : 'Choose less.');
    }
    case 'invalid_union':
      return unionProblems(schema, root, issue, path, shown);
    case 'custom': {
      const help: unknown = issue.params?.help;
      return one(`${issue.message}, ${shown}`, typeof help === 'string' ? help : 'Correct it.');
    }
    default:
      return one(`must be of another form, ${shown}`, 'See docs/devices.md for what can stand here.');
  }
}

function unionProblems(schema: Schema, root: unknown, issue: z.core.$ZodIssueInvalidUnion, path: FieldPath, shown: string): FieldProblem[] {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  if (options.length > 0) return [{ path, rule: `must be one of ${options.map(show).join(', ')}, ${shown}`, help: meant(valueAt(root, path), options) }];
  const types = issue.errors.flatMap(([only, ...more]) => (more.length === 0 && only?.code === 'invalid_type' && only.path.length === 0 ? [only.expected] : []));
  if (types.length === issue.errors.length) {
    return [{ path, rule: `must be ${types.map((type) => TYPE_WORDS[type] ?? type).join(' or ')}, ${shown}`, help: 'Correct the type; mind quotes in YAML.' }];
  }
  // The reading with the fewest faults, and of those the one that came furthest, is the one that was meant.
  const [best = []] = [...issue.errors].sort((a, b) => a.length - b.length || depth(b) - depth(a));
  return best.flatMap((inner) => problemsOf(schema, root, { ...inner, path: [...path, ...inner.path] }));
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}

function unknownField(path: FieldPath, key: string, known: readonly string[]): FieldProblem {
  const near = nearest(key, known);
  return {
    path,
    rule: 'is not a field here',
    help: near !== undefined ? `Did you mean '${near}'?` : known.length === 0 ? 'Remove it.' : `There are ${known.join(', ')}.`,
  };
}

function meant(given: unknown, values: readonly unknown[]): string {
  const near = typeof given === 'string' ? nearest(given, values.map(String)) : undefined;
  return near === undefined ? 'Write it exactly so; upper and lower case count.' : `Did you mean '${near}'?`;
}

function valueAt(root: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, part) => (typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? (value as Record<string, unknown>)[part] : undefined), root);
}

/** Names of the fields of the object at a path; where there are several forms, those that the value may have. */
function fieldsAt(schema: Schema, root: unknown, path: FieldPath): string[] {
  let at: readonly Schema[] = [schema];
  path.forEach((part, index) => { at = at.flatMap((candidate) => memberOf(candidate, valueAt(root, path.slice(0, index)), part)); });
  const value = valueAt(root, path);
  const ends = at.flatMap((candidate) => forms(candidate, value));
  return [...new Set(ends.flatMap((form) => (form instanceof z.ZodMiniObject ? Object.keys(form.shape) : [])))];
}

function memberOf(schema: Schema, value: unknown, part: string | number): Schema[] {
  return forms(schema, value).flatMap((form): Schema[] => {
    if (form instanceof z.ZodMiniObject) return Object.hasOwn(form.shape, part) ? [(form.shape as Record<string, Schema>)[part] as Schema] : [];
    if (form instanceof z.ZodMiniArray) return [form.def.element];
    return form instanceof z.ZodMiniRecord ? [form.def.valueType] : [];
  });
}

function forms(schema: Schema, value: unknown): Schema[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodMiniDiscriminatedUnion) {
    const { discriminator, options } = inner.def as z.core.$ZodDiscriminatedUnionDef;
    const chosen = valueAt(value, [discriminator]) as string;
    return options.flatMap((option) => forms(option, value)).filter((form) => form._zod.propValues?.[discriminator]?.has(chosen));
  }
  return inner instanceof z.ZodMiniUnion ? inner.def.options.flatMap((option) => forms(option, value)) : [inner];
}

function unwrapped(schema: Schema): Schema {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) return unwrapped(schema.def.innerType);
  return schema instanceof z.ZodMiniPipe ? unwrapped(schema.def.in) : schema;
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object', record: 'an object',
};

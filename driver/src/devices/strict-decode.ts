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
      return issue.keys.map((key) => unknownField([...path, key], key, fieldsAt(schema, path)));
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
    case 'invalid_union': {
      // The reading that came furthest is the one that was meant.
      const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
      if (best === undefined || depth(best) === 0) return one(`must be of another form, ${shown}`, 'See docs/devices.md for what can stand here.');
      return best.flatMap((inner) => problemsOf(schema, root, { ...inner, path: [...path, ...inner.path] }));
    }
    case 'custom': {
      const help: unknown = issue.params?.help;
      return one(`${issue.message}, ${shown}`, typeof help === 'string' ? help : 'Correct it.');
    }
    default:
      return one(`must be of another form, ${shown}`, 'See docs/devices.md for what can stand here.');
  }
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
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

/** Names of the fields of the object at a path, as far as the schema can tell without a value. */
function fieldsAt(schema: Schema, path: FieldPath): string[] {
  let at: Schema | undefined = schema;
  for (const part of path) at = at === undefined ? undefined : memberOf(at, part);
  const inner = at === undefined ? undefined : unwrapped(at);
  return inner instanceof z.ZodMiniObject ? Object.keys(inner.shape) : [];
}

function memberOf(schema: Schema, part: string | number): Schema | undefined {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodMiniObject) return (inner.shape as Record<string, Schema>)[part];
  if (inner instanceof z.ZodMiniArray) return inner.def.element;
  if (inner instanceof z.ZodMiniRecord) return inner.def.valueType;
  return undefined;
}

function unwrapped(schema: Schema): Schema {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) return unwrapped(schema.def.innerType);
  return schema instanceof z.ZodMiniPipe ? unwrapped(schema.def.in) : schema;
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object', record: 'an object',
};

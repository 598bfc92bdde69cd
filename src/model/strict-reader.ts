import { nearest } from './near-miss';
import type { Problem } from './problem';
import { show } from './problem';

/** Fields and indexes from the whole value down. */
export type FieldPath = ReadonlyArray<string | number>;

/** A fault of one field. */
export interface FieldProblem extends Problem {
  readonly path: FieldPath;
}

export type Decoded<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

/** What a value must be like: reads one, and names every field in it that is unknown, missing or wrong. */
export interface Form<T> {
  /** What is wrong goes into `problems`, and the result is then of no use. */
  read(given: unknown, path: FieldPath, problems: FieldProblem[]): T;
}

/** A field that may be left out. */
export interface OptionalForm<T> extends Form<T> {
  readonly isOptional: true;
}

/** The type of what a form reads. */
export type ReadBy<F> = F extends Form<infer T> ? T : never;

/** Reads a whole value. */
export function decode<T>(form: Form<T>, given: unknown): Decoded<T> {
  const problems: FieldProblem[] = [];
  const value = form.read(given, [], problems);
  return problems.length === 0 ? { value } : { problems };
}

/** `fleet[0].count` */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '');
}

/** One line: the field, the rule, the way out. */
export function describeField({ path, rule, help }: FieldProblem, what: string): string {
  const name = fieldName(path);
  return `${name === '' ? what : `'${name}'`} ${rule}. ${help}`;
}

/** Bounds of a number, of the length of a text or list; both ends allowed. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function text(bounds: Bounds = {}): Form<string> {
  return scalar('a text', given => typeof given === 'string', given => boundsProblem(given, given.length, bounds, ' characters long'));
}

export function whole(bounds: Bounds = {}): Form<number> {
  return scalar('a whole number', given => Number.isSafeInteger(given), given => boundsProblem(given, given, bounds, ''));
}

export function flag(): Form<boolean> {
  return scalar('true or false', given => typeof given === 'boolean');
}

/** A text or a number, such as quantities are; read as a text. */
export function textOrNumber(): Form<string> {
  const form = scalar<string | number>('a text or a number', given => typeof given === 'string' || typeof given === 'number');
  return { read: (given, path, problems) => String(form.read(given, path, problems)).trim() };
}

/** One of the values, exactly so. */
export function oneOf<const T extends string>(...values: readonly T[]): Form<T> {
  return {
    read: (given, path, problems) => {
      if (!values.some(value => value === given)) problems.push(choiceProblem(path, given, values));
      return given as T;
    },
  };
}

/** Anything that JSON can say. */
export function json(): Form<any> {
  return { read: given => given };
}

export function optional<T>(form: Form<T>): OptionalForm<T> {
  return { isOptional: true, read: (given, path, problems) => form.read(given, path, problems) };
}

export function list<T>(item: Form<T>, bounds: Bounds = {}): Form<T[]> {
  return {
    read: (given, path, problems) => {
      if (!Array.isArray(given)) return typeProblem('a list', given, path, problems) as T[];
      const problem = boundsProblem(given, given.length, bounds, ' entries long');
      if (problem !== undefined) problems.push({ path, ...problem });
      return given.map((one, index) => item.read(one, [...path, index], problems));
    },
  };
}

/** An object whose fields somebody else named; `key` says why a name will not do. */
export function record<T>(item: Form<T>, key: (name: string) => Problem | undefined = () => undefined): Form<{ [name: string]: T }> {
  return {
    read: (given, path, problems) => {
      if (!isObject(given)) return typeProblem('an object', given, path, problems) as { [name: string]: T };
      return Object.fromEntries(Object.entries(given).map(([name, one]) => {
        const problem = key(name);
        if (problem !== undefined) problems.push({ path: [...path, name], rule: `has a name that ${problem.rule}, got ${show(name)}`, help: problem.help });
        return [name, item.read(one, [...path, name], problems)];
      }));
    },
  };
}

/** The forms of an object's fields. */
export interface Fields {
  readonly [name: string]: Form<any>;
}

type OptionalNames<F> = { [K in keyof F]: F[K] extends OptionalForm<any> ? K : never }[keyof F];

/** What an object form reads: a field that is left out is no property of it. */
export type ObjectOf<F> = { readonly [K in Exclude<keyof F, OptionalNames<F>>]: ReadBy<F[K]> }
  & { readonly [K in OptionalNames<F>]?: ReadBy<F[K]> | undefined };

export interface ObjectForm<T> extends Form<T> {
  readonly fields: Fields;
}

/** An object with these fields and no others. */
export function object<F extends Fields>(fields: F): ObjectForm<ObjectOf<F>> {
  const names = Object.keys(fields);
  return {
    fields,
    read: (given, path, problems) => {
      if (!isObject(given)) return typeProblem('an object', given, path, problems) as ObjectOf<F>;
      const read: [string, unknown][] = [];
      for (const name of names) {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        if (value !== undefined || !('isOptional' in fields[name])) read.push([name, fields[name].read(value, [...path, name], problems)]);
      }
      for (const name of Object.keys(given)) {
        if (!Object.hasOwn(fields, name) && given[name] !== undefined) problems.push(unknownField([...path, name], name, names));
      }
      return Object.fromEntries(read) as ObjectOf<F>;
    },
  };
}

/** An object of which one field tells which of several forms it has. */
export function variant<T>(teller: string, forms: { readonly [value: string]: Form<T> }): Form<T> {
  return {
    read: (given, path, problems) => {
      if (!isObject(given)) return typeProblem('an object', given, path, problems) as T;
      const told = Object.hasOwn(given, teller) ? given[teller] : undefined;
      if (typeof told === 'string' && Object.hasOwn(forms, told)) return forms[told].read(given, path, problems);
      problems.push(choiceProblem([...path, teller], told, Object.keys(forms)));
      return undefined as T;
    },
  };
}

/** An object with exactly one of the fields. */
export function oneField<F extends Fields>(fields: F): Form<{ [K in keyof F]: { readonly [P in K]: ReadBy<F[K]> } }[keyof F]> {
  const whichever = object(Object.fromEntries(Object.entries(fields).map(([name, form]) => [name, optional(form)])));
  return checked(whichever as Form<any>, given => (Object.keys(given).length === 1 ? undefined : {
    rule: `must have one of ${Object.keys(fields).join(', ')}`, help: 'Keep the one that is meant.',
  }));
}

/** The form, and rules about what it read; they are asked in order where nothing is wrong inside. */
export function checked<F extends Form<any>>(form: F, ...rules: ReadonlyArray<(value: ReadBy<F>) => Problem | undefined>): F {
  return {
    ...form,
    read: (given: unknown, path: FieldPath, problems: FieldProblem[]) => {
      const before = problems.length;
      const value = form.read(given, path, problems);
      if (problems.length > before) return value;
      for (const rule of rules) {
        const problem = rule(value);
        if (problem === undefined) continue;
        problems.push({ path, rule: `${problem.rule}, ${shown(given)}`, help: problem.help });
        break;
      }
      return value;
    },
  };
}

/** The form, and what becomes of its value where nothing is wrong. */
export function converted<T, U>(form: Form<T>, convert: (value: T) => U): Form<U> {
  return {
    read: (given, path, problems) => {
      const before = problems.length;
      const value = form.read(given, path, problems);
      return problems.length > before ? undefined as U : convert(value);
    },
  };
}

function scalar<T>(words: string, isOfType: (given: unknown) => boolean, problemOf: (given: T) => Problem | undefined = () => undefined): Form<T> {
  return {
    read: (given, path, problems) => {
      if (!isOfType(given)) return typeProblem(words, given, path, problems) as T;
      const problem = problemOf(given as T);
      if (problem !== undefined) problems.push({ path, ...problem });
      return given as T;
    },
  };
}

function boundsProblem(given: unknown, size: number, { min, max }: Bounds, unit: string): Problem | undefined {
  if (min !== undefined && size < min) return { rule: `must be at least ${min}${unit}, ${shown(given)}`, help: 'Choose more.' };
  return max === undefined || size <= max ? undefined : { rule: `must be at most ${max}${unit}, ${shown(given)}`, help: 'Choose less.' };
}

function typeProblem(words: string, given: unknown, path: FieldPath, problems: FieldProblem[]): unknown {
  problems.push({ path, rule: `must be ${words}, ${shown(given)}`, help: given === undefined ? 'Add it.' : 'Correct the type; mind quotes in YAML.' });
  return undefined;
}

function choiceProblem(path: FieldPath, given: unknown, values: readonly string[]): FieldProblem {
  const near = typeof given === 'string' ? nearest(given, values) : undefined;
  return {
    path,
    rule: `must be ${values.length === 1 ? '' : 'one of '}${values.map(show).join(', ')}, ${shown(given)}`,
    help: near === undefined ? 'Write it exactly so; upper and lower case count.' : `Did you mean '${near}'?`,
  };
}

function unknownField(path: FieldPath, name: string, known: readonly string[]): FieldProblem {
  const near = nearest(name, known);
  return {
    path,
    rule: 'is not a field here',
    help: near !== undefined ? `Did you mean '${near}'?` : known.length === 0 ? 'Remove it.' : `There are ${known.join(', ')}.`,
  };
}

function shown(given: unknown): string {
  return given === undefined ? 'but is missing' : `got ${show(given)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

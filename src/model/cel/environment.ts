import type { Library, Overload, Singleton } from './library/overload';
import type { Macro } from './syntax/macro';
import type { Type } from './types/type';

/** A function with all its signatures, in the order in which they are tried. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Present if one implementation serves all overloads. */
  readonly singleton?: Singleton;
}

/** Largest number of elements, characters or entries of a value, for cost estimates; the way there is part of the variable's type. */
export interface SizedType {
  readonly type: Type;
  readonly maxSize: number;
  readonly fields?: ReadonlyMap<string, SizedType>;
  /** Elements of a list, values of a map. */
  readonly element?: SizedType;
  readonly key?: SizedType;
}

/** Release of cel-go; Kubernetes before 1.37 has 0.26. The two differ in a few answers and costs. */
export type CelGo = '0.26' | '0.29';

/** What an expression may use: functions, macros, variables and the fields of their types. */
export interface Environment {
  readonly celGo: CelGo;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: readonly Macro[];
  readonly optionalSyntax: boolean;
  readonly variables: ReadonlyMap<string, SizedType>;
  /** Names of types that an expression may use as values. */
  readonly types: ReadonlyMap<string, Type>;
  /** Fields of struct types by name of the type. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, Type>>;
  /** Types of the fields of structs that are maps, by the way to them: they have a name too. */
  readonly fieldTypes: ReadonlyMap<string, Type>;
  /** Sizes that cannot be told from the path alone, such as attributes of any name. */
  readonly sizes: SizeLookup;
}

/** Largest size of what lies at a path from a variable; undefined if unknown. */
export type SizeLookup = (path: readonly string[]) => number | undefined;

/** What environments are put together from. */
export interface EnvironmentPart {
  readonly libraries?: readonly Library[];
  readonly macros?: readonly Macro[];
  readonly optionalSyntax?: boolean;
  readonly types?: readonly Type[];
}

export interface VariableDeclarations {
  readonly variables: ReadonlyMap<string, SizedType>;
  readonly sizes: SizeLookup;
}

/** An environment with the parts in this order and these variables. */
export function makeEnvironment(celGo: CelGo, parts: readonly EnvironmentPart[], { variables, sizes }: VariableDeclarations): Environment {
  const functions = new Map<string, { name: string; overloads: Overload[]; singleton?: Singleton }>();
  for (const { libraries = [] } of parts) {
    for (const { overloads, singletons = {} } of libraries) {
      for (const overload of overloads) {
        const known = functions.get(overload.functionName);
        if (known !== undefined) {
          known.overloads.push(overload);
          continue;
        }
        const { functionName: name } = overload;
        functions.set(name, { name, overloads: [overload], singleton: singletons[name] });
      }
    }
  }
  const structs = new Map<string, ReadonlyMap<string, Type>>();
  for (const variable of variables.values()) collectStructs(variable, structs);
  const fieldTypes = [...structs].flatMap(([struct, fields]) => [...fields].filter(([, { kind }]) => kind === 'map').map(([name, type]) => [`${struct}.${name}`, type] as const));
  return {
    celGo,
    functions,
    macros: parts.flatMap(({ macros = [] }) => macros),
    optionalSyntax: parts.some(({ optionalSyntax }) => optionalSyntax),
    variables,
    types: new Map(parts.flatMap(({ types = [] }) => types).map((type) => [type.name, type])),
    structs,
    fieldTypes: new Map(fieldTypes),
    sizes,
  };
}

function collectStructs({ type, fields, element, key }: SizedType, into: Map<string, ReadonlyMap<string, Type>>): void {
  if (fields !== undefined) into.set(type.name, new Map([...fields].map(([name, field]) => [name, field.type])));
  for (const inner of [...(fields?.values() ?? []), element, key]) {
    if (inner !== undefined) collectStructs(inner, into);
  }
}

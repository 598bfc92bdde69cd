import type { Value } from '../evaluate/value';
import type { Type } from '../types/type';

/** A function of values; errors among the arguments never reach it unless the overload is not strict. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- Each library function takes the values its signature promises.
export type Implementation = (...args: any[]) => Value;

/** One signature of a function. */
export interface Overload {
  readonly functionName: string;
  /** cel-go's id, by which costs are known. */
  readonly id: string;
  /** Called as `target.name(…)`; the target is the first argument. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** Names of the type variables in the signature. */
  readonly parameters: readonly string[];
  /** Absent if the function as a whole has one implementation, or the evaluator knows it. */
  readonly implementation?: Implementation;
  /** cel-go binds it as a function of any number of arguments, which stops at the first argument that is an error. */
  readonly variadic: boolean;
  /** The implementation checks the types of its arguments itself. */
  readonly unguarded: boolean;
}

/** What the first argument must be able to do, for functions with one implementation for all overloads. */
export type Trait = 'adder' | 'comparer' | 'divider' | 'matcher' | 'modder' | 'multiplier' | 'negator' | 'sizer' | 'subtractor' | 'lister';

/** One implementation for all overloads of a function. */
export interface Singleton {
  readonly trait?: Trait;
  readonly implementation: Implementation;
}

/** Functions that come together. */
export interface Library {
  readonly overloads: readonly Overload[];
  readonly singletons?: Readonly<Record<string, Singleton>>;
}

export interface OverloadOptions {
  readonly variadic?: boolean;
  readonly unguarded?: boolean;
}

/** A function called as `name(…)`. */
export function global(
  functionName: string, id: string, args: readonly Type[], result: Type, implementation?: Implementation, options: OverloadOptions = {},
): Overload {
  return overload(functionName, id, false, args, result, implementation, options);
}

/** A function called as `target.name(…)`. */
export function member(
  functionName: string, id: string, args: readonly Type[], result: Type, implementation?: Implementation, options: OverloadOptions = {},
): Overload {
  return overload(functionName, id, true, args, result, implementation, options);
}

function overload(
  functionName: string, id: string, isMember: boolean, args: readonly Type[], result: Type,
  implementation: Implementation | undefined, { variadic, unguarded }: OverloadOptions,
): Overload {
  const parameters = new Set<string>();
  for (const type of [...args, result]) collectParameters(type, parameters);
  return {
    functionName,
    id,
    member: isMember,
    args,
    result,
    parameters: [...parameters],
    implementation,
    variadic: variadic ?? (args.length === 0 || args.length > 2),
    unguarded: unguarded ?? false,
  };
}

function collectParameters(type: Type, into: Set<string>): void {
  if (type.kind === 'param') into.add(type.name);
  for (const parameter of type.parameters) collectParameters(parameter, into);
}

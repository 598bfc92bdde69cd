import { guardFor, noMatch } from './guard';
import type { Guard } from './guard';
import { charge, countWork } from './state';
import type { Run } from './state';
import { traitError } from './traits';
import { CelError } from './value';
import type { Value } from './value';
import { callCost } from '../cost/call-cost';
import type { CallCost } from '../cost/call-cost';
import type { CelGo, FunctionDeclaration } from '../environment';
import type { Implementation, Overload } from '../library/overload';

/** How a call finds its implementation. */
export interface Target {
  readonly functionName: string;
  /** Overload id by which it is priced; empty if several may apply. */
  readonly id: string;
  readonly run: Implementation;
  /** Evaluates all arguments even if one is an error, as functions of one or two arguments do. */
  readonly fixed: boolean;
}

/** The implementation for the overloads that the checker left. */
export function targetOf(declared: FunctionDeclaration, overloads: readonly Overload[]): Target {
  const { name: functionName, singleton } = declared;
  const single = overloads.length === 1 ? overloads[0] : undefined;
  const id = single?.id ?? '';
  const arity = overloads[0].args.length;
  if (singleton !== undefined) {
    const { trait, implementation } = singleton;
    const run: Implementation = trait === undefined
      ? implementation
      : (first: Value, ...rest: Value[]) => traitError(first, trait, functionName) ?? implementation(first, ...rest);
    return { functionName, id, run, fixed: true };
  }
  if (single !== undefined) return { functionName, id, run: guarded(functionName, single), fixed: arity <= 2 && !single.variadic };
  return { functionName, id, run: dispatched(declared), fixed: false };
}

function guarded(functionName: string, { implementation, args, unguarded }: Overload): Implementation {
  if (implementation === undefined) return (...values: Value[]) => noMatch(functionName, values);
  const guards = args.map(guardFor);
  if (unguarded || guards.every((guard) => guard === undefined)) return implementation;
  const [first, second] = guards;
  switch (args.length) {
    case 1: return (a: Value) => (passes(first, a) ? implementation(a) : noMatch(functionName, [a]));
    case 2: return (a: Value, b: Value) => (passes(first, a) && passes(second, b) ? implementation(a, b) : noMatch(functionName, [a, b]));
    default: return (...values: Value[]) => (matches(guards, values) ? implementation(...values) : noMatch(functionName, values));
  }
}

/** Tries all overloads of the function in order, by the types of the values. */
function dispatched({ name, overloads }: FunctionDeclaration): Implementation {
  const candidates = overloads.map(({ args, implementation }) => ({ implementation, guards: args.map(guardFor) }));
  return (...values: Value[]) => {
    for (const { implementation, guards } of candidates) {
      if (implementation !== undefined && guards.length === values.length && matches(guards, values)) return implementation(...values);
    }
    return noMatch(name, values);
  };
}

function passes(guard: Guard | undefined, value: Value): boolean {
  return guard === undefined || guard(value);
}

function matches(guards: readonly (Guard | undefined)[], values: readonly Value[]): boolean {
  return guards.every((guard, index) => passes(guard, values[index]));
}

/** A call: its arguments, the function unless one of them is an error, and its price. */
export function callRun(target: Target, args: readonly Run[], celGo: CelGo): Run {
  const { functionName, id, run, fixed } = target;
  const cost = callCost(functionName, id, celGo);
  if (!fixed) return variadicRun(run, args, cost);
  const [first, second] = args;
  if (args.length === 1) {
    return (state) => {
      const a = first(state);
      countWork(state, a);
      const result = a instanceof CelError ? a : run(a);
      charge(state, typeof cost === 'number' ? cost : cost(result, a, null));
      return result;
    };
  }
  return (state) => {
    const a = first(state);
    const b = second(state);
    countWork(state, a);
    countWork(state, b);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : run(a, b);
    charge(state, typeof cost === 'number' ? cost : cost(result, a, b));
    return result;
  };
}

/** Stops at the first argument that is an error, and then costs nothing unless it was the last. */
function variadicRun(run: Implementation, args: readonly Run[], cost: CallCost): Run {
  return (state) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(state);
      values.push(value);
      countWork(state, value);
      if (!(value instanceof CelError)) continue;
      if (values.length === args.length) charge(state, typeof cost === 'number' ? cost : cost(value, values[0], values[1] ?? null));
      return value;
    }
    const result = run(...values);
    charge(state, typeof cost === 'number' ? cost : cost(result, values[0] ?? null, values[1] ?? null));
    return result;
  };
}

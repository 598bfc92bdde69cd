import { displayErrors } from './display';
import type { Environment } from './environment';
import { plan } from './evaluate/planner';
import type { Program } from './evaluate/planner';
import { Cancellation, State } from './evaluate/state';
import { CelError } from './evaluate/value';
import type { Value } from './evaluate/value';
import { checkLiteralCalls } from './literal-calls';
import type { Expr } from './syntax/ast';
import type { ExpressionError } from './syntax/expression-error';
import { parse } from './syntax/parse';
import { check } from './types/checker';
import { ERROR } from './types/type';
import type { Type } from './types/type';

/** Why an expression does not compile; `start` and `end` are UTF-16 offsets for `caret`. */
export interface CompileError {
  /** The text of the API server and the scheduler. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** All errors, in order of place; the first one is that of `start` and `end`. */
  readonly errors: readonly ExpressionError[];
}

/** An expression that can be evaluated with values for the environment's variables. */
export interface CompiledExpression {
  readonly expr: Expr;
  readonly program: Program;
  readonly outputType: Type;
}

/** Parses, checks and plans an expression for any environment; `refuseType` says why a result of a type is not wanted. */
export function compileExpression(
  expression: string, environment: Environment, refuseType: (type: Type) => string | undefined = () => undefined,
): CompiledExpression | CompileError {
  const expr = parse(expression, { ...environment, quotedNames: environment.celGo === '0.29' });
  if (Array.isArray(expr)) return refused(expression, expr);
  const errors = check(expr, environment);
  if (errors.length > 0) return refused(expression, errors);
  const literalErrors = checkLiteralCalls(expr);
  if (literalErrors.length > 0) return refused(expression, literalErrors);
  const outputType = expr.type ?? ERROR;
  const typeRefusal = refuseType(outputType);
  if (typeRefusal !== undefined) return refusedAsWhole(expression, typeRefusal);
  const program = plan(expr, environment);
  if (program instanceof CelError) return refusedAsWhole(expression, `program instantiation failed: ${program.message}`);
  return { expr, program, outputType };
}

function refusedAsWhole(expression: string, message: string): CompileError {
  const end = expression.length;
  return { message, start: 0, end, errors: [{ message, at: 0, start: 0, end }] };
}

function refused(expression: string, found: readonly ExpressionError[]): CompileError {
  const errors = [...found].sort((a, b) => a.at - b.at);
  const [{ start, end }] = errors;
  return { message: `compilation failed: ${displayErrors(expression, errors)}`, start, end, errors };
}

/** A value and what it cost, or how evaluation ended. */
export interface Evaluation {
  readonly value: Value;
  readonly cost: number;
}

/** Evaluates with the values of the variables in the order of the environment; an error is the value. */
export function evaluate({ run, slots }: Program, variables: readonly Value[], costLimit: number): Evaluation {
  const state = new State(variables, slots, costLimit);
  try {
    const value = run(state);
    return { value, cost: state.cost };
  } catch (ended) {
    if (ended instanceof Cancellation) return { value: new CelError(ended.message), cost: state.cost };
    if (ended instanceof RangeError) return { value: new CelError('operation interrupted'), cost: state.cost };
    throw ended;
  }
}

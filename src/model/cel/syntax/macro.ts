import type { Expr } from './ast';
import type { NodeMaker } from './node';

/** A call that is rewritten while it is parsed. */
export interface Macro {
  readonly name: string;
  readonly args: number;
  readonly member: boolean;
  /** Undefined if the call only looks like the macro. */
  readonly expand: (make: NodeMaker, args: readonly Expr[], target: Expr) => Expr | MacroRefusal | undefined;
}

/** Why a call that is the macro's is wrong, and which argument makes it so. */
export interface MacroRefusal {
  readonly refused: string;
  readonly argument: Expr;
}

/** Name of the variable that standard macros fold into; no expression can name it. */
export const ACCUMULATOR = '@result';
/** Its name in older versions of cel-go, still kept free. */
const FORMER_ACCUMULATOR = '__result__';

/** Variable of loops that never run, which is how `cel.bind` is made. */
export const UNUSED_VARIABLE = '#unused';

export function refuse(argument: Expr, refused: string): MacroRefusal {
  return { refused, argument };
}

/** The loop variable an argument names, or why it is none. */
export function loopVariable(argument: Expr, notIdentifier: string): string | MacroRefusal {
  if (argument.kind !== 'ident') return refuse(argument, notIdentifier);
  if (argument.name === FORMER_ACCUMULATOR) return refuse(argument, 'iteration variable overwrites accumulator variable');
  return argument.name;
}

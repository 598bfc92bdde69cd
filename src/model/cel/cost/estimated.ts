import type { Range } from './range';
import type { Expr } from '../syntax/ast';
import type { Type } from '../types/type';

/** What the estimate knows about an operand of a call. */
export interface Operand {
  readonly expr: Expr;
  readonly type: Type;
  /** Way from a variable; empty if there is none. */
  readonly path: readonly string[];
  readonly size: Range | undefined;
}

/** Estimated cost of a call without its operands, and the size of its result. */
export interface Estimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** Looks up sizes that the operands do not carry, by the way from a variable. */
export type PathSize = (path: readonly string[]) => Range | undefined;

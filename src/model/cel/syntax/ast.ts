import type { Overload } from '../library/overload';
import type { Type } from '../types/type';

/** A constant written in an expression; bigint is int, `UintLiteral` uint, number double. */
export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | UintLiteral;

export interface UintLiteral {
  readonly uint: bigint;
}

/** What all nodes have. The checker fills in the types. */
interface Node {
  /** Offset that cel-go reports for this node: its operator, opening bracket or first character. */
  readonly at: number;
  /** Range of the whole node in the expression. */
  readonly start: number;
  readonly end: number;
  type: Type | undefined;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  name: string;
  /** The identifier is the name of a type. */
  namesType: boolean;
}

export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** Made by `has()`: asks for presence only. */
  readonly test: boolean;
  /** The dotted name of a type or constant that the checker found behind the whole chain. */
  typeName: string | undefined;
  /** Value of that constant. */
  constant: bigint | undefined;
}

export interface CallExpr extends Node {
  readonly kind: 'call';
  functionName: string;
  target: Expr | undefined;
  readonly args: readonly Expr[];
  /** All overloads that may apply; more than one if types are not known before run time. */
  overloads: readonly Overload[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indexes of elements written with a question mark. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
  /** Offset that cel-go reports: that of the colon. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** An object literal such as `google.protobuf.Duration{seconds: 1}`. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  /** As written; after checking without a leading dot. */
  typeName: string;
  readonly fields: readonly StructField[];
}

/** What macros become: a loop over `range` that folds into `accumulator`. */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** Present in the two-variable form, where the first is the index or key. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

/** The nodes directly below a node, in the order of cel-go's traversal. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select': return [expr.operand];
    case 'call': return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list': return expr.elements;
    case 'map': return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct': return expr.fields.map(({ value }) => value);
    case 'comprehension': return [expr.range, expr.initial, expr.condition, expr.step, expr.result];
    default: return [];
  }
}

/** A copy that shares nothing with the original, for macros that use an argument twice. */
export function copyOf(expr: Expr): Expr {
  switch (expr.kind) {
    case 'select': return { ...expr, operand: copyOf(expr.operand) };
    case 'call': return { ...expr, target: expr.target && copyOf(expr.target), args: expr.args.map(copyOf) };
    case 'list': return { ...expr, elements: expr.elements.map(copyOf) };
    case 'map': return { ...expr, entries: expr.entries.map((entry) => ({ ...entry, key: copyOf(entry.key), value: copyOf(entry.value) })) };
    case 'struct': return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: copyOf(field.value) })) };
    case 'comprehension':
      return {
        ...expr,
        range: copyOf(expr.range),
        initial: copyOf(expr.initial),
        condition: copyOf(expr.condition),
        step: copyOf(expr.step),
        result: copyOf(expr.result),
      };
    default: return { ...expr };
  }
}

/** Names of the operators, as cel-go has them. */
export const OPERATORS = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  equals: '_==_',
  notEquals: '_!=_',
  add: '_+_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

import { convert } from './evaluate/convert';
import { CelError, CelUint } from './evaluate/value';
import type { Value } from './evaluate/value';
import { CLAUSES, parseFormat } from './library/format-string';
import { compileRegex } from './library/regex';
import { childrenOf } from './syntax/ast';
import type { CallExpr, Expr, LiteralValue } from './syntax/ast';
import type { ExpressionError } from './syntax/expression-error';
import { DURATION, formatType, isDyn, isEquivalentType, TIMESTAMP } from './types/type';
import type { Type } from './types/type';

/** Calls whose literal arguments have no value, and literals of mixed types (the AST validators of Kubernetes' environment). */
export function checkLiteralCalls(root: Expr): ExpressionError[] {
  const errors: ExpressionError[] = [];
  visit(root, false, errors);
  return errors;
}

function visit(expr: Expr, exempt: boolean, errors: ExpressionError[]): void {
  if (expr.kind === 'call') checkCall(expr, errors);
  if (!exempt) checkElements(expr, errors);
  const inFormat = exempt || (expr.kind === 'call' && expr.functionName === 'format');
  for (const child of childrenOf(expr)) visit(child, inFormat, errors);
}

function checkCall(expr: CallExpr, errors: ExpressionError[]): void {
  const [first] = expr.args;
  if (expr.functionName === 'format') checkFormat(expr, errors);
  if (first?.kind !== 'literal') return;
  const value = valueOf(first.value);
  const refused = (expr.functionName === 'duration' && convert(value, DURATION) instanceof CelError)
    || (expr.functionName === 'timestamp' && convert(value, TIMESTAMP) instanceof CelError)
    || (expr.functionName === 'matches' && typeof value === 'string' && typeof compileRegex(value) === 'string');
  if (refused) errors.push(errorAt(first, `invalid ${expr.functionName} argument`));
}

function valueOf(value: LiteralValue): Value {
  return value !== null && typeof value === 'object' && 'uint' in value ? new CelUint(value.uint) : value;
}

function errorAt({ at, start, end }: Expr, message: string): ExpressionError {
  return { message, at, start, end };
}

function checkElements(expr: Expr, errors: ExpressionError[]): void {
  if (expr.kind === 'list') {
    checkSameTypes(expr.elements.map((element, index) => [element, elementType(element, expr.optional.has(index))]), errors, true);
  } else if (expr.kind === 'map') {
    checkSameTypes(expr.entries.map(({ key }) => [key, elementType(key, false)]), errors, false);
    checkSameTypes(expr.entries.map(({ value, optional }) => [value, elementType(value, optional)]), errors, false);
  }
}

function elementType({ type }: Expr, optional: boolean): Type | undefined {
  return optional ? type?.parameters[0] : type;
}

/** Stricter than the type checker, which lets a dyn stand beside anything. */
function checkSameTypes(elements: readonly (readonly [expr: Expr, type: Type | undefined])[], errors: ExpressionError[], once: boolean): void {
  const expected = elements[0]?.[1];
  for (const [expr, type] of elements) {
    if (expected === undefined || type === undefined) {
      errors.push(errorAt(expr, 'an optional element must have a type that is known to be optional: upstream panics here'));
      return;
    }
    if (isEquivalentType(expected, type)) continue;
    errors.push(errorAt(expr, `expected type '${formatType(expected)}' but found '${formatType(type)}'`));
    if (once) return;
  }
}

function checkFormat(expr: CallExpr, errors: ExpressionError[]): void {
  const { target, args: [list] } = expr;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return;
  const { parts, error } = parseFormat(target.value, list.elements.length, true);
  let used = 0;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const element = list.elements[used++];
    const wrong = part.letter === 's' ? unprintable(element) : accepts(element, part.letter) ? undefined : element;
    if (wrong === undefined) continue;
    errors.push(errorAt(wrong, `error during formatting: ${CLAUSES[part.letter].refusal}, was given ${wrong.type?.name ?? ''}`));
    return;
  }
  if (error !== undefined) {errors.push(errorAt(expr, error));} else if (list.elements.length > used) {
    errors.push(errorAt(expr, `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`));
  }
}

function accepts({ type }: Expr, letter: string): boolean {
  return type === undefined || (isDyn(type) && type.kind === 'dyn') || CLAUSES[letter].types.includes(type.name);
}

/** The first part of a value that `%s` cannot print. */
function unprintable(expr: Expr): Expr | undefined {
  if (!accepts(expr, 's')) return expr;
  const inner = expr.kind === 'list' || expr.kind === 'map' ? childrenOf(expr) : [];
  return inner.map(unprintable).find((found) => found !== undefined);
}

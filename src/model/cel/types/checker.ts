import { literalType } from './literal-type';
import { firstPart, Names, qualifiedName } from './names';
import { fieldType, objectLiteral } from './structs';
import { formatSignature, mostGeneral, Substitution } from './substitution';
import { BOOL, DYN, ERROR, formatType, INT, isDyn, isDynOrError, isOptional, listType, mapType, optionalType, STRING, typeParameter } from './type';
import type { Type } from './type';
import type { Environment, FunctionDeclaration } from '../environment';
import type { Overload } from '../library/overload';
import { OPERATORS } from '../syntax/ast';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../syntax/ast';
import type { ExpressionError } from '../syntax/expression-error';

/** Gives every node its type and every call its overloads; returns what is wrong (cel-go `checker/checker.go`). */
export function check(expr: Expr, environment: Environment): ExpressionError[] {
  const checker = new Checker(environment);
  checker.check(expr);
  checker.finish();
  return checker.errors;
}

type ErrorPlace = Pick<ExpressionError, 'at' | 'start' | 'end'>;

class Checker {
  public readonly errors: ExpressionError[] = [];
  private readonly substitution = new Substitution();
  private readonly checked: Expr[] = [];
  private readonly names: Names;
  private variables = 0;

  public constructor(private readonly environment: Environment) {
    this.names = new Names(environment);
  }

  /** Replaces what is known about type variables in the types of all nodes. */
  public finish(): void {
    for (const expr of this.checked) expr.type = this.substitution.apply(typeOf(expr), true);
  }

  public check(expr: Expr): void {
    this.checked.push(expr);
    switch (expr.kind) {
      case 'literal':
        expr.type = literalType(expr.value);
        break;
      case 'ident': {
        const found = this.names.lookUp(expr.name);
        expr.type = found?.type ?? ERROR;
        expr.namesType = found?.namesType ?? false;
        if (found === undefined) this.report(expr, undeclared(expr.name));
        else if (expr.name.startsWith('.') && !this.names.reachesPastLocals(expr.name)) expr.name = expr.name.slice(1);
        break;
      }
      case 'select': this.checkSelect(expr); break;
      case 'call': this.checkCall(expr); break;
      case 'list': this.checkList(expr); break;
      case 'map': this.checkMap(expr); break;
      case 'struct': this.checkStruct(expr); break;
      case 'comprehension': this.checkComprehension(expr); break;
    }
  }

  private checkSelect(expr: SelectExpr): void {
    const qualified = qualifiedName(expr);
    const found = qualified === undefined || this.names.startsAtLocal(qualified) ? undefined : this.names.lookUp(qualified);
    if (found !== undefined && qualified !== undefined) {
      expr.type = found.type;
      expr.typeName = qualified.startsWith('.') && !this.names.reachesPastLocals(firstPart(qualified)) ? qualified.slice(1) : qualified;
      expr.constant = found.constant;
      return;
    }
    const result = this.selectField(expr, expr.operand, expr.field, false);
    expr.type = expr.test ? BOOL : this.substitution.apply(result, false);
  }

  private selectField(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    this.check(operand);
    const operandType = this.substitution.apply(typeOf(operand), false);
    const isOpt = isOptional(operandType);
    const target = isOpt ? operandType.parameters[0] : operandType;
    let result = ERROR;
    if (target.kind === 'map') {
      result = target.parameters[1];
    } else if (target.kind === 'struct') {
      result = this.fieldType(expr, target.name, field);
    } else if (target.kind === 'param') {
      this.substitution.isAssignable(DYN, target);
      result = DYN;
    } else {
      if (!isDynOrError(target)) this.report(expr, `type '${formatType(target)}' does not support field selection`);
      result = DYN;
    }
    return isOpt || optional ? optionalType(result) : result;
  }

  private fieldType(place: ErrorPlace, struct: string, field: string): Type {
    const found = fieldType(this.environment, struct, field);
    if (typeof found !== 'string') return found;
    this.report(place, found);
    return ERROR;
  }

  private checkStruct(expr: StructExpr): void {
    const name = expr.typeName.startsWith('.') ? expr.typeName.slice(1) : expr.typeName;
    const literal = objectLiteral(this.environment, this.names, name, expr.typeName);
    expr.type = literal?.type ?? ERROR;
    if (literal === undefined) {
      this.report(expr, undeclared(expr.typeName));
      return;
    }
    expr.typeName = name;
    if (literal.refusal !== undefined) this.report(expr, literal.refusal);
    for (const field of expr.fields) {
      this.check(field.value);
      const expected = this.fieldType(field, literal.fieldsOf, field.name);
      const type = field.optional ? this.unwrap(field.value) : typeOf(field.value);
      if (this.substitution.isAssignable(expected, type)) continue;
      this.report(field, `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(type)}'`);
    }
  }

  private checkCall(expr: CallExpr): void {
    if (expr.functionName === OPERATORS.optionalSelect && expr.target === undefined) {
      this.checkOptionalSelect(expr);
      return;
    }
    for (const arg of expr.args) this.check(arg);
    const { target } = expr;
    if (target === undefined) {
      const name = expr.functionName.startsWith('.') ? expr.functionName.slice(1) : expr.functionName;
      const declared = this.environment.functions.get(name);
      if (declared !== undefined) expr.functionName = name;
      this.resolve(expr, declared, undefined);
      return;
    }
    const prefix = qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : this.environment.functions.get(`${prefix.replace(/^\./, '')}.${expr.functionName}`);
    if (namespaced !== undefined) {
      expr.functionName = namespaced.name;
      expr.target = undefined;
      this.resolve(expr, namespaced, undefined);
      return;
    }
    this.check(target);
    this.resolve(expr, this.environment.functions.get(expr.functionName), target);
  }

  private checkOptionalSelect(expr: CallExpr): void {
    const [operand, field] = expr.args;
    const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    const result = this.selectField(expr, operand, name, true);
    field.type = STRING;
    expr.type = this.substitution.apply(result, false);
    expr.overloads = this.environment.functions.get(expr.functionName)?.overloads ?? [];
  }

  private resolve(expr: CallExpr, declared: FunctionDeclaration | undefined, target: Expr | undefined): void {
    expr.type = ERROR;
    if (declared === undefined) {
      this.report(expr, undeclared(expr.functionName));
      return;
    }
    const operands = target === undefined ? expr.args : [target, ...expr.args];
    if (declared.name === OPERATORS.and || declared.name === OPERATORS.or) {
      this.checkLogic(expr, declared.overloads);
      return;
    }
    const types = operands.map(typeOf);
    const found: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declared.overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const [args, overloadResult] = this.instantiate(overload);
      if (!this.substitution.isAssignableList(types, args)) continue;
      found.push(overload);
      const type = this.substitution.apply(overloadResult, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameShape(type, result)) result = DYN;
    }
    if (result === undefined) {
      const signature = formatSignature(types.map((type) => this.substitution.apply(type, true)), target !== undefined);
      this.report(expr, `found no matching overload for '${declared.name}' applied to '${signature}'`);
      return;
    }
    expr.type = result;
    expr.overloads = found;
  }

  private checkLogic(expr: CallExpr, overloads: readonly Overload[]): void {
    let fits = true;
    for (const arg of expr.args) {
      if (this.substitution.isAssignable(typeOf(arg), BOOL)) continue;
      this.mismatch(arg, BOOL, typeOf(arg));
      fits = false;
    }
    if (!fits) return;
    expr.type = BOOL;
    expr.overloads = overloads;
  }

  /** The signature with type variables that nothing else uses. */
  private instantiate({ parameters, args, result }: Overload): [args: readonly Type[], result: Type] {
    if (parameters.length === 0) return [args, result];
    const fresh = new Map(parameters.map((name) => [name, this.newVariable()]));
    const replace = (type: Type): Type => {
      if (type.kind === 'param') return fresh.get(type.name) ?? type;
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replace) };
    };
    return [args.map(replace), replace(result)];
  }

  private checkList(expr: ListExpr): void {
    let element: Type | undefined;
    expr.elements.forEach((child, index) => {
      this.check(child);
      const type = expr.optional.has(index) ? this.unwrap(child) : typeOf(child);
      element = this.join(element, type);
    });
    expr.type = listType(element ?? this.newVariable());
  }

  private checkMap(expr: MapExpr): void {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const { key, value, optional } of expr.entries) {
      this.check(key);
      keyType = this.join(keyType, typeOf(key));
      this.check(value);
      valueType = this.join(valueType, optional ? this.unwrap(value) : typeOf(value));
    }
    expr.type = mapType(keyType ?? this.newVariable(), valueType ?? this.newVariable());
  }

  private unwrap(expr: Expr): Type {
    const type = typeOf(expr);
    if (isOptional(type)) return type.parameters[0];
    if (!isDyn(type)) this.mismatch(expr, optionalType(type), type);
    return type;
  }

  /** One type for two elements; mixed literals are dyn here, and refused later unless `format` takes them. */
  private join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.substitution.isAssignable(previous, current)) return mostGeneral(previous, current);
    return DYN;
  }

  private checkComprehension(expr: ComprehensionExpr): void {
    this.check(expr.range);
    this.check(expr.initial);
    const rangeType = this.substitution.apply(typeOf(expr.range), false);
    const accumulated = typeOf(expr.initial);
    this.names.within(() => {
      this.names.add(expr.accumulator, accumulated);
      const [first, second] = this.iterated(expr, rangeType);
      this.names.within(() => {
        this.names.add(expr.variable, first);
        if (expr.variable2 !== undefined) this.names.add(expr.variable2, second);
        this.check(expr.condition);
        this.assert(expr.condition, BOOL);
        this.check(expr.step);
        this.assert(expr.step, accumulated);
      });
      this.check(expr.result);
    });
    expr.type = this.substitution.apply(typeOf(expr.result), false);
  }

  /** Types of the loop variables. */
  private iterated(expr: ComprehensionExpr, range: Type): [first: Type, second: Type] {
    switch (range.kind) {
      case 'list': return expr.variable2 === undefined ? [range.parameters[0], ERROR] : [INT, range.parameters[0]];
      case 'map': return [range.parameters[0], range.parameters[1]];
      case 'dyn': case 'error': case 'param':
        this.substitution.isAssignable(DYN, range);
        return [DYN, DYN];
      default:
        this.report(expr.range, `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
        return [ERROR, ERROR];
    }
  }

  private assert(expr: Expr, type: Type): void {
    if (!this.substitution.isAssignable(type, typeOf(expr))) this.mismatch(expr, type, typeOf(expr));
  }

  private mismatch(expr: Expr, expected: Type, found: Type): void {
    this.report(expr, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  private newVariable(): Type {
    return typeParameter(`_var${this.variables++}`);
  }

  private report({ at, start, end }: ErrorPlace, message: string): void {
    this.errors.push({ message, at, start, end });
  }
}

function typeOf(expr: Expr): Type {
  return expr.type ?? ERROR;
}

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

function sameShape(a: Type, b: Type): boolean {
  return a === b || formatType(a) === formatType(b);
}

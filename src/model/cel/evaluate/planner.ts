import { Attribute, computedStep, constantStep, testStep } from './attribute';
import { callRun, targetOf } from './call';
import { accumulatorRun, foldRun } from './fold';
import { LiteralMap } from './map';
import { comparison, either, logic, membership, notStrictlyFalse } from './operators';
import { Cancellation, charge, State } from './state';
import type { Run } from './state';
import { goText } from './text';
import { goTypeName } from './type-name';
import { CelError, CelOptional, CelType, CelUint, isList } from './value';
import type { Value } from './value';
import { callCost } from '../cost/call-cost';
import type { Environment } from '../environment';
import { CONVERSION_NAMES } from '../library/conversions';
import { withConstantPattern } from '../library/regex';
import { makeMessage } from '../messages/make-message';
import { OPERATORS } from '../syntax/ast';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, LiteralValue, MapExpr, StructExpr } from '../syntax/ast';

/** A checked expression that is ready to run. */
export interface Program {
  readonly run: Run;
  /** Number of slots its loops need. */
  readonly slots: number;
}

/** The program, or why it cannot be made: a constant that has no value, such as `int("x")`. */
export function plan(expr: Expr, environment: Environment): Program | CelError {
  const planner = new Planner(environment);
  try {
    const run = toRun(planner.plan(expr));
    return { run, slots: planner.slots };
  } catch (refusal) {
    if (refusal instanceof CelError) return refusal;
    if (refusal instanceof Cancellation) return new CelError(refusal.message);
    throw refusal;
  }
}

/** What a node becomes: parents look at its kind, because constants are folded and attributes extended. */
type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly test: boolean }
  | { readonly kind: 'run'; readonly run: Run };

interface Scope {
  readonly name: string;
  readonly run: Run;
  readonly outer: Scope | undefined;
}

function constant(value: Value): Plan {
  return { kind: 'constant', value };
}

function running(run: Run): Plan {
  return { kind: 'run', run };
}

/** The node as a step of evaluation, with its own cost. */
function toRun(planned: Plan): Run {
  switch (planned.kind) {
    case 'constant': {
      const { value } = planned;
      return () => value;
    }
    case 'run': return planned.run;
    case 'attribute': {
      const { attribute, test } = planned;
      const resolve = attribute.compile();
      // Reading an attribute costs one unit, unless it is a choice between two or asks for presence only.
      const cost = (attribute.isConditional ? 0 : 1) - (test ? 1 : 0);
      if (test) {
        return (state) => {
          const value = resolve(state);
          charge(state, cost);
          return value instanceof CelOptional ? value.value !== undefined : value;
        };
      }
      if (cost === 0) return resolve;
      return (state) => {
        const value = resolve(state);
        charge(state, 1);
        return value;
      };
    }
  }
}

class Planner {
  public slots = 0;
  private scope: Scope | undefined;
  private readonly globals: ReadonlyMap<string, number>;

  public constructor(private readonly environment: Environment) {
    this.globals = new Map([...environment.variables.keys()].map((name, index) => [name, index]));
  }

  public plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal': return constant(literalValue(expr.value));
      // A variable that holds a type is taken for the name of one.
      case 'ident': return expr.namesType || expr.type?.kind === 'type' ? this.typeConstant(expr.name) : this.variable(expr.name);
      case 'select': {
        if (expr.constant !== undefined) return constant(expr.constant);
        if (expr.typeName !== undefined) return this.typeConstant(expr.typeName);
        const attribute = this.attributeOf(this.plan(expr.operand));
        attribute.addStep(expr.test ? testStep(expr.field) : constantStep(expr.field, false));
        return { kind: 'attribute', attribute, test: expr.test };
      }
      case 'call': return this.call(expr);
      case 'list': return this.list(expr);
      case 'map': return this.map(expr);
      case 'comprehension': return this.comprehension(expr);
      case 'struct': return this.struct(expr);
    }
  }

  private typeConstant(name: string): Plan {
    const type = this.environment.types.get(name);
    if (type === undefined) throw new CelError(`reference to undefined type: ${name}`);
    return constant(new CelType(type));
  }

  private variable(name: string): Plan {
    for (let scope = this.scope; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return { kind: 'attribute', attribute: new Attribute({ kind: 'value', run: scope.run }, this.environment.celGo), test: false };
    }
    const pastLocals = name.startsWith('.');
    const index = this.globals.get(pastLocals ? name.slice(1) : name);
    const run: Run = index === undefined ? () => new CelError(`no such attribute(s): ${name}`) : (state) => state.globals[index];
    return { kind: 'attribute', attribute: new Attribute({ kind: 'value', run, pastLocals }, this.environment.celGo), test: false };
  }

  private attributeOf(planned: Plan): Attribute {
    return planned.kind === 'attribute' && !planned.test ? planned.attribute : new Attribute({ kind: 'value', run: toRun(planned) }, this.environment.celGo);
  }

  private call(expr: CallExpr): Plan {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const planned = operands.map((operand) => this.plan(operand));
    const [first, second, third] = planned;
    const { celGo } = this.environment;
    switch (expr.functionName) {
      case OPERATORS.and: return running(logic(false, planned.map(toRun)));
      case OPERATORS.or: return running(logic(true, planned.map(toRun)));
      case OPERATORS.conditional: {
        const root = { kind: 'conditional', condition: toRun(first), whenTrue: this.attributeOf(second), whenFalse: this.attributeOf(third) } as const;
        return { kind: 'attribute', attribute: new Attribute(root, celGo), test: false };
      }
      case OPERATORS.equals:
        return running(comparison(callCost(OPERATORS.equals, 'equals', celGo), toRun(first), toRun(second), (result) => result));
      case OPERATORS.notEquals:
        return running(comparison(callCost(OPERATORS.notEquals, 'not_equals', celGo), toRun(first), toRun(second), (result) => result !== true));
      case OPERATORS.index: return this.index(first, this.key(first, second, operands[1]), false);
      case OPERATORS.optionalIndex: case OPERATORS.optionalSelect: return this.index(first, this.key(first, second, operands[1]), true);
      case OPERATORS.notStrictlyFalse: return running(notStrictlyFalse(toRun(first)));
      case 'or':
        if (!isOptionalCall(expr, 'optional_or_optional')) return this.ordinaryCall(expr, planned);
        return running(either(toRun(first), toRun(second), celGo, (value) => value));
      case 'orValue':
        if (!isOptionalCall(expr, 'optional_orValue_value')) return this.ordinaryCall(expr, planned);
        return running(either(toRun(first), toRun(second), celGo, ({ value }) => value ?? null));
      default: return this.ordinaryCall(expr, planned);
    }
  }

  /** The key of an index; behind a variable past the loop variables it sees no loop variable either. */
  private key(operand: Plan, planned: Plan, expr: Expr): Plan {
    if (operand.kind !== 'attribute' || !operand.attribute.isPastLocals) return planned;
    const { scope } = this;
    this.scope = undefined;
    const key = this.plan(expr);
    this.scope = scope;
    return key;
  }

  private index(operand: Plan, key: Plan, optional: boolean): Plan {
    const attribute = this.attributeOf(operand);
    if (key.kind === 'constant' && !isKey(key.value)) throw new CelError(`invalid qualifier type: ${goTypeName(key.value)}`);
    attribute.addStep(key.kind === 'constant' ? constantStep(key.value, optional)
      : computedStep(key.kind === 'attribute' && !key.test ? key.attribute.compile() : toRun(key), optional));
    return { kind: 'attribute', attribute, test: false };
  }

  private ordinaryCall(expr: CallExpr, planned: readonly Plan[]): Plan {
    const { functionName, overloads } = expr;
    const { celGo } = this.environment;
    const declared = this.environment.functions.get(functionName);
    if (declared === undefined) throw new CelError(`no such overload: ${functionName}`);
    const target = targetOf(declared, overloads);
    const [first, second] = planned;
    if (CONVERSION_NAMES.has(functionName) && planned.length === 1 && first.kind === 'constant') {
      const value = target.run(first.value);
      if (value instanceof CelError) throw value;
      return constant(value);
    }
    if (target.id === 'in_list' && second.kind === 'constant' && isList(second.value)) {
      if (second.value.length === 0) return constant(false);
      const member = membership(toRun(first), second.value);
      if (member !== undefined) return running(member);
    }
    if (second?.kind === 'constant' && typeof second.value === 'string') {
      const run = withConstantPattern(functionName, second.value);
      if (run instanceof CelError) throw run;
      if (run !== undefined) return running(callRun({ ...target, run, fixed: false }, planned.map(toRun), celGo));
    }
    return running(callRun(target, planned.map(toRun), celGo));
  }

  private list({ elements, optional }: ListExpr): Plan {
    const planned = elements.map((element) => this.plan(element));
    const isConstant = planned.every(({ kind }) => kind === 'constant');
    const runs = planned.map(toRun);
    const make: Run = (state) => {
      const values: Value[] = [];
      for (let index = 0; index < runs.length; index++) {
        const value = runs[index](state);
        if (value instanceof CelError) return value;
        if (!optional.has(index)) values.push(value);
        else if (!(value instanceof CelOptional)) return new CelError(`cannot initialize optional list element from non-optional value ${goText(value)}`);
        else if (value.value !== undefined) values.push(value.value);
      }
      return values;
    };
    return isConstant ? folded(make) : running(charged(make, 10));
  }

  private map({ entries }: MapExpr): Plan {
    const planned = entries.map(({ key, value }) => [this.plan(key), this.plan(value)] as const);
    const isConstant = planned.every((pair) => pair.every(({ kind }) => kind === 'constant'));
    const runs = planned.map(([key, value], index) => ({ key: toRun(key), value: toRun(value), optional: entries[index].optional }));
    const make: Run = (state) => {
      const map = new LiteralMap();
      for (const entry of runs) {
        const key = entry.key(state);
        if (key instanceof CelError) return key;
        const value = entry.value(state);
        if (value instanceof CelError) return value;
        if (!entry.optional) {map.set(key, value);} else if (!(value instanceof CelOptional)) {
          return new CelError(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
        } else if (value.value === undefined) {map.delete(key);} else {map.set(key, value.value);}
      }
      return map;
    };
    return isConstant ? folded(make) : running(charged(make, 30));
  }

  private struct({ typeName, fields }: StructExpr): Plan {
    const runs = fields.map(({ name, value, optional }) => ({ name, value: toRun(this.plan(value)), optional }));
    const make: Run = (state) => {
      const given = new Map<string, Value>();
      for (const field of runs) {
        const value = field.value(state);
        if (value instanceof CelError) return value;
        if (!field.optional) {given.set(field.name, value);} else if (!(value instanceof CelOptional)) {
          return new CelError(`cannot initialize optional entry '${field.name}' from non-optional value ${goText(value)}`);
        } else if (value.value === undefined) {given.delete(field.name);} else {given.set(field.name, value.value);}
      }
      return makeMessage(typeName, given);
    };
    return running(charged(make, 40));
  }

  private comprehension(expr: ComprehensionExpr): Plan {
    const outer = this.scope;
    const accumulator = this.slots++;
    const variable = this.slots++;
    const variable2 = expr.variable2 === undefined ? undefined : this.slots++;
    const initial = toRun(this.plan(expr.initial));
    const range = toRun(this.plan(expr.range));
    const inResult: Scope = { name: expr.accumulator, run: accumulatorRun(accumulator, initial), outer };
    this.scope = { name: expr.variable, run: (state) => state.slots[variable] ?? null, outer: inResult };
    if (variable2 !== undefined) this.scope = { name: expr.variable2 ?? '', run: (state) => state.slots[variable2] ?? null, outer: this.scope };
    const condition = toRun(this.plan(expr.condition));
    const step = toRun(this.plan(expr.step));
    this.scope = inResult;
    const result = toRun(this.plan(expr.result));
    this.scope = outer;
    return running(foldRun({ range, initial, condition, step, result, accumulator, variable, variable2 }));
  }
}

function literalValue(value: LiteralValue): Value {
  return value !== null && typeof value === 'object' && 'uint' in value ? new CelUint(value.uint) : value;
}

function isKey(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' || typeof value === 'number' || value instanceof CelUint;
}

function isOptionalCall({ overloads }: CallExpr, id: string): boolean {
  return overloads.length !== 1 || overloads[0].id === id;
}

function folded(make: Run): Plan {
  return constant(make(new State([], 0, Infinity)));
}

function charged(make: Run, cost: number): Run {
  return (state) => {
    const value = make(state);
    charge(state, cost);
    return value;
  };
}

import { estimateCall } from './estimate-call';
import type { Operand } from './estimated';
import { exactly, ONE, plus, times, union, UNBOUNDED, UNKNOWN, ZERO } from './range';
import type { Range } from './range';
import type { Environment } from '../environment';
import { codePoints } from '../evaluate/size';
import type { CallExpr, ComprehensionExpr, Expr, LiteralValue } from '../syntax/ast';
import { ACCUMULATOR } from '../syntax/macro';
import { ERROR, isOptional } from '../types/type';
import type { Kind, Type } from '../types/type';

/** What evaluating a checked expression can cost at most (cel-go `checker/cost.go`). */
export function maximumCost(expr: Expr, environment: Environment): bigint {
  return new Estimator(environment).cost(expr).max;
}

/** Sizes of the keys or indexes and the values in a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const LIST_COST = exactly(10n);
const MAP_COST = exactly(30n);
const STRUCT_COST = exactly(40n);
/** Size of the elements of a literal before its first element. */
const NOTHING: Range = { min: UNBOUNDED, max: 0n };

class Estimator {
  private readonly paths = new Map<Expr, readonly string[]>();
  private readonly sizes = new Map<Expr, Range>();
  private readonly entries = new Map<Expr, EntrySizes>();
  private readonly locals = new Map<string, LocalVariable[]>();

  public constructor(private readonly environment: Environment) {}

  public cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal': return ZERO;
      case 'ident':
        this.paths.set(expr, this.local(expr.name)?.path ?? [expr.name]);
        return ONE;
      case 'select': {
        if (expr.typeName !== undefined) return ONE;
        if (expr.test) return this.cost(expr.operand);
        const cost = this.cost(expr.operand);
        const { kind } = typeOf(expr.operand);
        this.paths.set(expr, [...this.pathOf(expr.operand), expr.field]);
        return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(cost, ONE) : cost;
      }
      case 'call': return this.callCost(expr);
      case 'list': return this.listCost(expr, expr.elements);
      case 'map': return this.mapCost(expr);
      case 'struct': return expr.fields.reduce((cost, { value }) => plus(cost, this.cost(value)), STRUCT_COST);
      case 'comprehension': return isBinding(expr) ? this.bindingCost(expr) : this.loopCost(expr);
    }
  }

  private listCost(expr: Expr, elements: readonly Expr[]): Range {
    let cost = ZERO;
    let size = elements.length === 0 ? ZERO : NOTHING;
    for (const element of elements) {
      cost = plus(cost, this.cost(element));
      size = union(size, this.sizeOrUnknown(element));
    }
    this.entries.set(expr, { container: 'list', key: ONE, value: size });
    return plus(cost, LIST_COST);
  }

  private mapCost(expr: Expr & { kind: 'map' }): Range {
    let cost = ZERO;
    let keys = expr.entries.length === 0 ? ZERO : NOTHING;
    let values = keys;
    for (const { key, value } of expr.entries) {
      cost = plus(plus(cost, this.cost(key)), this.cost(value));
      keys = union(keys, this.sizeOrUnknown(key));
      values = union(values, this.sizeOrUnknown(value));
    }
    this.entries.set(expr, { container: 'map', key: keys, value: values });
    return plus(cost, MAP_COST);
  }

  private callCost(expr: CallExpr): Range {
    if (expr.functionName === 'dyn') {
      const [arg] = expr.args;
      const cost = this.cost(arg);
      this.copySizes(expr, arg);
      return plus(ONE, cost);
    }
    const costs = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.operand(arg));
    if (expr.overloads.length === 0) return ZERO;
    const targetCost = expr.target === undefined ? ZERO : this.cost(expr.target);
    const target = expr.target === undefined ? undefined : this.operand(expr.target);
    let total = NOTHING;
    let size: Range | undefined;
    for (const { id } of expr.overloads) {
      const estimated = this.overloadCost(expr, id, target, args, costs);
      total = union(total, estimated.cost);
      if (estimated.size !== undefined) size = size === undefined ? estimated.size : union(size, estimated.size);
      if (id === 'index_list' || id === 'index_map') {
        const [container] = expr.args;
        size = this.entriesOf(container)?.value;
        this.paths.set(expr, [...this.pathOf(container), id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.sizeOf(expr);
    }
    if (size !== undefined) this.sizes.set(expr, size);
    return plus(targetCost, total);
  }

  private overloadCost(
    expr: CallExpr, id: string, target: Operand | undefined, args: readonly Operand[], costs: readonly Range[],
  ): { cost: Range; size?: Range } {
    switch (id) {
      case 'logical_or': case 'logical_and':
        return { cost: { min: costs[0].min, max: plus(costs[0], costs[1]).max } };
      case 'conditional': {
        const entries = unionOf(this.entriesOf(args[1].expr), this.entriesOf(args[2].expr));
        if (entries !== undefined) this.entries.set(expr, entries);
        return { cost: plus(costs[0], union(costs[1], costs[2])), size: union(args[1].size ?? UNKNOWN, args[2].size ?? UNKNOWN) };
      }
      default:
    }
    if (id === 'add_list' || id === 'add_string' || id === 'add_bytes') {
      const entries = unionOf(this.entriesOf(args[0].expr), this.entriesOf(args[1].expr));
      if (entries !== undefined) this.entries.set(expr, entries);
    }
    const pathSize = (path: readonly string[]) => this.sizeAt(path);
    const { cost, size } = estimateCall(expr.functionName, id, target, args, pathSize, this.environment.celGo);
    return { cost: costs.reduce(plus, cost), size };
  }

  private loopCost(expr: ComprehensionExpr): Range {
    let cost = plus(this.cost(expr.range), this.cost(expr.initial));
    this.push(expr.accumulator, { path: this.pathOf(expr.initial), size: this.sizeOf(expr.initial), entries: this.entriesOf(expr.initial) });
    this.pushLoopVariables(expr);
    const each = plus(this.cost(expr.condition), this.cost(expr.step));
    this.pop(expr.variable);
    if (expr.variable2 !== undefined) this.pop(expr.variable2);
    cost = plus(cost, this.cost(expr.result));
    this.pop(expr.accumulator);
    const count = this.sizeOrUnknown(expr.range);
    if (expr.initial.kind === 'literal') {
      const size = this.sizeOf(expr.initial);
      if (size !== undefined) this.sizes.set(expr, size);
    } else if (expr.initial.kind === 'list' || expr.initial.kind === 'map') {
      this.sizes.set(expr, count);
      const entries = this.entriesOf(expr.step);
      if (entries !== undefined) this.entries.set(expr, entries);
    }
    return plus(cost, times(count, each));
  }

  private pushLoopVariables({ range, variable, variable2 }: ComprehensionExpr): void {
    const entries = this.entriesOf(range);
    const container: Kind = entries?.container ?? typeOf(range).kind;
    const path = this.pathOf(range);
    const key = { path: [...path, container === 'list' ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    const value = { path: [...path, container === 'list' ? '@items' : '@values'], size: entries?.value, entries: undefined };
    if (variable2 === undefined) {
      this.push(variable, container === 'list' ? value : { ...key, path: [...path, '@keys'] });
    } else {
      this.push(variable, key);
      this.push(variable2, value);
    }
  }

  private bindingCost(expr: ComprehensionExpr): Range {
    const cost = plus(this.cost(expr.range), this.cost(expr.initial));
    this.push(expr.accumulator, { path: this.pathOf(expr.initial), size: this.sizeOf(expr.initial), entries: this.entriesOf(expr.initial) });
    const result = this.cost(expr.result);
    this.pop(expr.accumulator);
    this.copySizes(expr, expr.result);
    return plus(cost, result);
  }

  private copySizes(to: Expr, from: Expr): void {
    const size = this.sizeOf(from);
    if (size !== undefined) this.sizes.set(to, size);
    const entries = this.entriesOf(from);
    if (entries !== undefined) this.entries.set(to, entries);
  }

  private operand(expr: Expr): Operand {
    const path = this.pathOf(expr);
    return { expr, type: typeOf(expr), path: path[0] === ACCUMULATOR ? [] : path, size: this.sizeOf(expr) };
  }

  private local(name: string): LocalVariable | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private push(name: string, variable: LocalVariable): void {
    const stack = this.locals.get(name);
    if (stack === undefined) this.locals.set(name, [variable]);
    else stack.push(variable);
  }

  private pop(name: string): void {
    this.locals.get(name)?.pop();
  }

  private pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.local(expr.name) : undefined;
    return local?.path ?? this.paths.get(expr) ?? [];
  }

  private sizeOrUnknown(expr: Expr): Range {
    return this.sizeOf(expr) ?? UNKNOWN;
  }

  private sizeOf(expr: Expr): Range | undefined {
    const known = this.sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const found = this.sizeAt(this.pathOf(expr));
    if (found !== undefined) {
      this.sizes.set(expr, found);
      return found;
    }
    if (isScalar(typeOf(expr))) return ONE;
    return expr.kind === 'ident' ? this.local(expr.name)?.size : undefined;
  }

  private sizeAt(path: readonly string[]): Range | undefined {
    const size = path.length === 0 ? undefined : this.environment.sizes(path);
    return size === undefined ? undefined : { min: 0n, max: BigInt(size) };
  }

  private entriesOf(expr: Expr): EntrySizes | undefined {
    return this.entries.get(expr) ?? (expr.kind === 'ident' ? this.local(expr.name)?.entries : undefined);
  }
}

function typeOf(expr: Expr): Type {
  return expr.type ?? ERROR;
}

/** A loop that never runs and binds a variable. */
function isBinding({ range, condition, accumulator }: ComprehensionExpr): boolean {
  return range.kind === 'list' && range.elements.length === 0 && condition.kind === 'literal' && condition.value === false && accumulator !== ACCUMULATOR;
}

function unionOf(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case 'literal': return exactly(BigInt(sizeOfLiteral(expr.value)));
    case 'list': return exactly(BigInt(expr.elements.length));
    case 'map': return exactly(BigInt(expr.entries.length));
    default: return undefined;
  }
}

function sizeOfLiteral(value: LiteralValue): number {
  if (typeof value === 'string') return codePoints(value);
  return value instanceof Uint8Array ? value.length : 1;
}

/** Whether values of the type all have the same size. */
function isScalar(type: Type): boolean {
  if (isOptional(type)) return isScalar(type.parameters[0]);
  return SCALARS.has(type.kind);
}

const SCALARS: ReadonlySet<Kind> = new Set<Kind>(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

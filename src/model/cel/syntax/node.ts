import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, ListExpr, LiteralExpr, LiteralValue, MapExpr, SelectExpr } from './ast';

/** Where a node stands in the expression; see `Node` in `ast.ts`. */
export interface Place {
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Makes nodes at one place; macros give all nodes they invent the place of the macro. */
export class NodeMaker {
  public constructor(private readonly place: Place) {}

  public literal(value: LiteralValue): LiteralExpr {
    return { kind: 'literal', ...this.common(), value };
  }

  public ident(name: string): IdentExpr {
    return { kind: 'ident', ...this.common(), name, namesType: false };
  }

  public select(operand: Expr, field: string, test = false): SelectExpr {
    return { kind: 'select', ...this.common(), operand, field, test, typeName: undefined, constant: undefined };
  }

  public call(functionName: string, ...args: readonly Expr[]): CallExpr {
    return { kind: 'call', ...this.common(), functionName, target: undefined, args, overloads: [] };
  }

  public memberCall(functionName: string, target: Expr, args: readonly Expr[] = []): CallExpr {
    return { kind: 'call', ...this.common(), functionName, target, args, overloads: [] };
  }

  public list(elements: readonly Expr[] = [], optional: ReadonlySet<number> = new Set()): ListExpr {
    return { kind: 'list', ...this.common(), elements, optional };
  }

  public map(entries: MapExpr['entries'] = []): MapExpr {
    return { kind: 'map', ...this.common(), entries };
  }

  public comprehension(
    parts: Pick<ComprehensionExpr, 'range' | 'variable' | 'accumulator' | 'initial' | 'condition' | 'step' | 'result'> & { variable2?: string },
  ): ComprehensionExpr {
    const { range, variable, variable2, accumulator, initial, condition, step, result } = parts;
    return { kind: 'comprehension', ...this.common(), range, variable, variable2, accumulator, initial, condition, step, result };
  }

  private common(): Place & { type: undefined } {
    const { at, start, end } = this.place;
    return { at, start, end, type: undefined };
  }
}

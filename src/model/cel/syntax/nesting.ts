import type { Expr } from './ast';

/** Rules of the grammar that can contain themselves. */
export type Rule = 'expr' | 'relation' | 'calc';

/** Depth of any rule of the grammar, and of nested operators and selections (cel-go's default `maxRecursionDepth`). */
const MAX_DEPTH = 250;

/** Keeps expressions from nesting too deeply, by both counts of cel-go: open rules, and nested operators and selections. */
export class Nesting {
  private readonly depths: Record<Rule, number> = { expr: 0, relation: 0, calc: 0 };
  /** Nested operators and selections in a node; absent for none. */
  private readonly nested = new Map<Expr, number>();

  public constructor(private readonly refuse: (reason: string) => never) {}

  public enter(rule: Rule): void {
    if (++this.depths[rule] > MAX_DEPTH) this.refuse(`expression recursion limit exceeded: ${MAX_DEPTH}`);
  }

  public leave(rule: Rule): void {
    this.depths[rule]--;
  }

  /** A node that is as deep as its parts. */
  public keep(node: Expr, ...parts: readonly Expr[]): Expr {
    const depth = this.deepest(parts);
    if (depth > 0) this.nested.set(node, depth);
    return node;
  }

  /** A node that is one deeper than its parts. */
  public nest(node: Expr, ...parts: readonly Expr[]): Expr {
    const depth = 1 + this.deepest(parts);
    if (depth > MAX_DEPTH) this.refuse('max recursion depth exceeded');
    this.nested.set(node, depth);
    return node;
  }

  private deepest(parts: readonly Expr[]): number {
    let depth = 0;
    for (const part of parts) depth = Math.max(depth, this.nested.get(part) ?? 0);
    return depth;
  }
}

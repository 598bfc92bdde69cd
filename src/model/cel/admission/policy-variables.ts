import type { CompiledExpression, Evaluation } from '../compile-expression';
import { CelMap } from '../evaluate/map';
import { CelError } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** The variable `variables`: each is evaluated when an expression first asks for it, and its cost counts then. */
export class PolicyVariables extends CelMap {
  private readonly known = new Map<string, Value>();
  private spent = 0;

  public constructor(
    private readonly compiled: ReadonlyMap<string, CompiledExpression>,
    private readonly evaluateOne: (expression: CompiledExpression) => Evaluation,
  ) {
    super();
  }

  public get size(): number {
    return this.compiled.size;
  }

  public find(key: Value): Value | undefined {
    const expression = typeof key === 'string' ? this.compiled.get(key) : undefined;
    if (typeof key !== 'string' || expression === undefined) return undefined;
    let value = this.known.get(key);
    if (value === undefined) {
      const evaluation = this.evaluateOne(expression);
      this.spent += evaluation.cost;
      value = evaluation.value instanceof CelError
        ? new CelError(`composited variable "${key}" fails to evaluate: ${evaluation.value.message}`)
        : evaluation.value;
      this.known.set(key, value);
    }
    return value;
  }

  public keys(): readonly Value[] {
    return [...this.compiled.keys()];
  }

  /** What variables cost since the last call. */
  public takeCost(): number {
    const cost = this.spent;
    this.spent = 0;
    return cost;
  }
}

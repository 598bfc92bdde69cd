import type { Expr } from './ast';
import { NodeMaker } from './node';

/** Terms joined by `&&` or `||`; becomes a balanced tree, so that long chains do not nest deeply (cel-go `parser/helper.go`). */
export class OperatorChain {
  public readonly terms: Expr[];
  private readonly operators: number[] = [];

  public constructor(private readonly functionName: string, first: Expr) {
    this.terms = [first];
  }

  public add(operatorAt: number, term: Expr): void {
    this.operators.push(operatorAt);
    this.terms.push(term);
  }

  public toExpr(): Expr {
    return this.operators.length === 0 ? this.terms[0] : this.balanced(0, this.operators.length - 1);
  }

  private balanced(low: number, high: number): Expr {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? this.terms[middle] : this.balanced(low, middle - 1);
    const right = middle === high ? this.terms[middle + 1] : this.balanced(middle + 1, high);
    const place = { at: this.operators[middle], start: left.start, end: right.end };
    return new NodeMaker(place).call(this.functionName, left, right);
  }
}

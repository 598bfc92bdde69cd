import type { Random } from './random';
import { PRODUCTIONS } from './selector-productions';
import { TERMINALS } from './selector-terminals';

/** What an expression is meant to be; some are of another type on purpose. */
export type CelType =
  | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'any' | 'ints' | 'strings' | 'map' | 'duration' | 'timestamp'
  | 'quantity' | 'semver' | 'ip' | 'cidr' | 'url' | 'optionalInt' | 'optionalString' | 'anys';

/** Grows one expression: productions by type until the depth is used up, then terminals and variables in scope. */
export class ExpressionGenerator {
  private readonly scope: { readonly name: string; readonly type: CelType }[] = [];

  public constructor(public readonly random: Random, private depth: number) {}

  /** An expression of that type, in parentheses where an operator needs it. */
  public of(type: CelType): string {
    const wanted = this.random.once(45) ? this.random.pick(TYPES) : type;
    if (this.depth <= 0) return this.terminal(wanted);
    this.depth--;
    const productions = PRODUCTIONS[wanted];
    const text = productions.length === 0 || this.random.once(5) ? this.terminal(wanted) : this.random.pick(productions)(this);
    this.depth++;
    return text;
  }

  /** A new variable of that type and what is said about it. */
  public bound(type: CelType, say: (name: string) => string): string {
    const name = this.random.pick(['x', 'y', 'z', 'i', 'v', 'key']);
    this.scope.push({ name, type });
    const text = say(name);
    this.scope.pop();
    return text;
  }

  private terminal(type: CelType): string {
    const variables = this.scope.filter((variable) => variable.type === type);
    if (variables.length > 0 && !this.random.once(3)) return this.random.pick(variables).name;
    return this.random.pick(TERMINALS[type]);
  }
}

const TYPES = Object.keys(TERMINALS) as CelType[];

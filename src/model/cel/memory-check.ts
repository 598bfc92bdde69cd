import type { DeviceReference } from './device-references';
import type { SelectorContext, SelectorFinding } from './selector-finding';
import type { Token } from './token';
import { byteAmountProblem } from '../byte-amount';

/** `memory.compareTo(quantity("40"))`: forty bytes, which is true of every device, or of none. */
export function checkMemory(context: SelectorContext): SelectorFinding[] {
  const found = new Map<number, SelectorFinding>();
  const amounts = new AmountReader(context);
  for (const reference of context.references) {
    const { id, access, firstToken, nextToken } = reference;
    if (id === undefined || (access !== 'read' && access !== 'optional') || !isMemory(context, reference)) continue;
    for (const { start, end, value } of amounts.of({ first: firstToken, next: nextToken })) {
      const problem = typeof value === 'string' ? byteAmountProblem(value) : undefined;
      if (problem === undefined) continue;
      found.set(start, {
        id: 'cel-memory-amount', severity: 'warning', start, end, rule: `should compare ${id.text} with 1Mi or more, since it counts bytes`, help: problem.help,
      });
    }
  }
  return [...found.values()];
}

function isMemory({ options }: SelectorContext, { map, domain, id }: DeviceReference): boolean {
  return map === 'capacity'
    && options.knownAttributes?.bytes?.some((known) => known.id === id?.text && (known.domain ?? options.driverName) === domain.text) === true;
}

/** Tokens of one value: the first of them, and the one behind the last. */
interface Operand {
  readonly first: number;
  readonly next: number;
}

/** Finds the texts of the `quantity("…")` that a value is compared with. */
class AmountReader {
  public constructor(private readonly context: SelectorContext) {}

  /** Follows a variable of `optMap` and `cel.bind` too, but not one that is bound to a variable. */
  public of(value: Operand): Token[] {
    const operand = this.whole(value);
    return [...this.comparedWith(operand), ...this.variableUses(operand).flatMap((use) => this.comparedWith(this.whole(use)))];
  }

  /** The value with the parentheses around it, and out of the optional that it is in. */
  private whole({ first, next }: Operand): Operand {
    const open = this.isMethod(next, OUT_OF_OPTIONAL) ? next + 2 : undefined;
    if (open !== undefined && this.partners[open] >= 0) return this.whole({ first, next: this.partners[open] + 1 });
    const isInParentheses = this.kindAt(next) === ')' && this.partners[next] === first - 1 && this.kindAt(first - 2) !== 'identifier';
    return isInParentheses ? this.whole({ first: first - 1, next: next + 1 }) : { first, next };
  }

  private comparedWith({ first, next }: Operand): Token[] {
    if (this.isMethod(next, ORDER)) return this.amount(next + 3);
    if (EQUALITY.has(this.kindAt(next))) return this.amount(next + 1);
    // The same with the sides swapped.
    if (EQUALITY.has(this.kindAt(first - 1))) return this.amount(first - 1 - AMOUNT_TOKENS);
    const isArgument = this.kindAt(next) === ')' && this.partners[next] === first - 1 && this.isMethod(first - 3, ORDER);
    return isArgument ? this.amount(first - 3 - AMOUNT_TOKENS) : [];
  }

  /** The text of the `quantity("…")` that begins at a token. */
  private amount(index: number): Token[] {
    const [name, open, text, close] = this.tokens.slice(Math.max(index, 0), index + AMOUNT_TOKENS);
    return name?.value === 'quantity' && open?.kind === '(' && text?.kind === 'string' && close?.kind === ')' ? [text] : [];
  }

  /** Where the variable stands that `value.optMap(variable, …)` or `cel.bind(variable, value, …)` makes. */
  private variableUses({ first, next }: Operand): Operand[] {
    const isMapped = this.isMethod(next, MAPPED) && this.kindAt(next + 4) === ',';
    const isBound = this.kindAt(first - 1) === ',' && this.kindAt(next) === ',' && this.kindAt(first - 3) === '(' && this.isMethod(first - 5, BIND);
    const variable = isMapped ? this.tokens[next + 3] : isBound ? this.tokens[first - 2] : undefined;
    if (variable?.kind !== 'identifier') return [];
    const end = this.partners[isMapped ? next + 2 : first - 3];
    const uses: Operand[] = [];
    for (let index = isMapped ? next + 5 : next + 1; index < end; index++) {
      const token = this.tokens[index];
      if (token.kind === 'identifier' && token.value === variable.value && this.kindAt(index - 1) !== '.') uses.push({ first: index, next: index + 1 });
    }
    return uses;
  }

  /** Whether `.name(` begins at a token. */
  private isMethod(index: number, names: ReadonlySet<unknown>): boolean {
    return this.kindAt(index) === '.' && names.has(this.tokens[index + 1]?.value) && this.kindAt(index + 2) === '(';
  }

  private kindAt(index: number): Token['kind'] | undefined {
    return this.tokens[index]?.kind;
  }

  private get tokens(): readonly Token[] {
    return this.context.tokens;
  }

  private get partners(): Int32Array {
    return this.context.partners;
  }
}

const ORDER: ReadonlySet<unknown> = new Set(['compareTo', 'isGreaterThan', 'isLessThan']);
const EQUALITY: ReadonlySet<Token['kind'] | undefined> = new Set<Token['kind']>(['==', '!=']);
const OUT_OF_OPTIONAL: ReadonlySet<unknown> = new Set(['or', 'orValue', 'value']);
const MAPPED: ReadonlySet<unknown> = new Set(['optMap', 'optFlatMap']);
const BIND: ReadonlySet<unknown> = new Set(['bind']);

/** `quantity`, `(`, the text, `)`. */
const AMOUNT_TOKENS = 4;

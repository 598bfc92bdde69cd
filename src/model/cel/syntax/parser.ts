import { OPERATORS } from './ast';
import type { Expr, MapEntry, StructExpr, StructField } from './ast';
import { Stop, TokenCursor } from './cursor';
import type { ExpressionError } from './expression-error';
import {
  ARGUMENT_START, EXPRESSION_START, FIELD_START, isSigned, LIST_START, LITERALS, literalValue, MAP_START, MAX_INT, precedence, RELATIONS,
  STRUCT_START,
} from './grammar';
import { MacroTable } from './macro-table';
import { Nesting } from './nesting';
import type { NodeMaker } from './node';
import { OperatorChain } from './operator-chain';
import type { ParseOptions } from './parse-options';
import { END } from './syntax-message';
import { RESERVED } from '../token';
import type { Token, TokenKind } from '../token';

/** Turns tokens into an expression with its macros expanded (cel-go `parser/parser.go`, grammar `CEL.g4`). */
export class Parser extends TokenCursor {
  private readonly errors: ExpressionError[] = [];
  private readonly macros: MacroTable;
  private readonly nesting = new Nesting((reason) => this.tooDeep(reason));

  public constructor(text: string, tokens: readonly Token[], private readonly options: ParseOptions) {
    super(text, tokens);
    this.macros = new MacroTable(options.macros);
  }

  public run(): Expr | ExpressionError[] {
    try {
      const expr = this.expr();
      if (this.next < this.tokens.length) this.fail([END]);
      return this.errors.length > 0 ? this.errors : expr;
    } catch (stop) {
      if (!(stop instanceof Stop)) throw stop;
      return [...this.errors, stop.error];
    }
  }

  private expr(): Expr {
    this.nesting.enter('expr');
    const condition = this.or();
    const mark = this.tokens[this.next];
    if (mark?.kind !== '?') {
      this.nesting.leave('expr');
      return condition;
    }
    this.next++;
    this.closers.push([':']);
    const whenTrue = this.or();
    this.closers.pop();
    this.colon();
    const whenFalse = this.expr();
    this.nesting.leave('expr');
    return this.nesting.nest(this.make(mark, condition).call(OPERATORS.conditional, condition, whenTrue, whenFalse), condition, whenTrue, whenFalse);
  }

  /** An expression before one of these tokens. */
  private enclosed(closers: readonly TokenKind[]): Expr {
    this.closers.push(closers);
    const expr = this.expr();
    this.closers.pop();
    return expr;
  }

  private or(): Expr {
    return this.chain('||', OPERATORS.or, () => this.and());
  }

  private and(): Expr {
    return this.chain('&&', OPERATORS.and, () => this.relation(0));
  }

  private chain(operator: TokenKind, functionName: string, term: () => Expr): Expr {
    const first = term();
    if (this.kind() !== operator) return first;
    const chain = new OperatorChain(functionName, first);
    while (this.kind() === operator) {
      const { start } = this.tokens[this.next++];
      chain.add(start, term());
    }
    return this.nesting.keep(chain.toExpr(), ...chain.terms);
  }

  private relation(minimum: number): Expr {
    this.nesting.enter('relation');
    let left = this.calc(0);
    for (let operator = this.tokens[this.next]; RELATIONS.has(operator?.kind) && minimum === 0; operator = this.tokens[this.next]) {
      this.next++;
      const right = this.relation(1);
      left = this.binary(operator, RELATIONS.get(operator.kind) ?? '', left, right);
    }
    this.nesting.leave('relation');
    return left;
  }

  private calc(minimum: number): Expr {
    this.nesting.enter('calc');
    let left = this.unary();
    for (let operator = this.tokens[this.next]; precedence(operator?.kind) > minimum; operator = this.tokens[this.next]) {
      this.next++;
      const right = this.calc(precedence(operator.kind));
      left = this.binary(operator, `_${operator.kind}_`, left, right);
    }
    this.nesting.leave('calc');
    return left;
  }

  private binary(operator: Token, functionName: string, left: Expr, right: Expr): Expr {
    return this.nesting.nest(this.make(operator, left).call(functionName, left, right), left, right);
  }

  private unary(): Expr {
    const sign = this.tokens[this.next];
    if (sign?.kind !== '!' && sign?.kind !== '-') return this.member();
    let count = 0;
    while (this.kind(count) === sign.kind) count++;
    // A single minus before a number belongs to the number.
    if (sign.kind === '-' && count === 1 && isSigned(this.kind(1))) return this.member();
    this.next += count;
    const operand = this.member();
    if (count % 2 === 0) return operand;
    const call = this.makeBetween(sign.start, sign.start).call(sign.kind === '!' ? OPERATORS.not : OPERATORS.negate, operand);
    return this.nesting.keep(call, operand);
  }

  private member(): Expr {
    let operand = this.primary();
    for (;;) {
      const token = this.tokens[this.next];
      if (token?.kind === '.') {
        operand = this.selection(operand, token);
      } else if (token?.kind === '[') {
        this.next++;
        const optional = this.optionalMark();
        const index = this.enclosed([']']);
        this.close(']');
        operand = this.nesting.nest(
          this.make(token, operand).call(optional ? OPERATORS.optionalIndex : OPERATORS.index, operand, index), operand, index,
        );
      } else {
        return operand;
      }
    }
  }

  private selection(operand: Expr, dot: Token): Expr {
    this.next++;
    const optional = this.optionalMark();
    const name = this.tokens[this.next];
    if (name?.kind !== 'identifier') {
      throw new Stop(this.errorAt(dot, `Syntax error: no viable alternative at input '.${optional ? '?' : ''}${name === undefined ? '' : this.textOf(name)}'`,
        name?.end));
    }
    this.next++;
    const field = String(name.value);
    const open = this.tokens[this.next];
    if (!optional && open?.kind === '(' && this.isName(name)) {
      const args = this.args();
      return this.callOrMacro(this.make(open, operand), field, operand, args);
    }
    const make = this.make(dot, operand);
    if (optional) {
      const literal = this.makeBetween(name.start, name.start).literal(field);
      return this.nesting.nest(make.call(OPERATORS.optionalSelect, operand, literal), operand);
    }
    return this.nesting.nest(make.select(operand, field), operand);
  }

  private primary(): Expr {
    const token = this.tokens[this.next];
    switch (token?.kind) {
      case '(': {
        this.next++;
        const inner = this.enclosed([')']);
        this.close(')');
        return inner;
      }
      case '[': return this.list(token);
      case '{': return this.map(token);
      case '.': case 'identifier': return this.name(token);
      default: return this.literal(token);
    }
  }

  private literal(token: Token | undefined): Expr {
    const negative = token?.kind === '-' && isSigned(this.kind(1));
    const number = negative ? this.tokens[this.next + 1] : token;
    if (token === undefined || number === undefined || !LITERALS.has(number.kind)) return this.fail(EXPRESSION_START);
    this.next += negative ? 2 : 1;
    const make = this.makeBetween(token.start, token.start);
    if (number.kind === 'int' && !negative && typeof number.value === 'bigint' && number.value > MAX_INT) {
      this.errors.push(this.errorAt(number, 'invalid int literal'));
    }
    return make.literal(literalValue(number, negative));
  }

  private name(first: Token): Expr {
    const leadingDot = first.kind === '.';
    const token = leadingDot ? this.tokens[this.next + 1] : first;
    if (token?.kind !== 'identifier' || this.isQuoted(token)) {
      if (!leadingDot) return this.fail(EXPRESSION_START);
      this.next++;
      return this.fail(['IDENTIFIER']);
    }
    const struct = this.structName(this.next, leadingDot);
    if (struct !== undefined) return this.struct(first, struct);
    this.next += leadingDot ? 2 : 1;
    const name = String(token.value);
    if (RESERVED.has(name)) this.errors.push({ ...this.errorAt(token, `reserved identifier: ${name}`), at: first.start });
    const full = leadingDot ? `.${name}` : name;
    const open = this.tokens[this.next];
    if (open?.kind !== '(') return this.makeBetween(token.start, first.start).ident(full);
    const args = this.args();
    return this.callOrMacro(this.makeBetween(open.start, first.start), full, undefined, args);
  }

  private struct(first: Token, { name, brace }: { name: string; brace: number }): Expr {
    this.next = brace + 1;
    const fields: StructField[] = [];
    let expected = STRUCT_START;
    while (this.kind() === '?' || this.kind() === 'identifier') {
      const optional = this.optionalMark();
      const field = this.tokens[this.next];
      this.expect('identifier', FIELD_START);
      const colon = this.tokens[this.next];
      this.colon();
      const value = this.enclosed(['}', ',']);
      fields.push({ name: String(field.value), value, optional, at: colon.start, start: field.start, end: this.lastEnd() });
      expected = ['}', ','];
      if (this.kind() !== ',') break;
      this.next++;
      expected = ['}'];
    }
    if (fields.length === 0 && this.kind() === ',') this.next++;
    this.expect('}', expected);
    const struct: StructExpr = { kind: 'struct', at: this.tokens[brace].start, start: first.start, end: this.lastEnd(), type: undefined, typeName: name, fields };
    return this.nesting.keep(struct, ...fields.map(({ value }) => value));
  }

  private list(open: Token): Expr {
    this.next++;
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (this.kind() !== ']' && this.kind() !== ',') {
      if (this.next >= this.tokens.length) this.fail(elements.length === 0 ? LIST_START : [']', ',']);
      if (this.optionalMark()) optional.add(elements.length);
      elements.push(this.enclosed([']', ',']));
      if (this.kind() !== ',' || this.kind(1) === ']') break;
      this.next++;
    }
    if (this.kind() === ',') this.next++;
    this.expect(']', [']', ',']);
    return this.nesting.keep(this.makeBetween(open.start, open.start).list(elements, optional), ...elements);
  }

  private map(open: Token): Expr {
    this.next++;
    const entries: MapEntry[] = [];
    while (this.kind() !== '}' && this.kind() !== ',') {
      if (this.next >= this.tokens.length) this.fail(entries.length === 0 ? MAP_START : ['}', ',']);
      const optional = this.optionalMark();
      const key = this.enclosed([':']);
      this.colon();
      entries.push({ key, value: this.enclosed(['}', ',']), optional });
      if (this.kind() !== ',' || this.kind(1) === '}') break;
      this.next++;
    }
    if (this.kind() === ',') this.next++;
    this.expect('}', ['}', ',']);
    return this.nesting.keep(this.makeBetween(open.start, open.start).map(entries), ...entries.flatMap(({ key, value }) => [key, value]));
  }

  private args(): Expr[] {
    this.next++;
    const args: Expr[] = [];
    if (this.kind() === ')') {
      this.next++;
      return args;
    }
    if (this.next >= this.tokens.length) this.fail(ARGUMENT_START);
    for (;;) {
      args.push(this.enclosed([')', ',']));
      if (this.kind() !== ',') break;
      this.next++;
    }
    this.close(')');
    return args;
  }

  private callOrMacro(make: NodeMaker, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const parts = target === undefined ? args : [target, ...args];
    const expanded = this.macros.expand(make, name, target, args);
    if (expanded !== undefined && 'refused' in expanded) {
      const { argument, refused } = expanded;
      this.errors.push({ message: refused, at: argument.at, start: argument.start, end: argument.end });
    }
    const call = expanded !== undefined && !('refused' in expanded) ? expanded
      : target === undefined ? make.call(name, ...args) : make.memberCall(name, target, args);
    return target === undefined ? this.nesting.keep(call, ...parts) : this.nesting.nest(call, ...parts);
  }

  private optionalMark(): boolean {
    if (this.kind() !== '?') return false;
    if (!this.options.optionalSyntax) this.errors.push(this.errorAt(this.tokens[this.next], 'unsupported syntax \'?\''));
    this.next++;
    return true;
  }
}

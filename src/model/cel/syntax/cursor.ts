import type { Expr } from './ast';
import type { ExpressionError } from './expression-error';
import { STARTERS } from './grammar';
import { NodeMaker } from './node';
import { END, syntaxMessage } from './syntax-message';
import type { Expected } from './syntax-message';
import type { Token, TokenKind } from '../token';

/** Leaves the parser at the first error that it cannot go on after; never leaves the parser. */
export class Stop {
  public constructor(public readonly error: ExpressionError) {}
}

/** The place a parser has come to in the tokens, and the words for what it does not find there. */
export abstract class TokenCursor {
  protected next = 0;
  /** What may follow the expressions around this place; undefined for the end of the text. */
  protected readonly closers: (readonly (TokenKind | undefined)[])[] = [[undefined]];

  protected constructor(protected readonly text: string, protected readonly tokens: readonly Token[]) {}

  protected kind(ahead = 0): TokenKind | undefined {
    return this.tokens[this.next + ahead]?.kind;
  }

  protected expect(kind: TokenKind, expected: readonly Expected[] = [kind]): void {
    if (this.kind() !== kind) this.fail(expected);
    this.next++;
  }

  /** The end of an enclosed part; says that it is missing if the expression goes on as if it were there. */
  protected close(kind: TokenKind): void {
    this.expectBefore(kind, this.closers[this.closers.length - 1].some((closer) => closer === this.kind()));
  }

  /** Between a key and its value, and between the results of a choice. */
  protected colon(): void {
    this.expectBefore(':', STARTERS.has(this.kind()));
  }

  private expectBefore(kind: TokenKind, isFollower: boolean): void {
    const token = this.tokens[this.next];
    if (token?.kind === kind || !isFollower || this.kind(1) === kind) {
      this.expect(kind);
      return;
    }
    const message = `Syntax error: missing '${kind}' at '${token === undefined ? END : this.textOf(token)}'`;
    const end = this.text.length;
    throw new Stop(token === undefined ? { message, at: end, start: end, end } : this.errorAt(token, message));
  }

  protected fail(expected: readonly Expected[]): never {
    const token = this.tokens[this.next];
    const follows = this.tokens[this.next + 1];
    const found = token === undefined ? undefined : this.textOf(token);
    const message = `Syntax error: ${syntaxMessage(found, expected, follows?.kind, token?.kind)}`;
    const end = this.text.length;
    throw new Stop(token === undefined ? { message, at: end, start: end, end } : this.errorAt(token, message));
  }

  protected errorAt(token: Token, message: string, end = token.end): ExpressionError {
    return { message, at: token.start, start: token.start, end };
  }

  protected isQuoted({ start }: Token): boolean {
    return this.text[start] === '`';
  }

  protected isName(token: Token | undefined): boolean {
    return token?.kind === 'identifier' && !this.isQuoted(token);
  }

  protected textOf({ start, end }: Token): string {
    return this.text.slice(start, end);
  }

  protected lastEnd(): number {
    return this.tokens[this.next - 1]?.end ?? this.text.length;
  }

  /** The dotted name that starts at a token and is followed by `{`. */
  protected structName(at: number, leadingDot: boolean): { name: string; brace: number } | undefined {
    let end = at + (leadingDot ? 2 : 1);
    while (this.tokens[end]?.kind === '.' && this.isName(this.tokens[end + 1])) end += 2;
    if (this.tokens[end]?.kind !== '{') return undefined;
    return { name: this.tokens.slice(at, end).map((token) => (token.kind === '.' ? '.' : String(token.value))).join(''), brace: end };
  }

  /** A node at a token, that begins with its first operand. */
  protected make(token: Token, first: Expr): NodeMaker {
    return this.makeBetween(token.start, first.start);
  }

  protected makeBetween(at: number, start: number): NodeMaker {
    return new NodeMaker({ at, start, end: this.lastEnd() });
  }

  protected tooDeep(reason: string): never {
    throw new Stop({ message: reason, at: -1, start: 0, end: this.text.length });
  }
}

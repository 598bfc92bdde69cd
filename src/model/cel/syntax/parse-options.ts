import type { Macro } from './macro';

/** What may be written in an expression. */
export interface ParseOptions {
  readonly macros: readonly Macro[];
  /** Whether `.?`, `[?]` and `?` in literals are known. */
  readonly optionalSyntax: boolean;
  /** Whether fields may be named in backticks, such as ``.`a-b` ``. */
  readonly quotedNames: boolean;
}

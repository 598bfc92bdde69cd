import type { Expr } from './ast';
import type { Macro, MacroRefusal } from './macro';
import type { NodeMaker } from './node';

/** Macros by name, number of arguments and whether they are called on a target. */
export class MacroTable {
  private readonly macros = new Map<string, Macro>();

  public constructor(macros: readonly Macro[]) {
    for (const macro of macros) this.macros.set(key(macro.name, macro.args, macro.member), macro);
  }

  /** What the call is short for; undefined if it is just a call. */
  public expand(make: NodeMaker, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | MacroRefusal | undefined {
    return this.macros.get(key(name, args.length, target !== undefined))?.expand(make, args, target ?? args[0]);
  }
}

function key(name: string, args: number, member: boolean): string {
  return `${name}:${args}:${member}`;
}

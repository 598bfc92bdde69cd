import { DURATION, INT, structType, TIMESTAMP, typeType } from './type';
import type { Type } from './type';
import type { Environment } from '../environment';
import { ENUM_VALUES, MESSAGES } from '../messages/message-type';
import type { Expr } from '../syntax/ast';

/** A variable of a comprehension. */
interface Local {
  readonly name: string;
  readonly type: Type;
  readonly outer: Local | undefined;
}

/** What a name stands for: a variable, a type, or a constant with its value. */
export interface Named {
  readonly type: Type;
  readonly namesType: boolean;
  readonly constant?: bigint;
}

/** Types that Kubernetes' provider of types calls by names of its own; none of them is a value. */
const KUBERNETES_NAMES: ReadonlyMap<string, Type> = new Map([['duration', DURATION], ['timestamp', TIMESTAMP]]);

/** What names stand for at a place: variables of the comprehensions around it, then variables and types of the environment. */
export class Names {
  private innermost: Local | undefined;

  public constructor(private readonly environment: Environment) {}

  /** Forgets the variables that are added meanwhile. */
  public within(work: () => void): void {
    const outer = this.innermost;
    work();
    this.innermost = outer;
  }

  public add(name: string, type: Type): void {
    this.innermost = { name, type, outer: this.innermost };
  }

  public lookUp(name: string): Named | undefined {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    const local = this.reachesPastLocals(name) ? undefined : this.local(bare);
    if (local !== undefined) return { type: local.type, namesType: false };
    const variable = this.environment.variables.get(bare);
    if (variable !== undefined) return { type: variable.type, namesType: false };
    const type = this.typeNamed(bare);
    if (type !== undefined) return { type: typeType(type), namesType: true };
    const constant = ENUM_VALUES.get(bare);
    return constant === undefined ? undefined : { type: INT, namesType: false, constant };
  }

  /** What stands before the braces of an object literal: cel-go before 0.29 looks among variables too. */
  public lookUpLiteral(name: string): Named | undefined {
    if (this.environment.celGo === '0.26') return this.lookUp(name);
    const type = this.typeNamed(name.startsWith('.') ? name.slice(1) : name);
    return type === undefined ? undefined : { type: typeType(type), namesType: true };
  }

  private typeNamed(name: string): Type | undefined {
    const { types, structs, fieldTypes } = this.environment;
    return types.get(name) ?? MESSAGES.get(name)?.type ?? KUBERNETES_NAMES.get(name) ?? (structs.has(name) ? structType(name) : fieldTypes.get(name));
  }

  /** Since cel-go 0.29, a leading dot names a variable of the environment even if a loop variable has its name. */
  public reachesPastLocals(name: string): boolean {
    return this.environment.celGo === '0.29' && name.startsWith('.') && this.local(name.slice(1)) !== undefined;
  }

  /** Since cel-go 0.29, what follows a loop variable and a dot is a field of it, also where the whole is the name of a type. */
  public startsAtLocal(qualified: string): boolean {
    return this.environment.celGo === '0.29' && this.local(firstPart(qualified)) !== undefined;
  }

  private local(name: string): Local | undefined {
    let local = this.innermost;
    while (local !== undefined && local.name !== name) local = local.outer;
    return local;
  }
}

/** `a` of `a.b.c`, and `.a` of `.a.b.c`. */
export function firstPart(qualified: string): string {
  const dot = qualified.indexOf('.', 1);
  return dot < 0 ? qualified : qualified.slice(0, dot);
}

/** `a.b.c` for a chain of plain selections. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

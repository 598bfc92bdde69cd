import { DYN, formatType, isDyn, isDynOrError, isSameType } from './type';
import type { Type } from './type';

/**
 * What is known about type variables while an expression is checked (cel-go `checker/types.go`).
 *
 * A failed attempt leaves no trace: bindings made on the way are taken back.
 */
export class Substitution {
  private readonly bound = new Map<string, Type>();
  private readonly trail: [name: string, before: Type | undefined][] = [];

  /** Whether a value of type `from` may be used as `to`; learns what that says about variables. */
  public isAssignable(to: Type, from: Type): boolean {
    return this.attempt(() => this.assignable(to, from));
  }

  public isAssignableList(to: readonly Type[], from: readonly Type[]): boolean {
    return this.attempt(() => this.assignableList(to, from));
  }

  /** The type with variables replaced as far as they are known; unknown ones become dyn if told so. */
  public apply(type: Type, unknownToDyn: boolean): Type {
    const found = this.find(type);
    if (found !== undefined) return this.apply(found, unknownToDyn);
    if (type.kind === 'param') return unknownToDyn ? DYN : type;
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map((parameter) => this.apply(parameter, unknownToDyn));
    return parameters.every((parameter, index) => parameter === type.parameters[index]) ? type : { ...type, parameters };
  }

  private attempt(test: () => boolean): boolean {
    const mark = this.trail.length;
    if (test()) return true;
    while (this.trail.length > mark) {
      const [name, before] = this.trail.pop() as [string, Type | undefined];
      if (before === undefined) this.bound.delete(name);
      else this.bound.set(name, before);
    }
    return false;
  }

  private find(type: Type): Type | undefined {
    return type.kind === 'param' ? this.bound.get(type.name) : undefined;
  }

  private bind(variable: Type, type: Type): void {
    this.trail.push([variable.name, this.bound.get(variable.name)]);
    this.bound.set(variable.name, type);
  }

  private assignable(to: Type, from: Type): boolean {
    if (from.kind === 'param') {
      const { valid, known } = this.tryBind(to, from);
      if (valid) return true;
      if (known) return false;
    }
    if (to.kind === 'param') return this.tryBind(from, to).valid;
    if (isDynOrError(to) || isDynOrError(from)) return true;
    if (to.kind === 'null') return isNullable(from);
    if (from.kind === 'null') return isNullable(to);
    switch (to.kind) {
      case 'type': return from.kind === 'type';
      case 'opaque': case 'list': case 'map':
        return to.kind === from.kind && to.name === from.name && this.assignableList(to.parameters, from.parameters);
      default: return to.kind === from.kind && to.name === from.name;
    }
  }

  private assignableList(to: readonly Type[], from: readonly Type[]): boolean {
    return to.length === from.length && to.every((type, index) => this.assignable(type, from[index]));
  }

  /** Whether `type` may stand for `variable`, and whether something already did. */
  private tryBind(type: Type, variable: Type): { valid: boolean; known: boolean } {
    if (isSameType(type, variable)) return { valid: true, known: true };
    const current = this.find(variable);
    if (current === undefined) {
      if (!this.isFree(variable, type)) return { valid: false, known: false };
      this.bind(variable, type);
      return { valid: true, known: false };
    }
    if (isSameType(type, current)) return { valid: true, known: true };
    if (!this.assignable(type, current)) return { valid: false, known: true };
    const general = mostGeneral(type, current);
    if (this.isFree(variable, general)) this.bind(variable, general);
    return { valid: true, known: true };
  }

  /** Whether the variable does not occur in the type: otherwise binding it would make an infinite type. */
  private isFree(variable: Type, within: Type): boolean {
    if (isSameType(variable, within)) return false;
    if (within.kind === 'param') {
      const found = this.find(within);
      return found === undefined || this.isFree(variable, found);
    }
    return within.parameters.every((parameter) => this.isFree(variable, parameter));
  }
}

/** The more general of two types that are known to fit. */
export function mostGeneral(a: Type, b: Type): Type {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      return a.name === b.name && a.parameters.length === b.parameters.length
        && a.parameters.every((parameter, index) => isEqualOrLessSpecific(parameter, b.parameters[index]));
    case 'list': case 'map':
      return a.parameters.every((parameter, index) => isEqualOrLessSpecific(parameter, b.parameters[index]));
    case 'type': return true;
    default: return isSameType(a, b);
  }
}

function isNullable(type: Type): boolean {
  return type.nullable === true || type.kind === 'null' || type.kind === 'opaque' || type.kind === 'struct' || type.kind === 'duration' || type.kind === 'timestamp';
}

/** The signature of a call, as cel-go writes it when no overload fits. */
export function formatSignature(types: readonly Type[], member: boolean): string {
  const parameters = `(${types.slice(member ? 1 : 0).map(formatType).join(', ')})`;
  return member ? `${formatType(types[0])}.${parameters}` : parameters;
}

import { CelMap } from './map';
import { typeName } from './type-name';
import { CelError, isList } from './value';
import type { Value } from './value';
import type { Type } from '../types/type';

/** Whether a value may be an argument of a type; of a list or map, the first element decides. */
export type Guard = (value: Value) => boolean;

/** Undefined for types that take everything. */
export function guardFor(type: Type): Guard | undefined {
  switch (type.kind) {
    case 'dyn': case 'any': case 'param': return undefined;
    case 'string': return (value) => typeof value === 'string';
    case 'int': return (value) => typeof value === 'bigint';
    case 'bool': return (value) => typeof value === 'boolean';
    case 'double': return (value) => typeof value === 'number';
    case 'list': {
      const element = guardFor(type.parameters[0]);
      return (value) => isList(value) && (element === undefined || value.length === 0 || element(value[0]));
    }
    case 'map': {
      const [key, element] = type.parameters.map(guardFor);
      return (value) => {
        if (!(value instanceof CelMap)) return false;
        if (value.size === 0) return true;
        const first = value.firstKey();
        return (key === undefined || key(first)) && (element === undefined || element(value.find(first) ?? null));
      };
    }
    default: return (value) => typeName(value) === type.name;
  }
}

export function noMatch(functionName: string, args: readonly Value[]): CelError {
  for (const arg of args) if (arg instanceof CelError) return arg;
  return new CelError(`no such overload: ${functionName}(${args.map(typeName).join(', ')})`);
}

import { compileExpression } from './compile-expression';
import { refusals } from './compile-problems';
import { maximumCost } from './cost/estimate';
import { deviceDialect } from './device-environment';
import type { Gates } from './device-environment';
import type { SelectorFinding } from './selector-finding';
import { typeString } from './types/type';
import type { Type } from './types/type';
import type { Minor } from '../target/versions';

/** What the API server makes of the expression of a derived attribute. */
export interface DerivedAttributeCheck {
  readonly problems: readonly SelectorFinding[];
  /** What an evaluation can cost at most, as the API server estimates; 0 when it does not compile. */
  readonly maxCost: bigint;
}

/** Judges an expression as the API server does in a new claim; derived attributes exist from 1.37 on. */
export function checkDerivedAttribute(expression: string, { minor, gates }: { readonly minor: Minor; readonly gates: Gates }): DerivedAttributeCheck {
  const { environment } = deviceDialect(minor, 'new', gates);
  const takesLists = gates.DRAListTypeAttributes === true;
  const compiled = compileExpression(expression, environment, (type) => derivedTypeRefusal(type, takesLists));
  if (!('program' in compiled)) return { problems: refusals(compiled), maxCost: 0n };
  return { problems: [], maxCost: maximumCost(compiled.expr, environment) };
}

/** Why a derived attribute cannot have values of a type (`validateOutputType` in `k8s.io/dynamic-resource-allocation/cel/compile.go`). */
export function derivedTypeRefusal(type: Type, takesLists: boolean): string | undefined {
  if (isScalar(type) || (takesLists && type.kind === 'list' && isScalar(type.parameters[0]))) return undefined;
  const lists = takesLists ? ' or a list of these scalars' : '';
  return `must evaluate to a primitive scalar (string, integer, boolean, semver)${lists}, not ${typeString(type)}`;
}

function isScalar({ kind, name }: Type): boolean {
  return kind === 'bool' || kind === 'int' || kind === 'string' || kind === 'any' || kind === 'dyn' || name === 'kubernetes.Semver';
}

import { compileExpression, evaluate } from './compile-expression';
import type { CompileError, CompiledExpression } from './compile-expression';
import { maximumCost } from './cost/estimate';
import { deviceDialect } from './device-environment';
import type { DeviceDialect, EnvType, Gates } from './device-environment';
import { deviceValue } from './device-value';
import type { DeviceInput } from './device-value';
import { typeName } from './evaluate/type-name';
import { CelError } from './evaluate/value';
import type { Value } from './evaluate/value';
import { nativeValue } from './messages/native-value';
import { typeString } from './types/type';
import type { Minor } from '../target/versions';

/** Highest cost of a device selector, estimated or real (`resource.k8s.io/v1` CELSelectorExpressionMaxCost). */
export const MAX_SELECTOR_COST = 1_000_000;

export interface SelectorCompileOptions {
  readonly minor: Minor;
  /** Default: `stored`, as the scheduler compiles. */
  readonly envType?: EnvType;
  /** Gates that differ from the defaults of the release. */
  readonly gates?: Gates;
  /** Cost at which an evaluation ends. Default: `MAX_SELECTOR_COST`. */
  readonly costLimit?: number;
}

/** Whether a device matches, or why that cannot be told; `cost` is absent if the device itself cannot be read. */
export type SelectorResult =
  | { readonly match: boolean; readonly runtimeError?: undefined; readonly cost: number }
  | { readonly match?: undefined; readonly runtimeError: string; readonly cost?: number };

/** A device selector that compiles; evaluating it changes nothing. */
export class CompiledSelector {
  private estimate: bigint | undefined;

  /** Use `compileSelector`. */
  public constructor(
    public readonly expression: string,
    private readonly compiled: CompiledExpression,
    private readonly dialect: DeviceDialect,
    private readonly costLimit: number,
  ) {}

  /** Type of the result as cel-go writes it: `bool`, `dyn` or `google.protobuf.Any`. */
  public get outputType(): string {
    return typeString(this.compiled.outputType);
  }

  /** What an evaluation can cost at most, as the API server estimates; 2^64-1 stands for no bound. */
  public get maxCost(): bigint {
    this.estimate ??= maximumCost(this.compiled.expr, this.dialect.environment);
    return this.estimate;
  }

  /** The API server refuses the selector for its cost; a scheduler that has it evaluates it nevertheless. */
  public get tooComplex(): boolean {
    return this.maxCost > BigInt(MAX_SELECTOR_COST);
  }

  /** Whether the selector matches a device. */
  public evaluate(device: DeviceInput): SelectorResult {
    const variable = deviceValue(device, this.dialect.listAttributes);
    if (variable instanceof CelError) return { runtimeError: variable.message };
    return this.evaluateValue(variable);
  }

  /** As `evaluate`, for a device converted with `deviceVariable`. */
  public evaluateValue(variable: Value): SelectorResult {
    const { value, cost } = evaluate(this.compiled.program, [variable], this.costLimit);
    if (typeof value === 'boolean') return { match: value, cost };
    if (value instanceof CelError) return { runtimeError: value.message, cost };
    const native = nativeValue(value, 'bool');
    if (typeof native === 'boolean') return { match: native, cost };
    return { runtimeError: `CEL result of type ${typeName(value)} could not be converted to bool: ${native instanceof CelError ? native.message : ''}`, cost };
  }

  /** The device in the form that `evaluateValue` takes, for several selectors on one device; an error if it has none. */
  public deviceVariable(device: DeviceInput): Value {
    return deviceValue(device, this.dialect.listAttributes);
  }
}

/** Compiles a device selector for a release. */
export function compileSelector(expression: string, options: SelectorCompileOptions): CompiledSelector | CompileError {
  const { minor, envType = 'stored', gates = {}, costLimit = MAX_SELECTOR_COST } = options;
  const dialect = deviceDialect(minor, envType, gates);
  const compiled = compileExpression(expression, dialect.environment, (type) => {
    if ((type.kind === 'bool' && (type.nullable !== true || dialect.environment.celGo === '0.29')) || dialect.resultTypes.has(type.kind)) return undefined;
    return `must evaluate to bool or the unknown type, not ${typeString(type)}`;
  });
  return 'program' in compiled ? new CompiledSelector(expression, compiled, dialect, costLimit) : compiled;
}

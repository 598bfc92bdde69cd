import type { AdmissionInput } from './admission-input';
import { requestValue } from './admission-request';
import { valueOfJson } from './json-value';
import { PolicyVariables } from './policy-variables';
import { evaluate } from '../compile-expression';
import type { CompiledExpression } from '../compile-expression';
import { CelError } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** Highest cost of one expression (`k8s.io/apiserver/pkg/apis/cel/config.go`). */
const CALL_LIMIT = 1_000_000;

/** The expressions before spent what all of a kind may cost. */
export class OutOfBudget {
  public readonly message = 'validation failed due to running out of cost budget, no further validation rules will be run';
}

/** An expression with its text, which errors repeat. */
export interface PolicyExpression {
  readonly expression: string;
  readonly compiled: CompiledExpression;
}

/** Evaluates expressions of one kind about one request; they share the variables and the budget. */
export class PolicyEvaluator {
  private readonly variables: PolicyVariables;
  private readonly globals: readonly Value[];

  public constructor(variables: ReadonlyMap<string, CompiledExpression>, input: AdmissionInput, public budget: number) {
    this.variables = new PolicyVariables(variables, ({ program }) => evaluate(program, this.globals, CALL_LIMIT));
    // In the order of ADMISSION_VARIABLES.
    this.globals = [
      valueOfJson(input.object),
      valueOfJson(input.oldObject),
      valueOfJson(input.namespaceObject),
      requestValue(input.request),
      this.variables,
      valueOfJson(input.params),
    ];
  }

  public run({ expression, compiled }: PolicyExpression): Value | OutOfBudget {
    const { value, cost } = evaluate(compiled.program, this.globals, CALL_LIMIT);
    this.budget -= this.variables.takeCost() + cost;
    if (this.budget < 0) return new OutOfBudget();
    return value instanceof CelError ? new CelError(`expression '${expression}' resulted in error: ${value.message}`) : value;
  }
}

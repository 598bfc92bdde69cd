import type { AdmissionInput } from './admission-input';
import { OutOfBudget, PolicyEvaluator } from './policy-evaluator';
import type { PolicyExpression } from './policy-evaluator';
import type { PolicyValidation } from './policy-spec';
import type { CompiledExpression } from '../compile-expression';
import { utf8Length } from '../evaluate/size';
import { CelError } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** The word of one validation, or the one word that stands for all. */
export interface PolicyDecision {
  readonly action: 'admit' | 'deny';
  /** An error denies, unless the failure policy is Ignore. */
  readonly evaluation: 'admit' | 'deny' | 'error';
  readonly message?: string;
  readonly reason?: string;
}

export interface CompiledValidation extends PolicyValidation {
  readonly condition: PolicyExpression;
  readonly messageText?: PolicyExpression;
}

/** Highest cost of all validations with their messages, and of all match conditions (`k8s.io/apiserver/pkg/apis/cel/config.go`). */
const BUDGET = 10_000_000;
const MATCH_BUDGET = 2_500_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

/** A policy whose expressions all compile; asking it changes nothing. */
export class CompiledAdmissionPolicy {
  /** Use `compileAdmissionPolicy`. */
  public constructor(
    private readonly ignoresErrors: boolean,
    private readonly matchConditions: readonly PolicyExpression[],
    private readonly variables: ReadonlyMap<string, CompiledExpression>,
    private readonly validations: readonly CompiledValidation[],
  ) {}

  /** A decision for each validation; none if a match condition says that the policy does not apply. */
  public decide(input: AdmissionInput): readonly PolicyDecision[] {
    const applies = this.applies(input);
    if (typeof applies !== 'boolean') return [this.failed(applies.message)];
    if (!applies) return [];
    const evaluator = new PolicyEvaluator(this.variables, input, BUDGET);
    const results: Value[] = [];
    for (const { condition } of this.validations) {
      const result = evaluator.run(condition);
      if (result instanceof OutOfBudget) return [this.failed(result.message)];
      results.push(result);
    }
    const messages = this.messages(input, evaluator.budget);
    return this.validations.map((validation, index) => {
      const result = results[index];
      if (result instanceof CelError) return this.failed(result.message);
      if (messages instanceof OutOfBudget) return this.failed(`failed messageExpression: ${messages.message}`);
      if (result === true) return { action: 'admit', evaluation: 'admit' };
      return { action: 'deny', evaluation: 'deny', message: denialText(validation, messages[index]), reason: validation.reason ?? 'Invalid' };
    });
  }

  /** One false condition is enough to leave the request alone, whatever the others say. */
  private applies(input: AdmissionInput): boolean | CelError | OutOfBudget {
    // Upstream gives no namespace to match conditions.
    const evaluator = new PolicyEvaluator(this.variables, { ...input, namespaceObject: undefined }, MATCH_BUDGET);
    const results: Value[] = [];
    for (const condition of this.matchConditions) {
      const result = evaluator.run(condition);
      if (result instanceof OutOfBudget) return this.ignoresErrors ? false : result;
      results.push(result);
    }
    if (results.includes(false)) return false;
    const errors = [...new Set(results.flatMap((result) => (result instanceof CelError ? [result.message] : [])))];
    if (errors.length === 0) return true;
    return this.ignoresErrors ? false : new CelError(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
  }

  private messages(input: AdmissionInput, budget: number): readonly (Value | undefined)[] | OutOfBudget {
    const evaluator = new PolicyEvaluator(this.variables, input, budget);
    const messages: (Value | undefined)[] = [];
    for (const { messageText } of this.validations) {
      const message = messageText === undefined ? undefined : evaluator.run(messageText);
      if (message instanceof OutOfBudget) return message;
      messages.push(message);
    }
    return messages;
  }

  private failed(message: string): PolicyDecision {
    return { action: this.ignoresErrors ? 'admit' : 'deny', evaluation: 'error', message };
  }
}

/** The text of the message expression if it gives a usable one, else the written message, else the expression. */
function denialText({ expression, message = '' }: PolicyValidation, computed: Value | undefined): string {
  const text = typeof computed === 'string' ? trimmed(computed) : '';
  if (text !== '' && utf8Length(text) <= MAX_MESSAGE_BYTES && !text.includes('\n')) return text;
  const written = trimmed(message);
  return written === '' ? `failed expression: ${trimmed(expression)}` : written;
}

/** Go's `strings.TrimSpace`. */
function trimmed(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

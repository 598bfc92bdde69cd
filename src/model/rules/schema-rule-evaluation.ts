import type { SchemaRule } from '../api/crd-schema';
import { baseParts, compileExpression, evaluate, makeEnvironment } from '../cel';
import type { CompiledExpression, Environment } from '../cel';
import { valueOfJson } from '../cel/admission/json-value';
import { DYN } from '../cel/types/type';

/**
 * Why a rule of a schema refuses a value; undefined where it does not, or where it asks about an earlier value.
 *
 * `self` is of no declared type here, so that a rule may only be held against a value whose shape has been checked.
 */
export function schemaRefusal(rule: SchemaRule, value: unknown): string | undefined {
  if (/\boldSelf\b/.test(rule.rule) || ask(rule.rule, value) === true) return undefined;
  const text = rule.messageExpression === undefined ? undefined : ask(rule.messageExpression, value);
  return typeof text === 'string' ? text : rule.message ?? `must fulfil ${rule.rule}`;
}

function ask(expression: string, self: unknown): unknown {
  let compiled = programs.get(expression);
  if (compiled === undefined) {
    const result = compileExpression(expression, ENVIRONMENT);
    if (!('program' in result)) throw new Error(`A rule of a CRD must compile, got ${expression}: ${result.message}`);
    programs.set(expression, compiled = result);
  }
  return evaluate(compiled.program, [valueOfJson(self)], COST_LIMIT).value;
}

const programs = new Map<string, CompiledExpression>();

/** Of the oldest release, since our rules must work on all of them. */
const ENVIRONMENT: Environment = makeEnvironment('0.26', baseParts('1.34', 'stored'), {
  variables: new Map([['self', { type: DYN, maxSize: 0 }]]),
  sizes: () => undefined,
});

/** As for one rule of a CRD (`k8s.io/apiserver/pkg/apis/cel/config.go`). */
const COST_LIMIT = 1_000_000;

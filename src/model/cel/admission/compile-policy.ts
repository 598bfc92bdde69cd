import { admissionEnvironment, withVariables } from './admission-environment';
import { CompiledAdmissionPolicy } from './admission-policy';
import type { PolicyExpression } from './policy-evaluator';
import type { AdmissionPolicySpec } from './policy-spec';
import type { Minor } from '../../target/versions';
import { compileExpression } from '../compile-expression';
import type { CompiledExpression } from '../compile-expression';
import type { Environment } from '../environment';
import { BOOL, isSameType, STRING, typeString } from '../types/type';
import type { Type } from '../types/type';

export interface PolicyCompileOptions {
  readonly minor: Minor;
  /** Default: `stored`, as the API server compiles the policies that it has. */
  readonly envType?: 'stored' | 'new';
}

/** An expression that does not compile, by its place in the spec. */
export interface PolicyProblem {
  readonly field: string;
  readonly message: string;
}

/** Compiles the expressions of a policy, or says what is wrong with which. */
export function compileAdmissionPolicy(spec: AdmissionPolicySpec, options: PolicyCompileOptions): CompiledAdmissionPolicy | readonly PolicyProblem[] {
  const { minor, envType = 'stored' } = options;
  const { failurePolicy, matchConditions = [], variables = [], validations = [] } = spec;
  const problems: PolicyProblem[] = [];
  const compileOne = (field: string, expression: string, environment: Environment, wanted?: Type): CompiledExpression | undefined => {
    const compiled = compileExpression(expression, environment, (type) => (
      wanted === undefined || (type.nullable !== true && isSameType(type, wanted)) ? undefined : `must evaluate to ${wanted.name} but got ${typeString(type)}`
    ));
    if ('program' in compiled) return compiled;
    problems.push({ field, message: compiled.message });
    return undefined;
  };

  let environment = admissionEnvironment(minor, envType, spec.paramKind !== undefined && spec.paramKind !== null);
  const types = new Map<string, Type>();
  const compiledVariables = new Map<string, CompiledExpression>();
  for (const [index, { name, expression }] of variables.entries()) {
    const compiled = compileOne(`variables[${index}].expression`, expression, environment);
    if (compiled === undefined) continue;
    compiledVariables.set(name, compiled);
    types.set(name, compiled.outputType);
    environment = withVariables(environment, types);
  }
  const compileAt = (field: string, expression: string, wanted: Type): PolicyExpression[] => {
    const compiled = compileOne(field, expression, environment, wanted);
    return compiled === undefined ? [] : [{ expression, compiled }];
  };
  const conditions = matchConditions.flatMap(({ expression }, index) => compileAt(`matchConditions[${index}].expression`, expression, BOOL));
  const compiledValidations = validations.flatMap((validation, index) => {
    const { expression, messageExpression = '' } = validation;
    const condition = compileAt(`validations[${index}].expression`, expression, BOOL);
    const message = messageExpression === '' ? [] : compileAt(`validations[${index}].messageExpression`, messageExpression, STRING);
    return condition.map((one) => ({ ...validation, condition: one, messageText: message.at(0) }));
  });
  if (problems.length > 0) return problems;
  return new CompiledAdmissionPolicy(failurePolicy === 'Ignore', conditions, compiledVariables, compiledValidations);
}

import { CompiledAdmissionPolicy, compileAdmissionPolicy } from '../../../src/model/cel/admission';
import type { AdmissionInput, AdmissionPolicySpec, PolicyProblem } from '../../../src/model/cel/admission';
import type { Minor } from '../generate/question';

/** A question of the kind `admit`. */
export interface AdmitQuestion extends AdmissionInput {
  readonly id: string;
  readonly kubernetes: Minor;
  readonly policy: { readonly spec: AdmissionPolicySpec };
}

/** Our answer to a question of the kind `admit`. */
export function admitLine({ id, kubernetes, policy, ...input }: AdmitQuestion): object {
  const compiled = compiledPolicy(kubernetes, policy.spec);
  return { id, ...(compiled instanceof CompiledAdmissionPolicy ? { decisions: compiled.decide(input) } : { problems: compiled }) };
}

function compiledPolicy(minor: Minor, spec: AdmissionPolicySpec): CompiledAdmissionPolicy | readonly PolicyProblem[] {
  const key = JSON.stringify([minor, spec]);
  let compiled = policies.get(key);
  if (compiled === undefined) {
    compiled = compileAdmissionPolicy(spec, { minor });
    policies.set(key, compiled);
  }
  return compiled;
}

const policies = new Map<string, CompiledAdmissionPolicy | readonly PolicyProblem[]>();

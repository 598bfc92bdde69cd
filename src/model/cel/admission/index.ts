export type { AdmissionInput } from './admission-input';
export { CompiledAdmissionPolicy } from './admission-policy';
export type { PolicyDecision } from './admission-policy';
export type { AdmissionRequest } from './admission-request';
export { compileAdmissionPolicy } from './compile-policy';
export type { PolicyCompileOptions, PolicyProblem } from './compile-policy';
export type { AdmissionPolicySpec, PolicyValidation } from './policy-spec';

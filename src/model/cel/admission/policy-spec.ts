/** What of a ValidatingAdmissionPolicy's spec is CEL. Which requests it is asked about, its `matchConstraints` say. */
export interface AdmissionPolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: unknown;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations?: readonly PolicyValidation[];
}

export interface PolicyValidation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

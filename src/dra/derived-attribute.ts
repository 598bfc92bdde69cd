/** An attribute computed for each candidate device, usable in the claim's constraints only (KEP-4381 follow-up, alpha in 1.37). */
export interface DerivedAttribute {
  /** Qualified name, `domain/id`; hides a published attribute of that name inside constraints. */
  readonly name: string;
  /** CEL over `device` with a scalar result. */
  readonly expression: string;
}

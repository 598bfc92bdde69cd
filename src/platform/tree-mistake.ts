/** A mistake of the tree itself, before any manifest is looked at. */
export interface TreeMistake {
  /** Construct path. */
  readonly path: string;
  readonly message: string;
}

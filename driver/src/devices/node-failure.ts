/** What a failure means for the next try. */
export type FailureClass =
  /** The same call may succeed later. */
  | 'retryable'
  /** It never will: the claim, its configuration or its allocation is wrong. */
  | 'terminal'
  /** Hardware is in a state that only a clean-up ends; the device is isolated until then. */
  | 'needs-cleanup';

/** A failure of the node agent: a code of the catalogue (model/failures), its class, and what was the matter here. */
export class NodeFailure extends Error {
  public override readonly name = 'NodeFailure';

  public constructor(
    public readonly code: string,
    public readonly failureClass: FailureClass,
    message: string,
    public readonly details: { readonly devices?: readonly string[]; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** An error with the offset that cel-go reports and the range that it is about. */
export interface ExpressionError {
  readonly message: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

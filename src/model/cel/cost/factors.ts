/** Reading all characters of a text once, per character (cel-go `common/cost.go`). */
export const TRAVERSAL = 0.1;
/** Applying a regular expression, per character of the expression. */
export const REGEX = 0.25;

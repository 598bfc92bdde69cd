/** The minors that have a program of upstream's, oldest first. */
export const MINORS = ['1.34', '1.35', '1.36', '1.37'] as const;

export type Minor = typeof MINORS[number];

/** The commands that answer questions one a line, and `admit`: what an admission policy says to a request. */
export type Kind = 'eval' | 'allocate' | 'admit';

/** A question of a kind, with the feature it was made to exercise. */
export interface OracleCase {
  readonly feature: string;
  readonly question: { readonly id: string; readonly [field: string]: unknown };
}

export type Gates = Readonly<Record<string, boolean>>;

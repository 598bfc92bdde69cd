/** Why a document cannot be read; `offset` counts UTF-16 units from its start. */
export class DocumentError extends Error {
  public constructor(
    public readonly kind: DocumentErrorKind,
    message: string,
    public readonly offset: number,
    public readonly help: string,
  ) {
    super(message);
  }
}

/** `syntax`: no YAML or JSON; `excess`: more nesting or alias expansion than a manifest needs; `value`: YAML that has no JSON form. */
export type DocumentErrorKind = 'syntax' | 'excess' | 'value' | 'template';

/** A key that stands twice in one mapping; kubectl keeps the last value without a word. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** What one document holds. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
  /** Nodes that came from expanding aliases. */
  readonly aliased: number;
}

import type { FieldPath, ManifestSource, SourcePosition } from 'cdk8s-dra/model';

import { DocumentPositions } from './document-positions.js';

/** Gives the text of a document again after it was let go; undefined when the file changed meanwhile. */
export type TextAgain = () => string | undefined;

/** Above this a document's events alone would take gigabytes: its findings point at its first line. */
const MAX_LOCATED = 64 * 1024 * 1024;

/** The document whose positions were asked for last: findings come in order, so one is enough. */
let latest: { readonly source: DocumentSource; readonly positions: DocumentPositions | undefined } | undefined;

/** One document of a file, as findings speak of it. */
export class DocumentSource implements ManifestSource {
  public constructor(
    public readonly name: string,
    public readonly document: number,
    /** Line breaks in the file before the document. */
    private readonly linesBefore: number,
    private readonly textAgain: TextAgain,
  ) {}

  public locate(path: FieldPath): SourcePosition {
    if (latest?.source !== this) latest = { source: this, positions: this.read() };
    const position = latest.positions?.locate(path) ?? { line: 1, column: 1 };
    return { line: this.linesBefore + position.line, column: position.column };
  }

  private read(): DocumentPositions | undefined {
    const text = this.textAgain();
    if (text === undefined || text.length > MAX_LOCATED) return undefined;
    try {
      return new DocumentPositions(text);
    } catch {
      // JSON that YAML does not accept, such as a key of more than 1024 characters.
      return undefined;
    }
  }
}

import { basename } from 'node:path';

import { show } from 'cdk8s-dra/model';
import type { Manifest, SourcePosition } from 'cdk8s-dra/model';

import { DocumentError } from './document-error.js';
import type { ParsedDocument } from './document-error.js';
import { LineIndex } from './document-positions.js';
import { DocumentSource } from './document-source.js';
import type { TextAgain } from './document-source.js';
import { splitDocuments } from './document-splitter.js';
import type { Chunk } from './document-splitter.js';
import { readFileRange } from './file-bytes.js';
import type { FoundFile } from './find-files.js';
import { INPUT_CODES } from './input-finding.js';
import type { InputFinding } from './input-finding.js';
import { parseJsonValue, skipJsonSpace } from './json-document.js';
import { encodingOf, firstInvalidByte } from './text-encoding.js';
import { wholeJson } from './whole-json.js';
import { MAX_ALIASED, parseYamlDocument } from './yaml-document.js';

type ReadRange = (start: number, end: number) => Buffer | undefined;

/** Where a document came from, for findings made now and later. */
interface DocumentOrigin {
  readonly linesBefore: number;
  readonly again: TextAgain;
  /** The place of a duplicate key. */
  position(offset: number): SourcePosition;
}

interface FileUnderRead {
  readonly name: string;
  readonly isGiven: boolean;
  readonly bytes: Buffer;
  /** Reads a part anew; must not hold on to `bytes`, which are let go when the file is done. */
  readonly range: ReadRange;
  documents: number;
}

/** Turns the bytes of files into manifests and findings. The text of a document is let go as soon as its value is made. */
export class DocumentCollector {
  private readonly manifests: Manifest[] = [];
  private readonly findings: InputFinding[] = [];
  private otherDocuments = 0;
  /** Alias expansion over all documents: a thousand small bombs are one large one. */
  private aliased = 0;

  public constructor(private readonly onProgress: (file: string, done: number) => void = () => {}) {}

  public addFile({ path: name, isStream, isGiven }: FoundFile, bytes: Buffer): void {
    const problem = encodingOf(bytes);
    if (problem !== undefined) {
      const { message, help } = problem;
      this.report({ code: INPUT_CODES.unreadable, severity: 'error', file: name, ...placeInBytes(bytes, problem.offset), message, help });
      return;
    }
    const range = isStream ? rangeOfBytes(bytes) : rangeOfFile(name, bytes.length);
    const file: FileUnderRead = { name, bytes, isGiven, documents: 0, range };
    const start = hasMark(bytes) ? 3 : 0;
    const rest = this.addJson(file, start);
    if (rest === undefined) return;
    for (const chunk of splitDocuments(bytes, rest)) this.addYaml(file, chunk);
  }

  public report(finding: InputFinding): void {
    this.findings.push(finding);
  }

  public result(): { manifests: readonly Manifest[]; findings: readonly InputFinding[]; otherDocuments: number } {
    return { manifests: this.manifests, findings: this.findings, otherDocuments: this.otherDocuments };
  }

  /**
   * Reads a file that starts with `{` as JSON values that follow each other. As kubectl does, gives the offset from
   * which to go on as YAML when no second value could be read; undefined when nothing is left.
   */
  private addJson(file: FileUnderRead, start: number): number | undefined {
    let first = start;
    while (SPACE.has(file.bytes[first] ?? 0)) first++;
    if (file.bytes[first] !== BRACE || firstInvalidByte(file.bytes) !== undefined) return start;
    const text = file.bytes.toString('utf8', start);
    const counter = new PrefixCounter(text);
    let allLines: LineIndex | undefined;
    let values = 0;
    let end = 0;
    for (let at = skipJsonSpace(text, 0); at < text.length; at = skipJsonSpace(text, end)) {
      let parsed: ReturnType<typeof parseJsonValue>;
      try {
        const whole = values === 0 ? wholeJson(text) : undefined;
        parsed = whole ? { ...whole, duplicates: [], aliased: 0, end: text.length } : parseJsonValue(text, at);
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        const isJson = values > 1 || error.kind === 'excess' || /\.json$/i.test(file.name);
        if (!isJson) return start + counter.to(afterBlankLine(text, end)).bytes;
        this.fail(file, error, 0, text);
        return undefined;
      }
      end = parsed.end;
      const { lines, bytes } = counter.to(at);
      this.onProgress(file.name, end / text.length);
      this.addDocument(file, parsed, {
        linesBefore: lines,
        again: againFrom(file.range, start + bytes, start + counter.to(end).bytes),
        position: (offset) => (allLines ??= new LineIndex(text)).position(offset),
      });
      values++;
    }
    return undefined;
  }

  private addYaml(file: FileUnderRead, chunk: Chunk): void {
    const bytes = file.bytes.subarray(chunk.start, chunk.end);
    if (chunk.badSeparator !== undefined) {
      this.fault(file, { line: chunk.line, column: 1 },
        `After --- kubectl allows nothing but a comment, and reads no further than this line, got ${JSON.stringify(chunk.badSeparator)}.`,
        'Move the text to a line of its own.');
    }
    this.onProgress(file.name, chunk.start / file.bytes.length);
    if (isBlank(bytes)) return;
    const invalid = firstInvalidByte(bytes);
    if (invalid !== undefined) {
      this.fault(file, below(chunk.line, placeInBytes(bytes, invalid)),
        `The byte 0x${(bytes[invalid] ?? 0).toString(16).padStart(2, '0')} is no valid UTF-8.`,
        'Save the file as UTF-8; binary data belongs in base64.');
      file.documents++;
      return;
    }
    const text = bytes.toString('utf8');
    let parsed: ParsedDocument;
    try {
      parsed = parseYamlDocument(text);
    } catch (error) {
      this.fail(file, asDocumentError(error), chunk.line, text);
      return;
    }
    if (parsed.value === undefined || parsed.value === null) return;
    let lines: LineIndex | undefined;
    this.addDocument(file, parsed, {
      linesBefore: chunk.line,
      again: againFrom(file.range, chunk.start, chunk.end),
      position: (offset) => below(chunk.line, (lines ??= new LineIndex(text)).position(offset)),
    });
  }

  private addDocument(file: FileUnderRead, parsed: ParsedDocument, origin: DocumentOrigin): void {
    this.addObject(file, file.documents, parsed, origin);
    file.documents++;
  }

  private addObject(file: FileUnderRead, document: number, parsed: ParsedDocument, origin: DocumentOrigin): void {
    if (!isManifest(parsed.value, file.name)) {
      this.otherDocuments++;
      return;
    }
    this.aliased += parsed.aliased;
    if (this.aliased > MAX_ALIASED * FULL_DOCUMENTS) {
      this.fault(file, { line: origin.linesBefore + 1, column: 1 },
        'The aliases of all files together expand to more than this check will walk.', 'Check the files in several runs, or write the values out.');
      return;
    }
    for (const { key, offset } of parsed.duplicates) {
      const message = `The key ${show(key)} stands twice in this mapping: kubectl keeps the last one, Kustomize and Flux refuse the file.`;
      const { name } = file;
      this.report({ code: INPUT_CODES.duplicateKey, severity: 'error', file: name, document, ...origin.position(offset), message, help: 'Remove one of the two.' });
    }
    this.manifests.push({ value: parsed.value, source: new DocumentSource(file.name, document, origin.linesBefore, origin.again) });
  }

  private fail(file: FileUnderRead, error: DocumentError, linesBefore: number, text: string): void {
    // Folders hold settings of other tools too, such as JSON with comments: no concern of ours.
    if (!file.isGiven && !text.includes('apiVersion')) {
      file.documents++;
      this.otherDocuments++;
      return;
    }
    const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    this.fault(file, below(linesBefore, new LineIndex(text).position(error.offset)), message, error.help);
    file.documents++;
  }

  /** A fault in the document that is next in the count. */
  private fault(file: FileUnderRead, place: SourcePosition, message: string, help: string): void {
    this.report({ code: INPUT_CODES.syntax, severity: 'error', file: file.name, document: file.documents, ...place, message, help });
  }
}

/** So many documents may each use the whole allowance for aliases. */
const FULL_DOCUMENTS = 50;

const BRACE = 0x7b;
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Nothing but white space and comments: not worth a parse, and no document to count. */
function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === HASH) {
      const newline = bytes.indexOf(0x0a, at);
      if (newline < 0) return true;
      at = newline;
    } else if (!SPACE.has(byte)) {
      return false;
    }
  }
  return true;
}

const HASH = 0x23;

/** Tools' own files look like halves of an object. */
const TOOL_FILES: ReadonlySet<string> = new Set(['Chart.yaml', 'kustomization.yaml', 'kustomization.yml', 'Kustomization']);

function isManifest(value: unknown, file: string): value is Manifest['value'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || TOOL_FILES.has(basename(file))) return false;
  return Object.hasOwn(value, 'apiVersion') || Object.hasOwn(value, 'kind') || hasName((value as { metadata?: unknown }).metadata);
}

/** Metadata with a name is a manifest that lost its head, not settings of some tool. */
function hasName(metadata: unknown): boolean {
  return typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, 'name');
}

function asDocumentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DocumentError('syntax', `this document cannot be read: ${reason}`, 0, 'Report it with the file.');
}

function below(lines: number, { line, column }: SourcePosition): SourcePosition {
  return { line: lines + line, column };
}

function rangeOfBytes(bytes: Buffer): ReadRange {
  return (start, end) => bytes.subarray(start, end);
}

/** Parts of a file read anew, unless it changed its size. */
function rangeOfFile(name: string, size: number): ReadRange {
  return (start, end) => readFileRange(name, size, start, end);
}

function againFrom(range: ReadRange, start: number, end: number): TextAgain {
  return () => range(start, end)?.toString('utf8');
}

/** Line and column of a byte, both from 1; the column counts characters. */
function placeInBytes(bytes: Buffer, offset: number): SourcePosition {
  const before = bytes.toString('utf8', 0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** Where YAML may begin after a JSON value: behind the white space up to the end of its line. */
function afterBlankLine(text: string, at: number): number {
  return at + (/^[ \t\r]*\n?/.exec(text.slice(at, at + LONGEST_BLANK))?.[0].length ?? 0);
}

const LONGEST_BLANK = 1000;

/** Lines and bytes before offsets that only grow. */
class PrefixCounter {
  private at = 0;
  private lines = 0;
  private bytes = 0;
  /** Kept, because a text without line breaks would be searched to its end each time. */
  private nextBreak: number;

  public constructor(private readonly text: string) {
    this.nextBreak = this.breakAfter(0);
  }

  public to(offset: number): { lines: number; bytes: number } {
    this.bytes += Buffer.byteLength(this.text.slice(this.at, offset));
    for (; this.nextBreak < offset; this.nextBreak = this.breakAfter(this.nextBreak + 1)) this.lines++;
    this.at = Math.max(this.at, offset);
    return { lines: this.lines, bytes: this.bytes };
  }

  private breakAfter(offset: number): number {
    const found = this.text.indexOf('\n', offset);
    return found < 0 ? Infinity : found;
  }
}

import { failureOf, formatPath } from 'cdk8s-dra/model';
import type { FieldPath, Finding, Manifest, Severity } from 'cdk8s-dra/model';

import type { InputFinding } from '../input/input-finding.js';

/** One finding with its place in the files worked out; optional fields are absent where there is nothing to say. */
export interface ReportedFinding {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  /** Absent when it is about no file in particular. */
  readonly file?: string;
  /** Line, column and document are counted from 1, 1 and 0. */
  readonly line?: number;
  readonly column?: number;
  readonly document?: number;
  readonly object?: ReportedObject;
  /** The field inside the object, as Kubernetes writes it. */
  readonly path: string;
  readonly message: string;
  readonly help: string;
  /** The part of the string value at `path` that is at fault, in UTF-16 units. */
  readonly span?: { readonly start: number; readonly end: number };
  /** The string that `span` lies in. */
  readonly text?: string;
}

export interface ReportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Both kinds of findings in one order: files as read, then place in the file, then code. */
export function reportFindings(input: readonly InputFinding[], findings: readonly Finding[], files: readonly string[]): ReportedFinding[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const reported = [...input.map(fromInput), ...findings.map(fromRule)];
  return reported.sort((a, b) =>
    fileOrder(a, order) - fileOrder(b, order)
    || (a.line ?? 0) - (b.line ?? 0)
    || (a.column ?? 0) - (b.column ?? 0)
    || compareText(a.code, b.code)
    || compareText(a.path, b.path)
    || compareText(a.message, b.message));
}

function fromInput(finding: InputFinding): ReportedFinding {
  return { ...finding, name: failureOf(finding.code).name, path: '' };
}

function fromRule(finding: Finding): ReportedFinding {
  const { manifest, path, span, ...rest } = finding;
  const place = manifest?.source.locate?.([...manifest.base ?? [], ...path]);
  const text = span === undefined || manifest === undefined ? undefined : valueAt(manifest.value, path);
  return {
    ...rest,
    name: failureOf(finding.code).name,
    ...manifest === undefined ? {} : { file: manifest.source.name, object: objectOf(manifest) },
    ...manifest?.source.document === undefined ? {} : { document: manifest.source.document },
    ...place ?? {},
    path: formatPath(path),
    ...span === undefined ? {} : { span },
    ...typeof text === 'string' ? { text } : {},
  };
}

function objectOf(manifest: Manifest): ReportedObject {
  const metadata = manifest.value.metadata;
  const { namespace, name } = typeof metadata === 'object' && metadata !== null ? metadata as Record<string, unknown> : {};
  return {
    apiVersion: textOf(manifest.value.apiVersion),
    kind: textOf(manifest.value.kind),
    ...typeof namespace === 'string' ? { namespace } : {},
    ...typeof name === 'string' ? { name } : {},
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function valueAt(value: unknown, path: FieldPath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

function fileOrder(finding: ReportedFinding, order: ReadonlyMap<string, number>): number {
  return finding.file === undefined ? -1 : order.get(finding.file) ?? -1;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

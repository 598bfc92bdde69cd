import { EVENT_ID, SCALAR_STYLE, YAMLException, parseEvents } from 'js-yaml';
import type { Event } from 'js-yaml';

import { DocumentError } from './document-error.js';

/** Far deeper than any CustomResourceDefinition; bounds the recursion of everything that walks a value. */
export const MAX_DEPTH = 200;

/** js-yaml tries a scalar as the first key of a mapping, which makes it one level deeper. */
const PARSER_DEPTH = MAX_DEPTH + 2;

/** The events of one document. */
export interface YamlEvents {
  /** What the offsets in the events count in; has more indentation than the source where the parser needed it. */
  readonly text: string;
  readonly events: readonly Event[];
  /** Turns an offset in `text` into one in the source. */
  sourceOffset(offset: number): number;
}

/**
 * Parses one document; throws DocumentError.
 *
 * YAML wants a closing bracket indented deeper than the key of its value; kubectl's parser does not, and people write
 * `]` under the key. Where js-yaml complains of that, the line is moved to the right and the text parsed again.
 */
export function parseYamlEvents(source: string): YamlEvents {
  const insertions: Insertion[] = [];
  let text = source;
  for (let work = source.length; ; work += text.length) {
    try {
      return { text, events: parseEvents(text, { maxDepth: PARSER_DEPTH }), sourceOffset: (offset) => removeInsertions(insertions, offset) };
    } catch (error) {
      const offset = error instanceof YAMLException ? error.mark?.position ?? 0 : 0;
      const isShallow = error instanceof YAMLException && error.reason === 'deficient indentation';
      if (!isShallow || work > MAX_REPEATED) throw syntaxError(error, text, offset, removeInsertions(insertions, offset));
      const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
      insertions.push({ at: removeInsertions(insertions, lineStart), width: INDENTATION.length });
      text = text.slice(0, lineStart) + INDENTATION + text.slice(lineStart);
    }
  }
}

interface Insertion {
  /** In the source. */
  readonly at: number;
  readonly width: number;
}

/** Deeper than manifests go; where it is not enough, the line is moved once more. */
const INDENTATION = ' '.repeat(64);

/** Characters parsed again for one document: a few seconds. */
const MAX_REPEATED = 30_000_000;

function removeInsertions(insertions: readonly Insertion[], offset: number): number {
  let source = offset;
  // The parser meets faults from top to bottom, so the list is sorted.
  for (const { at, width } of insertions) {
    if (at >= source) break;
    source = Math.max(source - width, at);
  }
  return source;
}

/** Where a node begins in the text, its opening quote included. */
export function startOf(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type === EVENT_ID.SCALAR) {
    if (event.valueStart < 0) return Math.max(event.tagStart, event.anchorStart - 1, 0);
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    return isQuoted ? event.valueStart - 1 : event.valueStart;
  }
  return 'start' in event ? event.start : 0;
}

function syntaxError(error: unknown, text: string, offset: number, sourceOffset: number): Error {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error : new Error(String(error));
  if (error.reason.startsWith('nesting exceeded')) return tooDeep(sourceOffset);
  const template = templateAt(text, offset);
  if (template !== undefined) return template;
  if (error.reason.startsWith('directives end mark')) {
    return new DocumentError('syntax', 'kubectl does not accept YAML directives (%YAML, %TAG)', 0, 'Remove the lines that start with %.');
  }
  const known = SYNTAX_HELP.find(([pattern]) => pattern.test(error.reason));
  return new DocumentError('syntax', `invalid YAML: ${error.reason}`, sourceOffset, known?.[1] ?? 'Correct the YAML at this place.');
}

const SYNTAX_HELP: readonly (readonly [RegExp, string])[] = [
  [/tab characters/, 'Indent with spaces.'],
  [/end of the stream or a document separator/, 'Check the indentation, and separate objects with a line that is only ---.'],
  [/deficient indentation/, 'Indent the lines of a list or mapping in brackets deeper than its key.'],
  [/indentation/, 'Align the line with its neighbours; lists and mappings of one level start in the same column.'],
  [/null byte|non-printable/, 'Remove the character, or write it as an escape in double quotes.'],
];

export function tooDeep(offset: number): DocumentError {
  return new DocumentError('excess', `collections are nested more than ${MAX_DEPTH} levels deep`, offset,
    'No Kubernetes object needs that; check how the file was made.');
}

/** Braces of Helm and Jinja are legal YAML flow mappings up to a point, and then fail with messages that lead nowhere. */
export function templateAt(text: string, offset: number): DocumentError | undefined {
  // The parser may notice on the line after the braces.
  const lineStart = text.lastIndexOf('\n', text.lastIndexOf('\n', offset - 1) - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const found = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).search(/\{\{|\{%/);
  if (found < 0) return undefined;
  return new DocumentError('template', 'this is a template, not YAML: it holds {{ … }}', lineStart + found,
    'Render it first, e.g. helm template . | kubectl-dra check -');
}

import { EVENT_ID, SCALAR_STYLE, getScalarValue } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';

import { DocumentError } from './document-error.js';
import type { DuplicateKey, ParsedDocument } from './document-error.js';
import { ownString } from './string-pool.js';
import { MAX_DEPTH, parseYamlEvents, startOf, templateAt, tooDeep } from './yaml-events.js';
import type { YamlEvents } from './yaml-events.js';
import { UnsupportedNumber, resolvePlain } from './yaml-scalar.js';
import type { Scalar } from './yaml-scalar.js';

/**
 * The value of a YAML document as kubectl sees it. Aliases share their value instead of copying it, and their expanded
 * size is counted, so a small text cannot become a value that takes forever to walk. `undefined` for an empty document.
 */
export function parseYamlDocument(text: string): ParsedDocument {
  const parsed = parseYamlEvents(text);
  try {
    return new Construction(parsed).run();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(error.kind, error.message, parsed.sourceOffset(error.offset), error.help);
  }
}

interface Anchor {
  readonly value: unknown;
  /** Nodes in the value with all its aliases expanded; 0 while the collection is still open. */
  readonly nodes: number;
}

interface Frame {
  readonly list: unknown[] | undefined;
  readonly map: Record<string, unknown> | undefined;
  readonly anchor: string | undefined;
  readonly start: number;
  /** Expanded nodes so far, this one included. */
  nodes: number;
  key: string | undefined;
  keyOffset: number;
  /** True between a `<<` key and its value. */
  merging: boolean;
  /** Keys that came from a merge: writing them again is no duplicate. */
  merged: Set<string> | undefined;
}

class Construction {
  private readonly anchors = new Map<string, Anchor>();
  private readonly duplicates: DuplicateKey[] = [];
  private readonly frames: Frame[] = [];
  private aliased = 0;
  private root: unknown;
  private documents = 0;

  private readonly text: string;

  public constructor(private readonly parsed: YamlEvents) {
    this.text = parsed.text;
  }

  public run(): ParsedDocument {
    for (const event of this.parsed.events) this.take(event);
    const duplicates = this.duplicates.map(({ key, offset }) => ({ key, offset: this.parsed.sourceOffset(offset) }));
    return { value: this.root, duplicates, aliased: this.aliased };
  }

  private take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        this.documents++;
        return;
      case EVENT_ID.SCALAR: {
        const value = this.scalar(event);
        this.remember(event, { value, nodes: 1 });
        this.add(value, 1, startOf(event), event);
        return;
      }
      case EVENT_ID.ALIAS:
        this.alias(this.text.slice(event.anchorStart, event.anchorEnd), event.anchorStart - 1);
        return;
      case EVENT_ID.POP:
        this.close();
        return;
      default:
        this.open(event);
    }
  }

  private open(event: Extract<Event, { start: number }>): void {
    if (this.frames.length >= MAX_DEPTH) throw tooDeep(event.start);
    const parent = this.frames.at(-1);
    if (parent?.map !== undefined && parent.key === undefined && !parent.merging) {
      throw invalidKey(this.text, event.start);
    }
    const isList = event.type === EVENT_ID.SEQUENCE;
    const anchor = event.anchorStart < 0 ? undefined : this.text.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.anchors.set(anchor, { value: undefined, nodes: 0 });
    this.frames.push({
      list: isList ? [] : undefined,
      map: isList ? undefined : {},
      anchor,
      start: event.start,
      nodes: 1,
      key: undefined,
      keyOffset: 0,
      merging: false,
      merged: undefined,
    });
  }

  private close(): void {
    const frame = this.frames.pop();
    if (frame === undefined) return;
    const value = frame.list ?? frame.map;
    if (frame.anchor !== undefined) this.anchors.set(frame.anchor, { value, nodes: frame.nodes });
    this.add(value, frame.nodes, frame.start);
  }

  private alias(name: string, offset: number): void {
    const anchor = this.anchors.get(name);
    if (anchor === undefined) {
      throw new DocumentError('syntax', `the alias *${name} has no anchor &${name} before it in this document`, offset,
        'Define the anchor above; an anchor does not reach over a --- line.');
    }
    if (anchor.nodes === 0) {
      throw new DocumentError('excess', `the anchor &${name} contains itself`, offset, 'Remove the alias inside its own anchor.');
    }
    this.aliased += anchor.nodes;
    if (this.aliased > MAX_ALIASED) {
      throw new DocumentError('excess', `aliases expand to more than ${MAX_ALIASED} nodes`, offset, 'Write the values out, or split the document.');
    }
    this.add(anchor.value, anchor.nodes, offset);
  }

  private remember(event: ScalarEvent, anchor: Anchor): void {
    if (event.anchorStart >= 0) this.anchors.set(this.text.slice(event.anchorStart, event.anchorEnd), anchor);
  }

  private add(value: unknown, nodes: number, offset: number, scalar?: ScalarEvent): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) {
      if (this.documents > 1) {
        throw new DocumentError('syntax', 'kubectl reads one object and drops what follows it here', offset,
          'Separate objects with a line that is only ---.');
      }
      this.root = value;
      return;
    }
    frame.nodes += nodes;
    if (frame.list !== undefined) frame.list.push(value);
    else if (frame.map !== undefined) this.addToMap(frame, frame.map, value, offset, scalar);
  }

  private addToMap(frame: Frame, map: Record<string, unknown>, value: unknown, offset: number, scalar: ScalarEvent | undefined): void {
    if (frame.merging) {
      this.merge(frame, map, value, offset);
      frame.merging = false;
      return;
    }
    if (frame.key === undefined) {
      if (value === '<<' && scalar?.style === SCALAR_STYLE.PLAIN) frame.merging = true;
      else frame.key = this.keyOf(value, offset);
      frame.keyOffset = offset;
      return;
    }
    const key = frame.key;
    frame.key = undefined;
    if (frame.merged?.delete(key) !== true && Object.hasOwn(map, key)) this.duplicates.push({ key, offset: frame.keyOffset });
    set(map, key, value);
  }

  private keyOf(value: unknown, offset: number): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'object') throw invalidKey(this.text, offset);
    return String(value);
  }

  private merge(frame: Frame, map: Record<string, unknown>, source: unknown, offset: number): void {
    // go-yaml applies a list backwards, so that earlier entries win, and a later << wins over an earlier one.
    const sources: unknown[] = Array.isArray(source) ? [...source].reverse() : [source];
    for (const entry of sources) {
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
        throw new DocumentError('value', 'a merge key << needs a mapping or a list of mappings', offset, 'Give it an alias of a mapping, such as *defaults.');
      }
      for (const [key, value] of Object.entries(entry)) {
        // A key that stands above the << is overwritten by go-yaml, one below it wins.
        if (!Object.hasOwn(map, key)) (frame.merged ??= new Set()).add(key);
        set(map, key, value);
      }
    }
  }

  private scalar(event: ScalarEvent): Scalar {
    const source = getScalarValue(this.text, event);
    const tag = event.tagStart < 0 ? '' : this.text.slice(event.tagStart, event.tagEnd);
    try {
      if (tag === '') return own(event.style === SCALAR_STYLE.PLAIN ? resolvePlain(source) : source);
      return this.tagged(tag, source, event);
    } catch (error) {
      if (!(error instanceof UnsupportedNumber)) throw error;
      throw new DocumentError('value', error.message, startOf(event), 'Write a finite number, or put the value in quotes.');
    }
  }

  private tagged(tag: string, source: string, event: ScalarEvent): Scalar {
    const name = tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1');
    if (name === '!!binary') {
      if (/[^A-Za-z0-9+/=\s]/.test(source)) {
        throw new DocumentError('value', '!!binary needs base64', startOf(event), 'Encode the value, or remove the tag.');
      }
      return Buffer.from(source, 'base64').toString('utf8');
    }
    const wanted = TAG_TYPES.get(name);
    if (wanted === undefined) return source;
    const value = resolvePlain(source);
    const type = value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value;
    const fits = type === wanted && (name !== '!!int' || typeof value === 'bigint' || Number.isInteger(value));
    if (!fits) throw new DocumentError('value', `${JSON.stringify(source)} is no ${name.slice(2)}`, startOf(event), 'Correct the value, or remove the tag.');
    return value;
  }
}

function own(value: Scalar): Scalar {
  return typeof value === 'string' ? ownString(value) : value;
}

const TAG_TYPES: ReadonlyMap<string, string> = new Map([['!!int', 'number'], ['!!float', 'number'], ['!!bool', 'boolean'], ['!!null', 'null']]);

/** Rules walk a shared value once for each place it stands in; this many steps take well under a second. */
export const MAX_ALIASED = 400_000;

/** Plain assignment would set the prototype for `__proto__`. */
export function set(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

function invalidKey(text: string, offset: number): DocumentError {
  return templateAt(text, offset)
    ?? new DocumentError('value', 'a key must be a string, number or boolean', offset, 'Kubernetes objects have plain string keys.');
}

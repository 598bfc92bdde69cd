import { EVENT_ID, SCALAR_STYLE, getScalarValue } from 'js-yaml';
import type { Event } from 'js-yaml';

import { parseYamlEvents, startOf } from './yaml-events.js';
import type { YamlEvents } from './yaml-events.js';
import { resolvePlain } from './yaml-scalar.js';

type Path = readonly (string | number)[];

/** Turns offsets in a text into lines and columns, both counted from 1. */
export class LineIndex {
  private readonly starts: number[] = [0];

  public constructor(private readonly text: string) {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) this.starts.push(at + 1);
    }
  }

  public position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = this.starts[low] ?? 0;
    const mark = low === 0 && this.text.charCodeAt(0) === 0xfeff ? 1 : 0;
    return { line: low + 1, column: Math.max(offset - start - mark, 0) + 1 };
  }
}

/**
 * Finds fields of one document in its text. Walks the document's events anew, which costs a parse: made for the few
 * documents that have a finding.
 */
export class DocumentPositions {
  private readonly lines: LineIndex;
  private readonly parsed: YamlEvents;
  private readonly text: string;
  private readonly events: readonly Event[];
  /** For each event the index after its node. */
  private readonly ends: Int32Array;
  private readonly anchors = new Map<string, number>();
  private readonly entries = new Map<number, readonly number[]>();

  public constructor(source: string) {
    this.lines = new LineIndex(source);
    this.parsed = parseYamlEvents(source);
    this.text = this.parsed.text;
    this.events = this.parsed.events;
    this.ends = new Int32Array(this.events.length);
    const open: number[] = [];
    this.events.forEach((event, index) => {
      this.ends[index] = index + 1;
      if (event.type === EVENT_ID.POP) this.ends[open.pop() ?? index] = index + 1;
      else if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) open.push(index);
      if ('anchorStart' in event && event.type !== EVENT_ID.ALIAS && event.anchorStart >= 0) {
        this.anchors.set(this.text.slice(event.anchorStart, event.anchorEnd), index);
      }
    });
  }

  /** Where the key (or the list entry) at `path` starts, else its nearest parent that exists. */
  public locate(path: Path): { line: number; column: number } {
    let node = this.events.findIndex((event) => event.type !== EVENT_ID.DOCUMENT);
    let offset = this.offset(node);
    for (const step of path) {
      const found = this.child(this.follow(node), step);
      if (found === undefined) break;
      offset = this.offset(found.label);
      node = found.value;
    }
    return this.lines.position(this.parsed.sourceOffset(offset));
  }

  private offset(index: number): number {
    const event = this.events[index];
    return event === undefined ? 0 : startOf(event);
  }

  /** The node an alias stands for; positions stay those of the anchor, where the text can be changed. */
  private follow(index: number): number {
    const event = this.events[index];
    if (event?.type !== EVENT_ID.ALIAS) return index;
    return this.anchors.get(this.text.slice(event.anchorStart, event.anchorEnd)) ?? index;
  }

  private child(index: number, step: string | number): { label: number; value: number } | undefined {
    const parent = this.events[index];
    if (parent?.type === EVENT_ID.SEQUENCE) return typeof step === 'number' ? this.entry(index, step) : undefined;
    return parent?.type === EVENT_ID.MAPPING ? this.field(index, String(step), new Set()) : undefined;
  }

  private entry(index: number, step: number): { label: number; value: number } | undefined {
    const at = this.entriesOf(index)[step];
    return at === undefined ? undefined : { label: at, value: at };
  }

  /** Where the entries of a sequence begin; kept, since a long List is asked once for each finding in it. */
  private entriesOf(index: number): readonly number[] {
    const known = this.entries.get(index);
    if (known !== undefined) return known;
    const entries: number[] = [];
    for (let at = index + 1; this.isNode(at); at = this.after(at)) entries.push(at);
    this.entries.set(index, entries);
    return entries;
  }

  private field(index: number, name: string, seen: Set<number>): { label: number; value: number } | undefined {
    if (seen.has(index)) return undefined;
    seen.add(index);
    let found: { label: number; value: number } | undefined;
    for (let key = index + 1; this.isNode(key);) {
      const value = this.after(key);
      const text = this.key(key);
      // The last of several equal keys is the one that counts.
      if (text === name) found = { label: key, value };
      else if (text === '<<') found = this.merged(value, name, seen) ?? found;
      key = this.after(value);
    }
    return found;
  }

  private merged(value: number, name: string, seen: Set<number>): { label: number; value: number } | undefined {
    const source = this.follow(value);
    const event = this.events[source];
    if (event?.type === EVENT_ID.MAPPING) return this.field(source, name, seen);
    if (event?.type !== EVENT_ID.SEQUENCE) return undefined;
    for (let at = source + 1; this.isNode(at); at = this.after(at)) {
      const entry = this.follow(at);
      const found = this.events[entry]?.type === EVENT_ID.MAPPING ? this.field(entry, name, seen) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private key(index: number): string | undefined {
    const event = this.events[this.follow(index)];
    if (event?.type !== EVENT_ID.SCALAR) return undefined;
    const source = getScalarValue(this.text, event);
    return event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0 ? String(resolvePlain(source)) : source;
  }

  private isNode(index: number): boolean {
    const event = this.events[index];
    return event !== undefined && event.type !== EVENT_ID.POP;
  }

  private after(index: number): number {
    return this.ends[index] ?? this.events.length;
  }
}

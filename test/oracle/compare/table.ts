import type { Verdict } from './agreement';
import type { Kind, Minor } from '../generate/question';

export interface Row {
  readonly kind: Kind;
  readonly minor: Minor;
  readonly feature: string;
  readonly verdict: Verdict;
  /** Fields of the answers that differ. */
  readonly fields: readonly string[];
}

const VERDICTS: readonly Verdict[] = ['same', 'text', 'different', 'unknown'];
const HEAD = ['kind', 'kubernetes', 'feature', 'cases', 'same', 'text', 'different', 'no answer'];

/** Cases counted by kind, minor and feature; the sum of each kind and minor is below its features. */
export function agreementTable(rows: readonly Row[]): string {
  const groups = grouped(rows, ({ kind, minor }) => `${kind} ${minor}`);
  const lines = [...groups.values()].flatMap((group) => [
    ...[...grouped(group, ({ feature }) => feature)].map(([feature, its]) => rowOf(feature, its)),
    rowOf('total', group),
  ]);
  return alignedText([HEAD, ...lines], 3) + fieldTable(rows);
}

function rowOf(name: string, rows: readonly Row[]): string[] {
  const [{ kind, minor }] = rows;
  const counts = VERDICTS.map((verdict) => rows.filter((row) => row.verdict === verdict).length);
  return [kind, minor, name, ...[rows.length, ...counts].map(String)];
}

function grouped(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Which fields differ together, most frequent first. */
function fieldTable(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { kind, minor, fields } of rows) {
    if (fields.length === 0) continue;
    const key = [kind, minor, fields.join(',')].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === 0) return '';
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([key, count]) => [...key.split(' '), String(count)]);
  return `\n${alignedText([['kind', 'kubernetes', 'fields', 'cases'], ...lines], 3)}`;
}

function alignedText(lines: readonly (readonly string[])[], textColumns: number): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines.map((line) => `${line.map((cell, column) => (column < textColumns ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ').trimEnd()}\n`).join('');
}

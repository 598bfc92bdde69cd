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

/** Cases counted by kind, minor and feature, with a sum for each kind and minor. */
export function agreementTable(rows: readonly Row[]): string {
  const counts = new Map<string, number[]>();
  for (const { kind, minor, feature, verdict } of rows) {
    for (const name of [feature, 'total']) {
      const key = [kind, minor, name].join(' ');
      const count = counts.get(key) ?? VERDICTS.map(() => 0);
      count[VERDICTS.indexOf(verdict)]++;
      counts.set(key, count);
    }
  }
  const lines = [HEAD, ...[...counts].map(([key, count]) => [...key.split(' '), String(count.reduce((a, b) => a + b)), ...count.map(String)])];
  return alignedText(lines, 3) + fieldTable(rows);
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

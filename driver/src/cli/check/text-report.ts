import { styleText } from 'node:util';

import type { Severity } from 'cdk8s-dra/model';

import { countBySeverity } from './check-result.js';
import type { CheckResult } from './check-result.js';
import type { ReportedFinding } from './reported-finding.js';

type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green', text: string) => string;

/** Whether the stream takes colours was decided before. */
const COLORED: Style = (format, text) => styleText(format, text, { validateStream: false });
const PLAIN: Style = (_, text) => text;

const COLORS = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies { [severity in Severity]: string };

/** The findings for a reader, with a last line that sums up and says how to go on. */
export function textReport(result: CheckResult, hasColor: boolean): string {
  const style = hasColor ? COLORED : PLAIN;
  return `${findingsText(result.findings, style)}${closing(result, style)}\n`;
}

/** The findings alone. */
export function findingsReport(findings: readonly ReportedFinding[], hasColor: boolean): string {
  return findingsText(findings, hasColor ? COLORED : PLAIN);
}

/** So many findings that say the same are shown; the rest is counted. */
const SHOWN_ALIKE = 10;

function findingsText(findings: readonly ReportedFinding[], style: Style): string {
  const alike = new Map<string, { readonly finding: ReportedFinding; count: number }>();
  const parts: string[] = [];
  for (const finding of findings) {
    const key = `${finding.code} ${finding.message}`;
    const group = alike.get(key) ?? { finding, count: 0 };
    alike.set(key, group);
    group.count++;
    if (group.count <= SHOWN_ALIKE) parts.push(`${findingText(finding, style)}\n\n`);
  }
  for (const { finding, count: number } of alike.values()) {
    if (number > SHOWN_ALIKE) parts.push(`${number - SHOWN_ALIKE} more ${finding.code} like the last one shown; -o json lists all: ${indent(finding.message).join(' ').trim()}\n\n`);
  }
  return parts.join('');
}

function findingText(finding: ReportedFinding, style: Style): string {
  const { object, severity } = finding;
  const place = [finding.file ?? 'all files', finding.line, finding.column].filter((part) => part !== undefined).join(':');
  const name = [object?.namespace, object?.name].filter((part) => part !== undefined && part !== '').join('/');
  const subject = [object?.kind, name, finding.path].filter((part) => part !== undefined && part !== '').join(' ');
  const head = `${style('bold', printable(place))}: ${style(COLORS[severity], severity)} ${finding.code}${subject === '' ? '' : ` ${printable(subject)}`}`;
  return [head, ...indent(finding.message), ...expressionLines(finding, style), `  ${style('green', 'fix:')} ${indent(finding.help).join('\n').trimStart()}`].join('\n');
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `  ${printable(line)}`);
}

/** Manifests are strangers' text: control characters and changes of writing direction are shown, not sent to the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The line of the expression that holds the fault, with a mark under it. */
function expressionLines(finding: ReportedFinding, style: Style): string[] {
  const { text, span } = finding;
  if (text === undefined || span === undefined) return [];
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const newline = text.indexOf('\n', lineStart);
  const lineEnd = newline < 0 ? text.length : newline;
  const from = Math.max(lineStart, span.start - BEFORE_FAULT);
  const to = Math.min(lineEnd, Math.max(span.end, span.start) + AFTER_FAULT, from + LONGEST_LINE);
  const [head, tail] = [from > lineStart ? '…' : '', to < lineEnd ? '…' : ''];
  const shown = printable(text.slice(from, to).replaceAll('\t', ' '));
  const before = printable(text.slice(from, span.start).replaceAll('\t', ' '));
  const marked = printable(text.slice(span.start, Math.min(span.end, to)).replaceAll('\t', ' '));
  const mark = '^'.repeat(Math.max(marked.length, 1));
  return [`    ${head}${shown}${tail}`, `    ${' '.repeat(head.length + before.length)}${style('red', mark)}`];
}

const BEFORE_FAULT = 60;
const AFTER_FAULT = 40;
const LONGEST_LINE = 140;

function closing(result: CheckResult, style: Style): string {
  const scope = `${count(result.objects, 'object')} of ${count(result.files, 'file')}`;
  const others = result.otherDocuments === 0 ? '' : ` ${count(result.otherDocuments, 'document')} ${result.otherDocuments === 1 ? 'is no Kubernetes object' : 'are no Kubernetes objects'}.`;
  const ignored = result.ignored === 0 ? '' : ` ${count(result.ignored, 'finding')} ignored.`;
  const first = result.findings[0];
  if (first !== undefined) {
    const counts = countBySeverity(result.findings);
    const found = [
      counts.error > 0 ? count(counts.error, 'error') : '',
      counts.warning > 0 ? count(counts.warning, 'warning') : '',
      counts.info > 0 ? `${counts.info} info` : '',
    ].filter((part) => part !== '').join(', ');
    const worst = result.findings.find((finding) => finding.severity === 'error') ?? first;
    return `${style('bold', found)} in ${scope} (Kubernetes ${result.kubernetes}).${ignored}${others} Explain a code: kubectl-dra check --explain ${worst.code}`;
  }
  return `${style('green', 'No findings')}: ${scope} fit Kubernetes ${result.kubernetes}.${ignored}${others}\n${nextStep(result)}`;
}

function nextStep(result: CheckResult): string {
  return result.nextKubernetes === undefined
    ? 'Next: let the cluster judge what only it can know: kubectl apply --dry-run=server -f PATH'
    : `Next: see what an upgrade would change: kubectl-dra check --kubernetes ${result.nextKubernetes} PATH`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

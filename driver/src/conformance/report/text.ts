import { styleText } from 'node:util';

import { needText } from '../contract.js';
import type { Verdict } from '../contract.js';
import type { Exchange } from '../evidence.js';
import { createsObjects } from '../plan.js';
import type { Plan } from '../plan.js';
import type { ConformanceReport, ContractResult } from '../run.js';
import { NAME_PREFIX, RUN_LABEL } from '../scratch.js';
import { byReason, clusterText, summaryOf, summaryText } from './summary.js';

type Format = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
export type Style = (format: Format, text: string) => string;

export function styleFor(hasColor: boolean): Style {
  return hasColor ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text;
}

const COLORS: Readonly<Record<Verdict, Format>> = { 'kept': 'green', 'broken': 'red', 'not-applicable': 'dim', 'not-tried': 'yellow' };

/** What a run will do, for a person to read before it does. */
export function planText(plan: Plan, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const tried = plan.contracts.filter(({ skip }) => skip === undefined);
  const lines = [
    `${style('bold', clusterText({ plan }))} at ${printable(plan.server)} (${printable(plan.origin)})`,
    `Will try ${tried.length} of ${plan.contracts.length} contracts.`,
    ...creationLines(plan),
  ];
  if (plan.needs.length > 0) {
    lines.push('Permissions that this needs:');
    const byResource = new Map<string, string[]>();
    for (const { need, isGranted } of plan.needs) {
      const resource = needText(need).slice(need.verb.length + 1);
      byResource.set(resource, [...byResource.get(resource) ?? [], isGranted ? need.verb : style('yellow', `${need.verb} (missing)`)]);
    }
    for (const [resource, verbs] of byResource) lines.push(`  ${resource}: ${verbs.join(', ')}`);
  }
  for (const { run, objects, since } of plan.leftovers) {
    lines.push(`Run ${printable(run)} of ${since} left ${objects.length} objects; unless it still goes on, remove them: kubectl-dra conformance --clean`);
  }
  return `${lines.join('\n')}\n`;
}

function creationLines(plan: Plan): readonly string[] {
  if (!createsObjects(plan)) return ['Stores nothing: reads, dry runs and access reviews only.'];
  const kinds = [...new Set(plan.needs.filter(({ need }) => need.verb === 'create').map(({ need }) => need.resource))].filter((kind) => !kind.includes('/')).sort();
  return [
    `Creates the namespace ${plan.namespace} and in it, or without a namespace under names that begin with ${NAME_PREFIX}${plan.run}:`,
    `  ${kinds.join(', ')}`,
    `All carry the label ${RUN_LABEL}=${plan.run} and are deleted at the end. ${plan.settings.lab
      ? 'Nodes and devices are made that pods of others may get: go on only on a cluster of your own.'
      : 'No node can see the slices; no scheduler takes the pods.'}`,
  ];
}

/** The verdicts, what is wrong with evidence, and a last line that sums up. */
export function textReport(report: ConformanceReport, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const parts: string[] = [];
  let area = '';
  for (const result of report.results.filter(({ verdict }) => verdict === 'kept' || verdict === 'broken')) {
    if (result.contract.area !== area) {
      area = result.contract.area;
      parts.push('', style('bold', area));
    }
    parts.push(resultLine(result, style), ...result.verdict === 'broken' ? brokenLines(result, style) : []);
    parts.push(...result.notes.map((note) => style('dim', `            ${printable(note)}`)));
  }
  for (const verdict of ['not-applicable', 'not-tried'] as const) {
    const results = report.results.filter((result) => result.verdict === verdict);
    if (results.length === 0) continue;
    parts.push('', style('bold', verdict === 'not-tried' ? 'Not tried' : 'Not applicable'));
    for (const [reason, group] of byReason(results)) parts.push(`  ${printable(reason)}:`, `    ${group.map(({ contract }) => contract.id).join(', ')}`);
  }
  if (report.removed.length > 0) parts.push('', `Removed what an earlier run had left: ${report.removed.join(', ')}`);
  if (report.stayed.length > 0) {
    parts.push('', style('red', 'Could not be removed:'), ...report.stayed.map((line) => `  ${printable(line)}`),
      'Remove it later: kubectl-dra conformance --clean');
  }
  if (report.endedEarly !== undefined) parts.push('', style('red', `Ended early: ${printable(report.endedEarly)}`));
  parts.push('', `${style('bold', summaryText(summaryOf(report)))} (${clusterText(report)}).`);
  return `${parts.join('\n').trimStart()}\n`;
}

function resultLine({ contract, verdict }: ContractResult, style: Style): string {
  return `  ${style(COLORS[verdict], verdict.padEnd(8))}  ${contract.id}: ${contract.title}`;
}

function brokenLines({ contract, because, evidence }: ContractResult, style: Style): readonly string[] {
  return [
    ...because.map((text) => `            ${style('red', '-')} ${printable(text)}`),
    `            ${style('dim', `why it matters: ${contract.why}`)}`,
    ...evidence.slice(-SHOWN_EXCHANGES).flatMap((exchange) => exchangeLines(exchange)).map((line) => style('dim', `            ${printable(line)}`)),
  ];
}

const SHOWN_EXCHANGES = 4;
const SHOWN_LENGTH = 400;

function exchangeLines({ request, as, sent, status, answer, times }: Exchange): readonly string[] {
  return [
    `${request}${as === undefined ? '' : ` as ${as}`}${times > 1 ? ` (${times} times)` : ''}`,
    ...(sent === undefined ? [] : [`  > ${shortened(sent)}`]),
    `  < ${status} ${shortened(answer)}`,
  ];
}

function shortened(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** Answers of a server are strangers' text: control characters and changes of writing direction are shown, not sent to the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => (character === '\n'
    ? ' '
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

import { FAILURES, findFailure, nearest } from 'cdk8s-dra/model';
import type { Failure } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';

/** The entry for a code (`DRA130`, any case) or a name; throws UsageError with near misses for anything else. */
export function requireFailure(wanted: string): Failure {
  const found = findFailure(wanted);
  if (found !== undefined) return found;
  const meant = suggestion(wanted);
  // Beside a guess the whole list would hide it.
  throw new UsageError(`there is no code '${wanted}'. ${meant === undefined ? `These are all:\n${codeList().trimEnd()}` : `Did you mean ${meant}? All of them: kubectl-dra check --list-codes`}`);
}

function suggestion(wanted: string): string | undefined {
  const begun = FAILURES.map(({ code }) => code).filter((code) => wanted !== '' && code.startsWith(wanted.toUpperCase()));
  return begun.length > 0 ? begun.join(', ')
    : nearest(wanted.toUpperCase(), FAILURES.map(({ code }) => code)) ?? nearest(wanted.toLowerCase(), FAILURES.map(({ name }) => name));
}

/** An entry of the catalogue as a page to read. */
export function explanation(failure: Failure): string {
  const cluster = examplesCluster(failure);
  const parts = [
    `${failure.code} ${failure.name} (${failure.severity})\n${failure.title}`,
    `Why\n${indent(wrap(failure.why))}`,
    `Fix\n${indent(wrap(failure.fix))}`,
    failure.previous === undefined ? '' : `Before\n${indent(failure.previous)}`,
    failure.wrong === undefined ? '' : `Wrong${cluster}\n${indent(failure.wrong)}`,
    failure.right === undefined ? '' : `Right${cluster}\n${indent(failure.right)}`,
    `Source\n${indent(failure.source)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Every code with its severity, name and title, one a line. */
export function codeList(): string {
  const nameWidth = Math.max(...FAILURES.map((failure) => failure.name.length));
  return FAILURES.map(({ code, severity, name, title }) => `${code}  ${severity.padEnd(7)}  ${name.padEnd(nameWidth)}  ${title}\n`).join('');
}

/** The catalogue for programs. */
export function codeListJson(): string {
  return `${JSON.stringify(FAILURES, null, 2)}\n`;
}

function examplesCluster({ kubernetes, featureGates }: Failure): string {
  const gates = Object.entries(featureGates ?? {}).map(([gate, on]) => `${gate}=${on}`).join(',');
  const parts = [kubernetes === undefined ? '' : `Kubernetes ${kubernetes}`, gates === '' ? '' : `with ${gates}`].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}

function indent(text: string): string {
  return text.trimEnd().split('\n').map((line) => line === '' ? '' : `  ${line}`).join('\n');
}

/** Prose in lines that are easy to read. */
function wrap(text: string): string {
  return text.replace(/(\S.{0,76}\S|\S{78,}|\S)(?:\s+|$)/g, '$1\n').trimEnd();
}

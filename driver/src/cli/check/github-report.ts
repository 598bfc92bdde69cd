import { countBySeverity } from './check-result.js';
import type { CheckResult } from './check-result.js';
import type { ReportedFinding } from './reported-finding.js';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** GitHub shows so many annotations of a kind for one step; the rest stands in the log only. */
const SHOWN = 10;

/** Workflow commands that GitHub Actions turns into annotations, worst first so that its limit cuts the mildest. */
export function githubReport(result: CheckResult): string {
  const lines: string[] = [];
  for (const severity of ['error', 'warning', 'info'] as const) {
    for (const finding of result.findings) if (finding.severity === severity) lines.push(annotation(finding));
  }
  const counts = countBySeverity(result.findings);
  if (Math.max(counts.error, counts.warning, counts.info) > SHOWN) {
    lines.push(`GitHub annotates the first ${SHOWN} findings of each kind; all ${result.findings.length} stand in this log.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function annotation(finding: ReportedFinding): string {
  const properties = [
    finding.file === undefined || finding.file === '-' ? undefined : `file=${property(finding.file)}`,
    finding.line === undefined ? undefined : `line=${finding.line}`,
    finding.column === undefined ? undefined : `col=${finding.column}`,
    `title=${property(`${finding.code} ${finding.name}`)}`,
  ].filter((part) => part !== undefined);
  const place = [finding.object?.kind, finding.object?.name, finding.path].filter((part) => part !== undefined && part !== '').join(' ');
  const text = `${place === '' ? '' : `${place}: `}${finding.message} ${finding.help}`;
  return `::${COMMANDS[finding.severity]} ${properties.join(',')}::${data(text)}`;
}

export function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

import { countBySeverity } from './check-result.js';
import type { CheckResult } from './check-result.js';
import type { ReportedFinding } from './reported-finding.js';

/** The result as one JSON object; its fields are contract. */
export function jsonReport(result: CheckResult): string {
  const { kubernetes, featureGates, files, objects, findings } = result;
  const report = { kubernetes, featureGates, files, objects, summary: countBySeverity(findings), findings: findings.map(publicFields) };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** In a fixed order, whatever order they were made in. */
function publicFields(finding: ReportedFinding): object {
  const { code, name, severity, file, line, column, document, object, path, message, help, span } = finding;
  return { code, name, severity, file, line, column, document, object, path, message, help, span };
}

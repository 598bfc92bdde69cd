import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { failureOf } from 'cdk8s-dra/model';
import type { Failure, Severity } from 'cdk8s-dra/model';

import { VERSION } from '../version.js';
import type { CheckResult } from './check-result.js';
import type { ReportedFinding } from './reported-finding.js';

/** Left for the reader to resolve, by convention: the log is the same on every machine. */
const SOURCE_ROOT = '%SRCROOT%';

const LEVELS: { readonly [severity in Severity]: string } = { error: 'error', warning: 'warning', info: 'note' };

/** The result as a SARIF 2.1.0 log with one run; file names are relative to `workingDirectory` where they lie in it. */
export function sarifReport(result: CheckResult, workingDirectory: string): string {
  const codes = [...new Set(result.findings.map((finding) => finding.code))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'kubectl-dra', semanticVersion: VERSION, rules: codes.map((code) => ruleOf(failureOf(code))) } },
      columnKind: 'utf16CodeUnits',
      results: result.findings.map((finding) => resultOf(finding, codes.indexOf(finding.code), workingDirectory)),
    }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleOf(failure: Failure): object {
  return {
    id: failure.code,
    name: failure.name,
    shortDescription: { text: failure.title },
    fullDescription: { text: failure.why },
    help: { text: failure.fix },
    defaultConfiguration: { level: LEVELS[failure.severity] },
  };
}

function resultOf(finding: ReportedFinding, ruleIndex: number, workingDirectory: string): object {
  return {
    ruleId: finding.code,
    ruleIndex,
    level: LEVELS[finding.severity],
    message: { text: `${finding.message} ${finding.help}` },
    ...finding.file === undefined ? {} : { locations: [locationOf(finding, finding.file, workingDirectory)] },
  };
}

function locationOf(finding: ReportedFinding, file: string, workingDirectory: string): object {
  const { object, path } = finding;
  const name = [object?.kind, object?.namespace, object?.name].filter((part) => part !== undefined && part !== '').join('/');
  return {
    physicalLocation: {
      artifactLocation: artifactOf(file, workingDirectory),
      ...finding.line === undefined ? {} : { region: { startLine: finding.line, startColumn: finding.column ?? 1 } },
    },
    ...name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path === '' ? name : `${name}/${path}`, kind: 'object' }] },
  };
}

function artifactOf(file: string, workingDirectory: string): object {
  if (file === '-') return { uri: 'stdin' };
  const path = relative(workingDirectory, resolve(workingDirectory, file));
  if (path.startsWith('..') || isAbsolute(path)) return { uri: pathToFileURL(resolve(workingDirectory, file)).href };
  return { uri: path.split(sep).map(encodeURIComponent).join('/'), uriBaseId: SOURCE_ROOT };
}

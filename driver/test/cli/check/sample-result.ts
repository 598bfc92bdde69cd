import type { CheckResult } from '../../../src/cli/check/check-result.js';
import type { ReportedFinding } from '../../../src/cli/check/reported-finding.js';

export const SELECTOR: ReportedFinding = {
  code: 'DRA101',
  name: 'invalid-syntax',
  severity: 'error',
  file: 'dist/20 classes.yaml',
  line: 12,
  column: 5,
  document: 1,
  object: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', namespace: 'vision', name: 'trainer' },
  path: 'spec.devices.requests[0].exactly.selectors[0].cel.expression',
  message: "There is no 'foo', 100% sure.",
  help: 'Write bar: baz, for one.',
  span: { start: 33, end: 36 },
  text: 'device.driver == "gpu" &&\ndevice.foo',
};

export const SYNTAX: ReportedFinding = {
  code: 'DRA102', name: 'duplicate-key', severity: 'warning', file: '-', line: 1, column: 2, path: '', message: 'Twice.', help: 'Once.',
};

export const NOWHERE: ReportedFinding = { code: 'DRA108', name: 'check-failed', severity: 'info', path: '', message: 'Stopped.', help: 'Report it.' };

export function resultWith(...findings: ReportedFinding[]): CheckResult {
  return { kubernetes: '1.34', nextKubernetes: '1.35', featureGates: { 'kubelet:A': false }, files: 2, objects: 3, otherDocuments: 0, findings, ignored: 0 };
}

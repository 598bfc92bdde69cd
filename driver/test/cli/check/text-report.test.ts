import { NOWHERE, SELECTOR, SYNTAX, resultWith } from './sample-result.js';
import { findingsReport, textReport } from '../../../src/cli/check/text-report.js';

test('findings are shown with place, field, the expression and the way out', () => {
  expect(textReport(resultWith(SELECTOR, SYNTAX, NOWHERE), false)).toBe(`\
dist/20 classes.yaml:12:5: error DRA101 ResourceClaim vision/trainer spec.devices.requests[0].exactly.selectors[0].cel.expression
  There is no 'foo', 100% sure.
    device.foo
           ^^^
  fix: Write bar: baz, for one.

-:1:2: warning DRA102
  Twice.
  fix: Once.

all files: info DRA108
  Stopped.
  fix: Report it.

1 error, 1 warning, 1 info in 3 objects of 2 files (Kubernetes 1.34). Explain a code: kubectl-dra check --explain DRA101
`);
});

test('a clean result says what was checked and what comes next', () => {
  expect(textReport(resultWith(), false)).toBe(`\
No findings: 3 objects of 2 files fit Kubernetes 1.34.
Next: see what an upgrade would change: kubectl-dra check --kubernetes 1.35 PATH
`);
});

test('after the newest version the next step is the cluster itself', () => {
  const { nextKubernetes: _, ...newest } = resultWith();

  expect(textReport(newest, false)).toContain('Next: let the cluster judge what only it can know: kubectl apply --dry-run=server -f PATH\n');
});

test('other documents and ignored findings are counted', () => {
  expect(textReport({ ...resultWith(), otherDocuments: 1, ignored: 2 }, false)).toContain(
    'No findings: 3 objects of 2 files fit Kubernetes 1.34. 2 findings ignored. 1 document is no Kubernetes object.\n');
});

test('of many findings that say the same ten are shown', () => {
  const report = findingsReport(Array.from({ length: 25 }, (_, index) => ({ ...SYNTAX, line: index + 1 })), false);

  expect(report.match(/^-:\d+:2/gm)).toHaveLength(10);
  expect(report).toContain('15 more DRA102 like the last one shown; -o json lists all: Twice.\n');
});

test('control characters of a manifest do not reach the terminal', () => {
  const report = findingsReport([{ ...SYNTAX, message: 'red \u001b[31m and \u202e.', file: 'a\u0007.yaml' }], false);

  expect(report).toContain('a\\u0007.yaml:1:2');
  expect(report).toContain('red \\u001b[31m and \\u202e.');
});

test('a long expression is cut around the fault', () => {
  const text = `${'a'.repeat(500)}BAD${'b'.repeat(500)}`;
  const lines = findingsReport([{ ...SYNTAX, text, span: { start: 500, end: 503 } }], false).split('\n');

  expect(lines[2]).toBe(`    …${'a'.repeat(60)}BAD${'b'.repeat(40)}…`);
  expect(lines[3]).toBe(`    ${' '.repeat(61)}^^^`);
});

test('a span at the end of an expression has a mark', () => {
  const lines = findingsReport([{ ...SYNTAX, text: 'a &&', span: { start: 4, end: 4 } }], false).split('\n');

  expect(lines.slice(2, 4)).toEqual(['    a &&', '        ^']);
});

test('colours are there when asked for', () => {
  expect(textReport(resultWith(SELECTOR), true)).toContain('\u001b[31merror\u001b[39m DRA101');
  expect(textReport(resultWith(SELECTOR), false)).not.toContain('\u001b');
});

import { NOWHERE, SELECTOR, SYNTAX, resultWith } from './sample-result.js';
import { githubReport } from '../../../src/cli/check/github-report.js';

test('each finding is a workflow command, the worst first', () => {
  expect(githubReport(resultWith(NOWHERE, SYNTAX, SELECTOR))).toBe(`\
::error file=dist/20 classes.yaml,line=12,col=5,title=DRA101 invalid-syntax::ResourceClaim trainer spec.devices.requests[0].exactly.selectors[0].cel.expression: There is no 'foo', 100%25 sure. Write bar: baz, for one.
::warning line=1,col=2,title=DRA102 duplicate-key::Twice. Once.
::notice title=DRA108 check-failed::Stopped. Report it.
`);
});

test('what has a meaning in workflow commands is escaped', () => {
  expect(githubReport(resultWith({ ...SYNTAX, file: 'a,b:c%.yaml', message: 'one\r\ntwo ::error::' }))).toBe(
    '::warning file=a%2Cb%3Ac%25.yaml,line=1,col=2,title=DRA102 duplicate-key::one%0D%0Atwo ::error:: Once.\n');
});

test('more than GitHub annotates is said', () => {
  const report = githubReport(resultWith(...Array<typeof SYNTAX>(11).fill(SYNTAX)));

  expect(report).toMatch(/\nGitHub annotates the first 10 findings of each kind; all 11 stand in this log\.\n$/);
});

test('no findings, no output', () => {
  expect(githubReport(resultWith())).toBe('');
});

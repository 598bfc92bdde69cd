import { NOWHERE, SELECTOR, SYNTAX, resultWith } from './sample-result.js';
import { sarifReport } from '../../../src/cli/check/sarif-report.js';

interface Sarif {
  readonly version: string;
  readonly runs: readonly [{
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string; readonly help: { readonly text: string } }[] } };
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
  }];
}

function log(...findings: Parameters<typeof resultWith>): Sarif {
  return JSON.parse(sarifReport(resultWith(...findings), '/repo')) as Sarif;
}

test('a log has one run with the rules of its results', () => {
  const { version, runs } = log(SELECTOR, SYNTAX, NOWHERE, SYNTAX);
  const [{ tool: { driver: { rules } }, results }] = runs;

  expect(version).toBe('2.1.0');
  expect(runs).toHaveLength(1);
  expect(rules.map((rule) => rule.id)).toEqual(['DRA101', 'DRA102', 'DRA108']);
  expect(results.map(({ ruleId, ruleIndex }) => rules[ruleIndex]?.id === ruleId)).toEqual([true, true, true, true]);
  expect(rules.every((rule) => rule.help.text.length > 10)).toBe(true);
});

test('a result names level, region and object', () => {
  expect(log(SELECTOR).runs[0].results).toEqual([{
    ruleId: 'DRA101',
    ruleIndex: 0,
    level: 'error',
    message: { text: "There is no 'foo', 100% sure. Write bar: baz, for one." },
    locations: [{
      physicalLocation: { artifactLocation: { uri: 'dist/20%20classes.yaml', uriBaseId: '%SRCROOT%' }, region: { startLine: 12, startColumn: 5 } },
      logicalLocations: [{ fullyQualifiedName: 'ResourceClaim/vision/trainer/spec.devices.requests[0].exactly.selectors[0].cel.expression', kind: 'object' }],
    }],
  }]);
});

test.each([
  ['./a/b.yaml', { uri: 'a/b.yaml', uriBaseId: '%SRCROOT%' }],
  ['/repo/a/b.yaml', { uri: 'a/b.yaml', uriBaseId: '%SRCROOT%' }],
  ['/other/ä.yaml', { uri: 'file:///other/%C3%A4.yaml' }],
  ['../other/b.yaml', { uri: 'file:///other/b.yaml' }],
  ['-', { uri: 'stdin' }],
])('the file %s has the location %j', (file, artifactLocation) => {
  expect(log({ ...SYNTAX, file }).runs[0].results).toMatchObject([{ locations: [{ physicalLocation: { artifactLocation } }] }]);
});

test('info is a note, and a finding about no file has no location', () => {
  expect(log(NOWHERE).runs[0].results).toEqual([{ ruleId: 'DRA108', ruleIndex: 0, level: 'note', message: { text: 'Stopped. Report it.' } }]);
});

import { compileProblems } from '../../../src/model/cel';

test('a selector that is accepted has no problems', () => {
  expect(compileProblems('device.driver == "a"', { minor: '1.36', envType: 'new' })).toEqual([]);
});

test('every error of compilation is a finding with its place', () => {
  expect(compileProblems('device.nam == "a" && foo', { minor: '1.36', envType: 'new' })).toMatchObject([
    { id: 'cel-compile', severity: 'error', start: 0, end: 10, rule: 'must compile: undefined field \'nam\'', help: expect.stringContaining('driver, attributes') },
    { id: 'cel-compile', severity: 'error', start: 21, end: 24, rule: expect.stringContaining('undeclared reference to \'foo\'') },
  ]);
});

test.each([
  ['device.driver ==', 'Syntax error'],
  ['device.driver', 'must evaluate to bool'],
  ['device.driver == 1', 'found no matching overload'],
  ['[1, "a"] == []', 'expected type'],
])('%s: %s', (expression, rule) => {
  const [finding] = compileProblems(expression, { minor: '1.36' });

  expect(finding.rule).toContain(rule);
  expect(finding.help).not.toBe('');
});

test('a cost above the limit is a finding about the whole expression', () => {
  const expression = 'lists.range(1000000).all(x, x >= 0)';

  expect(compileProblems(expression, { minor: '1.36' })).toMatchObject([{ id: 'cel-too-complex', start: 0, end: expression.length }]);
});

import { CompiledSelector, compileSelector, evalLine } from '../../../../src/model/cel';
import { DEVICE } from '../answer';

function costs(expression: string): [estimate: bigint, counted: number] {
  const selector = compileSelector(expression, { minor: '1.36' });
  if (!(selector instanceof CompiledSelector)) throw new Error(selector.message);
  return [selector.maxCost, selector.evaluate(DEVICE).cost ?? -1];
}

test.each<[string, bigint, number]>([
  ['true', 0n, 0],
  ['device.driver == "gpu.example.com"', 4n, 4],
  ['has(device.attributes["a"].b)', 3n, 3],
  ['device.attributes["gpu.example.com"].model == "A100"', 5n, 5],
  ['[1, 2, 3].all(x, x > 0)', 26n, 16],
  ['device.driver.matches("^gpu")', 9n, 4],
  ['device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0', 7n, 7],
])('%s costs at most %s by estimate, and %s when run', (expression, estimate, counted) => {
  expect(costs(expression)).toEqual([estimate, counted]);
});

test('an evaluation ends when it costs more than allowed', () => {
  const expression = 'lists.range(1000).all(x, x >= 0)';

  expect(evalLine({ expression, device: DEVICE, costLimit: 100 })).toMatchObject({ runtimeError: 'operation cancelled: actual cost limit exceeded' });
  expect(evalLine({ expression, device: DEVICE, costLimit: 100000 })).toMatchObject({ match: true });
});

describe('expressions that grow end early', () => {
  test.each([
    ['nested loops', 'lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))'],
    ['a text that doubles', `${'cel.bind(x, '.repeat(30)}"a"${', x + x)'.repeat(30)} == ""`],
    ['a long list', 'lists.range(9223372036854775807).size() == 0'],
    ['a list within a list', `${'cel.bind(x, '.repeat(40)}[1]${', x + x)'.repeat(40)} == []`],
    ['search for what is not there', '"a".matches("(a*)*b") || lists.range(100000).map(x, string(x)).join().matches("(.*)*z")'],
    ['large power', '"%.100f".format([1e308]).size() == 0'],
  ])('%s', (_what, expression) => {
    const { match, runtimeError, compileError } = evalLine({ expression, device: DEVICE });

    expect([match, runtimeError, compileError].filter((answer) => answer !== undefined)).toHaveLength(1);
  });
});

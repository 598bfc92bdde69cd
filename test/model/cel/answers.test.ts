import answers from './answers.json';
import { evalLine } from '../../../src/model/cel';

/**
 * Answers of `k8s.io/dynamic-resource-allocation/cel` v0.34.13, v0.35.10, v0.36.6 and v0.37.2. Of syntax errors only
 * the fact is kept. Expressions whose cost depends on the order of a Go map are not among them.
 */
interface Row {
  readonly expression: string;
  readonly device: string;
  readonly kubernetes?: string;
  readonly answer: readonly unknown[];
}

const devices: Readonly<Record<string, unknown>> = answers.devices;
const rows: readonly Row[] = answers.answers;

function answerTo(row: Row): readonly unknown[] {
  const { answer: _, device, ...input } = row;
  const { match, runtimeError, compileError, cost, maxCost, outputType } = evalLine({ ...input, device: devices[device] });
  if (compileError !== undefined) return ['compileError', compileError.includes('Syntax error') ? 'Syntax error' : compileError];
  return [...(runtimeError === undefined ? ['match', match] : ['runtimeError', runtimeError]), cost, maxCost, outputType];
}

describe.each(['1.34', '1.35', '1.36', '1.37'])('in Kubernetes %s', (minor) => {
  const own = rows.filter(({ kubernetes = '1.36' }) => kubernetes === minor);

  test('there are answers to compare with', () => {
    expect(own.length).toBeGreaterThan(30);
  });

  test('every answer is that of upstream: result, errors, cost and estimated cost', () => {
    const wrong = own.map((row) => ({ row, given: answerTo(row) })).filter(({ row, given }) => JSON.stringify(given) !== JSON.stringify(row.answer));

    expect(wrong).toEqual([]);
  });
});

test('a cost estimate above the limit is told as too complex', () => {
  const device = { driver: 'gpu.example.com' };

  expect(evalLine({ expression: 'lists.range(1000000).all(x, x >= 0)', device })).toMatchObject({ tooComplex: true, runtimeError: expect.any(String) });
  expect(evalLine({ expression: 'true', device })).not.toHaveProperty('tooComplex');
});

import fc from 'fast-check';
import { CompiledSelector, compileSelector, evalLine } from '../../../src/model/cel';
import { caret } from '../../../src/model/cel/caret';

const DEVICE = {
  driver: 'd',
  attributes: { model: { string: 'A100' }, count: { int: 8 }, ready: { bool: true }, version: { version: '1.2.3' } },
  capacity: { memory: { value: '40Gi' } },
};

const WORDS = [
  'device', 'driver', 'attributes', 'capacity', 'model', 'memory', 'x', 'true', 'false', 'null', 'in', 'for', '1', '2u', '1.5', '"d"', 'b"a"', '-1',
  '(', ')', '[', ']', '{', '}', '.', ',', '?', ':', '.?', '[?', '&&', '||', '!', '-', '+', '*', '/', '%', '==', '!=', '<', '>=',
  'has(', '.all(x,', '.exists(x,', '.map(x,', '.filter(x,', '.sortBy(x,', '.optMap(x,', '.transformMap(k, v,', 'cel.bind(x,', 'size(', 'type(', 'int(',
  '.size()', '.matches(', 'quantity("1Gi")', 'semver("1.2.3")', '.compareTo(', 'optional.of(', '.orValue(', 'lists.range(', '.format([', '`a-b`', ' ', '"',
];

const soup = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' '));

test('any sequence of tokens gets an answer, with a place inside the expression', () => {
  fc.assert(fc.property(soup, fc.constantFrom('1.34', '1.36', '1.37'), (expression, minor) => {
    const selector = compileSelector(expression, { minor: minor as '1.34' | '1.36' | '1.37' });
    if (selector instanceof CompiledSelector) {
      expect(typeof selector.evaluate(DEVICE).cost).toBe('number');
      return;
    }
    expect(selector.message).not.toBe('');
    expect(selector.start).toBeGreaterThanOrEqual(0);
    expect(selector.end).toBeGreaterThanOrEqual(selector.start);
    expect(selector.end).toBeLessThanOrEqual(expression.length);
    expect(caret(expression, selector.start, selector.end)).toContain('^');
  }), { numRuns: 1500 });
});

test('any text gets an answer', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (expression) => {
    const { match, compileError, runtimeError } = evalLine({ expression, device: DEVICE });
    expect([match, compileError, runtimeError].filter((answer) => answer !== undefined)).toHaveLength(1);
  }), { numRuns: 1000 });
});

test('the same expression gives the same answer to the same device', () => {
  fc.assert(fc.property(soup, (expression) => {
    const answer = evalLine({ expression, device: DEVICE });
    const selector = compileSelector(expression, { minor: '1.36' });
    expect(evalLine({ expression, device: DEVICE })).toEqual(answer);
    if (selector instanceof CompiledSelector) expect(selector.evaluate(DEVICE)).toEqual(selector.evaluate(DEVICE));
  }), { numRuns: 500 });
});

test('costs that are counted stay below the limit, or the evaluation ends', () => {
  fc.assert(fc.property(soup, fc.integer({ min: 0, max: 30 }), (expression, costLimit) => {
    const { match, cost } = evalLine({ expression, device: DEVICE, costLimit });
    if (match !== undefined) expect(cost).toBeLessThanOrEqual(costLimit);
  }), { numRuns: 500 });
});

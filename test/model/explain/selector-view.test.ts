import { celEvaluator } from '../../../src/model/allocator';
import type { SelectorDevice } from '../../../src/model/allocator';
import { selectorView } from '../../../src/model/explain/selector-view';
import { selectorCases } from '../../oracle/generate/selector-cases';

type Question = { expression: string; device: Partial<SelectorDevice> & { driver: string } };

const CASES = selectorCases(5, 350, '1.36').map(({ question }) => question as unknown as Question);
const DEVICES: readonly SelectorDevice[] = CASES.map(({ device }) => ({
  ...device, attributes: device.attributes ?? {}, capacity: device.capacity ?? {},
}));

test('devices that look the same to a selector get the same answer', () => {
  const evaluator = celEvaluator('1.36', {});
  let same = 0;
  for (const [i, { expression }] of CASES.entries()) {
    const compiled = evaluator.compile(expression);
    const view = selectorView(expression);
    if (view === undefined || 'compileError' in compiled) continue;
    const answers = new Map<string, unknown>();
    // Not all with all: that would take a minute.
    for (let d = i % 7; d < DEVICES.length; d += 7) {
      const text = view(DEVICES[d]);
      if (text === undefined) continue;
      const answer = compiled.matches(DEVICES[d]);
      if (answers.has(text)) {
        same += 1;
        expect({ expression, text, answer }).toEqual({ expression, text, answer: answers.get(text) });
      }
      answers.set(text, answer);
    }
  }
  expect(same).toBeGreaterThan(300);
});

test.each<[string, string, boolean]>([
  ['a driver', 'device.driver == "a.b"', true],
  ['an attribute', 'device.attributes["a.b"].model == "x"', true],
  ['a guarded attribute', '"model" in device.attributes["a.b"] && device.attributes["a.b"].model == "x"', true],
  ['an optional attribute', 'device.attributes["a.b"].?model.orValue("") == "x"', true],
  ['a capacity', 'device.capacity["a.b"].memory.compareTo(quantity("1Gi")) > 0', true],
  ['sharing', 'device.allowMultipleAllocations', true],
  ['a computed name', 'device.attributes["a.b"]["mo" + "del"] == "x"', false],
  ['a domain as a whole', 'device.attributes["a.b"].exists(n, n == "model")', false],
  ['the presence of a domain', '"a.b" in device.attributes', false],
  ['a bound domain', 'cel.bind(a, device.attributes["a.b"], a.model == "x")', false],
  ['the device as a whole', 'has(device.driver) && [device].size() == 1', false],
  ['a variable of that name', '["x"].exists(device, device == "x")', false],
  ['a text that is none', 'device.driver == "', false],
])('%s: %s', (_, expression, isPlain) => {
  expect(selectorView(expression) !== undefined).toBe(isPlain);
});

test('a device with a value that selectors refuse has no view', () => {
  const view = selectorView('device.driver == "a.b"');

  expect(view?.({ driver: 'a.b', attributes: { v: { version: '1.2.3' } }, capacity: { m: { value: '1Gi' } } })).toBeDefined();
  expect(view?.({ driver: 'a.b', attributes: { v: { version: 'one' } }, capacity: {} })).toBeUndefined();
  expect(view?.({ driver: 'a.b', attributes: { v: {} }, capacity: {} })).toBeUndefined();
  expect(view?.({ driver: 'a.b', attributes: { v: { ints: [1] } }, capacity: {} })).toBeUndefined();
  expect(view?.({ driver: 'a.b', attributes: {}, capacity: { m: { value: 'much' } } })).toBeUndefined();
});

import { taintEffectProblem, taintProblem, tolerationProblem } from '../../src/model/device-taint';
import type { TaintShape, TolerationShape } from '../../src/model/device-taint';

test.each([
  ['NoSchedule', '1.34'], ['NoExecute', '1.34'], ['None', '1.35'], ['None', '1.37'],
] as const)('%s is an effect in %s', (effect, minor) => {
  expect(taintEffectProblem(effect, minor)).toBeUndefined();
});

test.each([
  ['None', '1.34'], ['PreferNoSchedule', '1.37'], ['noschedule', '1.37'], ['', '1.37'],
] as const)('%p is no effect in %s', (effect, minor) => {
  expect(taintEffectProblem(effect, minor)?.rule).toMatch(/^must be /);
});

test('a taint may go without value', () => {
  expect(taintProblem({ key: 'example.com/broken', effect: 'NoExecute' }, '1.34')).toBeUndefined();
});

test.each<TaintShape>([
  {}, { key: 'a' }, { effect: 'NoSchedule' }, { key: 'a b', effect: 'NoSchedule' }, { key: 'a', value: 'a b', effect: 'NoSchedule' },
  { key: 'a', effect: 'Never' },
])('the taint %p is refused', taint => {
  expect(taintProblem(taint, '1.37')?.rule).toMatch(/^must have /);
});

test.each<TolerationShape>([
  { key: 'a' },
  { key: 'a', value: 'b' },
  { key: 'a', operator: 'Exists' },
  { operator: 'Exists' },
  { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 300 },
  { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2n ** 40n },
  { operator: 'Exists', effect: 'None' },
])('the toleration %p is legal', toleration => {
  expect(tolerationProblem(toleration, '1.37')).toBeUndefined();
});

test.each<[TolerationShape, string]>([
  [{}, 'must have a key, or the operator Exists'],
  [{ value: 'b' }, 'must have a key, or the operator Exists'],
  [{ key: 'a', operator: 'In' }, 'must have the operator Equal or Exists'],
  [{ key: 'a', operator: '' }, 'must have the operator Equal or Exists'],
  [{ key: 'a', operator: 'Exists', value: 'b' }, 'must have no value beside the operator Exists'],
  [{ key: 'a', tolerationSeconds: 5 }, 'must have the effect NoExecute beside tolerationSeconds'],
  [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }, 'must have the effect NoExecute beside tolerationSeconds'],
  [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 0.5 }, 'must have tolerationSeconds in whole seconds'],
  [{ key: 'a', effect: 'Never' }, 'must have a valid effect: it must be one of NoSchedule, NoExecute, None'],
  [{ key: '-', operator: 'Exists' }, 'must have a valid key: it must be a label key'],
  [{ key: 'a', value: '-' }, 'must have a valid value: it must be a label value'],
])('the toleration %p is refused', (toleration, rule) => {
  expect(tolerationProblem(toleration, '1.37')?.rule).toContain(rule);
});

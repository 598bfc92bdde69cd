import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { chartOrder } from '../../src/platform/chart-order';
import type { TreeMistake } from '../../src/platform/tree-mistake';

const object = (scope: Construct, name: string) => new ApiObject(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const names = (chart: Chart, mistakes: TreeMistake[] = []) => chartOrder(chart, mistakes).map(({ name }) => name);

test('a chain of 20,000 objects in the wrong order comes out in the right one', () => {
  const chart = new Chart(new App(), 'chart');
  const chain = Array.from({ length: 20_000 }, (_, index) => object(chart, `o${index}`));
  for (let index = 0; index + 1 < chain.length; index++) chain[index].node.addDependency(chain[index + 1]);

  expect(names(chart)).toEqual(chain.map(({ name }) => name).reverse());
});

test('a group that depends on a group comes after all of it, each in its own order', () => {
  const chart = new Chart(new App(), 'chart');
  const [late, early] = ['late', 'early'].map(id => new Construct(chart, id));
  for (const id of ['a', 'b']) object(late, `late-${id}`);
  for (const id of ['a', 'b']) object(early, `early-${id}`);
  late.node.addDependency(early);

  expect(names(chart)).toEqual(['early-a', 'early-b', 'late-a', 'late-b']);
});

test('objects of nested charts are left to those charts', () => {
  const chart = new Chart(new App(), 'chart');
  object(new Chart(chart, 'nested'), 'inner');
  object(chart, 'outer');

  expect(names(chart)).toEqual(['outer']);
});

test('a circle is told with one of its objects, and every object still comes out once', () => {
  const chart = new Chart(new App(), 'chart');
  const [a, b, c] = ['a', 'b', 'c'].map(id => object(chart, id));
  a.node.addDependency(b);
  b.node.addDependency(a);
  const mistakes: TreeMistake[] = [];

  expect(names(chart, mistakes).sort()).toEqual(['a', 'b', 'c']);
  expect(mistakes.length).toBeGreaterThan(0);
  expect(mistakes[0].message).toMatch(/circle/);
  expect(c.name).toBe('c');
});

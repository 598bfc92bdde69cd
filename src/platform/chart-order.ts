import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { TreeMistake } from './tree-mistake';

/**
 * The API objects of a chart, without those of nested charts: in tree order, dependencies first.
 *
 * Stock cdk8s resolves the dependencies of the whole app again for each chart, which is quadratic in the number of charts, and
 * expands each dependency into pairs of objects, which is quadratic in the size of a group that others depend on.
 */
export function chartOrder(chart: Chart, mistakes: TreeMistake[]): ApiObject[] {
  const objects = objectsBelow(chart);
  const dependencies = dependencyTable(chart);
  if (dependencies.size === 0) return objects;
  const members = new Set(objects);
  const ordered = new Set<ApiObject>();
  const open = new Set<ApiObject>();
  const circular = new Set<ApiObject>();
  const prerequisites = prerequisitesIn(members, dependencies);
  // A stack of its own: a chain of dependencies may be longer than the call stack is deep.
  const stack: { object: ApiObject; waitsFor: Iterator<ApiObject> }[] = [];
  const enter = (object: ApiObject) => {
    if (ordered.has(object)) return;
    if (open.has(object)) {
      circular.add(object);
      return;
    }
    open.add(object);
    stack.push({ object, waitsFor: prerequisites(object) });
  };
  for (const first of objects) {
    enter(first);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.waitsFor.next();
      if (next.done !== true) {
        enter(next.value);
        continue;
      }
      stack.pop();
      open.delete(top.object);
      ordered.add(top.object);
    }
  }
  for (const { node } of circular) {
    mistakes.push({ path: node.path, message: 'Objects must not depend on each other in a circle. Remove one of the dependencies.' });
  }
  return [...ordered];
}

function objectsBelow(construct: IConstruct): ApiObject[] {
  const own = construct instanceof ApiObject ? [construct] : [];
  return [...own, ...construct.node.children.filter(child => !(child instanceof Chart)).flatMap(objectsBelow)];
}

/** For each object of a chart the constructs that its own or its parents' dependencies name. */
function dependencyTable(chart: Chart): Map<ApiObject, readonly IConstruct[]> {
  const table = new Map<ApiObject, readonly IConstruct[]>();
  const walk = (construct: IConstruct, inherited: readonly IConstruct[]) => {
    const own = construct.node.dependencies;
    const all = own.length > 0 ? [...inherited, ...own] : inherited;
    if (construct instanceof ApiObject && all.length > 0) table.set(construct, all);
    for (const child of construct.node.children) if (!(child instanceof Chart)) walk(child, all);
  };
  for (const child of chart.node.children) if (!(child instanceof Chart)) walk(child, []);
  return table;
}

/** What must stand before an object, asked for one after another as the order is made; a construct is gone through once. */
function prerequisitesIn(members: ReadonlySet<ApiObject>, dependencies: ReadonlyMap<ApiObject, readonly IConstruct[]>) {
  const settled = new Set<IConstruct>();
  return function* (object: ApiObject): Generator<ApiObject, void> {
    for (const construct of dependencies.get(object) ?? []) {
      if (settled.has(construct)) continue;
      const below = objectsBelow(construct);
      for (const other of below) if (other !== object && members.has(other)) yield other;
      // Inside of the construct itself the object is still open, which others of the circle have to notice.
      if (!below.includes(object)) settled.add(construct);
    }
  };
}
